import { describe, expect, it } from 'vitest';
import { OPERATIONS, rowOf, type Operation } from '../../../src/api/catalogue.ts';
import { aVisit, itemsOf } from '../visit.ts';
import { ask, pathOf, RANGED, SPRING, type Query } from './reading.ts';

const READS = OPERATIONS.filter((operation) => /^(traffic|revenue|team)\./.test(operation));
const OF_ACCOUNTS = READS.filter((operation) => !operation.startsWith('team.'));

const WEEK = { from: '2026-05-01T00:00:00Z', to: '2026-05-08T00:00:00Z' };
const queryOf = (operation: Operation): Query => {
  if (operation === 'team.members') return { limit: 50, offset: 0 };
  if (operation === 'team.metrics') return { ...WEEK, limit: 100, offset: 0 };
  return operation.endsWith('-users') ? {} : SPRING;
};
const pathTo = (operation: Operation, platform = 'platform_a', account = '9101') =>
  pathOf(
    rowOf(operation).path.replace('{platform}', platform).replace('{platform_account_id}', account),
    queryOf(operation),
  );

describe('a read', () => {
  it.each(OF_ACCOUNTS)('%s is refused to a key that is scoped to another account', async (operation) => {
    const keys = [
      { key: 'only-102', permissions: 'all' as const, accounts: ['102'] },
      { key: 'platform-a', permissions: 'all' as const, platform: 'platform_a' },
    ];
    const { call } = aVisit({ keys });
    const statusFor = async (key: string, account: string) =>
      (await call('GET', pathTo(operation, 'platform_a', account), undefined, { key })).status;
    expect(await statusFor('only-102', '9101')).toBe(403);
    expect(await statusFor('only-102', '9102')).toBe(200);
    expect(await statusFor('platform-a', '9103')).toBe(200);
    expect(await statusFor('platform-a', '404')).toBe(404);
  });

  it.each(OF_ACCOUNTS)('%s takes the other platform only where the document says so', async (operation) => {
    const { call } = aVisit();
    const { status } = await call('GET', pathTo(operation, 'platform_b', '9201'));
    expect(status).toBe(operation === 'revenue.transactions' ? 200 : 400);
    expect((await call('GET', pathTo(operation, 'platform_a', '9201'))).status).toBe(404);
    expect((await call('GET', pathTo(operation, 'platform_c', '9101'))).status).toBe(400);
  });

  it('of transactions of the other platform has rows of its own', async () => {
    const { call } = aVisit();
    const path = pathTo('revenue.transactions', 'platform_b', '9201');
    expect(itemsOf(await call('GET', path))).toHaveLength(100);
  });
});

describe('out of bounds is a 400:', () => {
  it.each<[string, Query]>([
    ...RANGED.flatMap(([list]): [string, Query][] => [
      [list, { start: SPRING.start }],
      [list, { end: SPRING.end }],
      [list, { ...SPRING, cursor: '' }],
      [list, { ...SPRING, offset: 0 }],
    ]),
    ['trial-link-users', { ...SPRING }],
    ['/api/v0/members', { limit: 50 }],
    ['/api/v0/members', { offset: 0 }],
    ['/api/v0/users/metrics', { ...WEEK, limit: 100 }],
    ['/api/v0/users/metrics', { ...WEEK, offset: 0 }],
    ['/api/v0/users/metrics', { from: WEEK.from, limit: 100, offset: 0 }],
  ])('%s %j', async (list, query) => {
    const { status, body } = await ask(aVisit(), list, query);
    expect([status, body['code']]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('a page holds 100 rows unless another number is asked for', async () => {
    const visit = aVisit();
    expect(itemsOf(await ask(visit, 'transactions', SPRING))).toHaveLength(100);
    expect(itemsOf(await ask(visit, 'tracking-link-users', {}))).toHaveLength(100);
  });
});
