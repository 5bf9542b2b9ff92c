import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listShape } from '../../src/cli/schemas.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const listed = listShape.extend({ items: z.array(z.record(z.string(), z.unknown())) });
const TRANSACTIONS = ['revenue', 'transactions', '--from', '60d'];
const ALICE = [...TRANSACTIONS, '--account', 'alice'];

/** Every account has 2,500 transactions, which are three pages. */
async function aBusyScene(...faults: readonly FaultInput[]): Promise<Scene> {
  const scene = aScene();
  await scene.service((control) => control.setData({ transactions: 2500 }));
  for (const fault of faults) await scene.fault(fault);
  return scene;
}

/** From the nth page on, every try. */
const brokenFrom = (nth: number, how: '500' | '502' | 'reset' | 'truncated' = '500'): FaultInput => ({
  kind: 'broken_answer',
  operation: 'revenue.transactions',
  nth,
  times: 50,
  when: 'before_commit',
  how,
});

const odd = (set: Record<string, unknown>, operation = 'revenue.transactions' as const): FaultInput => ({
  kind: 'odd_reply',
  operation,
  set,
});

describe('a list that breaks off', () => {
  it.each(['500', '502', 'reset', 'truncated'] as const)(
    'is one document that says so, with what was read until then: %s',
    async (how) => {
      const ran = await (await aBusyScene(brokenFrom(2, how))).herald(...ALICE, '--format', 'json');
      const { items, complete } = documentOf(ran, listed);
      expect([ran.code, items.length, complete]).toEqual([1, 1000, false]);
      expect(ran.stderr).toContain('error: alice: ');
      expect(ran.stderr).toContain('(GET /api/v0/platforms/platform_a/accounts/9101/');
      expect(ran.stderr).toContain('The list is incomplete: rows are missing or may be.');
    },
  );

  it.each([
    ['ndjson', 1000],
    ['csv', 1001],
    ['table', 1001],
  ])('shows the rows it has as %s, and exits 1', async (format, lines) => {
    const { code, stdout, stderr } = await (
      await aBusyScene(brokenFrom(3))
    ).herald(...ALICE, '--format', format);
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([1, lines + 1000]);
    expect(stderr).toContain('The list is incomplete');
  });

  it('does not take the other accounts with it', async () => {
    const scene = await aBusyScene({ ...brokenFrom(1), account_id: '101' });
    const ran = await scene.herald(...TRANSACTIONS, '--format', 'json');
    const { items, complete } = documentOf(ran, listed);
    expect([ran.code, items.length, complete]).toEqual([4, 2500, false]);
    expect(new Set(items.map(({ account }) => account))).toEqual(new Set(['bob']));
    expect(ran.stderr).toContain('The list is incomplete for 1 of 2 accounts');
  });

  it('is not a list at all when nothing could be read', async () => {
    const ran = await (await aBusyScene(brokenFrom(1))).herald(...TRANSACTIONS, '--format', 'json');
    const { code, message } = documentOf(ran, errorReportShape);
    expect([ran.code, code]).toEqual([1, 'service-error']);
    expect(message).toContain('answered 500');
    expect(ran.stderr).toContain('error: bob: ');
  });

  it('asks no further account when the key may not read the first', async () => {
    const scene = await aBusyScene();
    await scene.service((control) => control.addKey({ key: 'sim-key', permissions: ['accounts.view'] }));
    const ran = await scene.herald(...TRANSACTIONS, '--format', 'json');
    expect([ran.code, documentOf(ran, errorReportShape).code]).toEqual([1, 'API_KEY_PERMISSION_DENIED']);
    expect(documentOf(ran, errorReportShape).hint).toContain('dashboard.view');
  });

  it('outlasts a throttled page and a cursor that the service lets expire', async () => {
    const scene = await aBusyScene(
      { kind: 'throttle', operation: 'revenue.transactions', nth: 2, times: 2 },
      { kind: 'expired_cursor', operation: 'revenue.transactions', nth: 3 },
    );
    const ran = await scene.herald(...ALICE, '--format', 'json');
    const { items, complete } = documentOf(ran, listed);
    expect([ran.code, items.length, complete]).toEqual([0, 2500, true]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(2500);
  });

  it('is not taken for a whole one when its cursor comes again', async () => {
    const scene = await aBusyScene({
      kind: 'repeated_page',
      operation: 'revenue.transactions',
      nth: 2,
      times: 9,
    });
    const ran = await scene.herald(...ALICE, '--format', 'json');
    expect([ran.code, documentOf(ran, listed).complete]).toEqual([1, false]);
  });
});

describe('a reply that is not what the document says', () => {
  // READ-1
  it('is shown as it came where nothing depends on it', async () => {
    const item = {
      id: 7,
      amount: 'twelve',
      fan: null,
      type: 3,
      status: 'never_heard_of',
      timestamp: 'yesterday',
      more: { x: '\u009b31m' },
    };
    const scene = await aBusyScene(odd(item));
    const table = await scene.herald(...ALICE, '--limit', '1');
    expect(table.stdout.split('\n')[1]?.split(/ {2,}/)).toEqual([
      'alice',
      '7',
      'yesterday',
      'twelve',
      '3',
      'never_heard_of',
      'n/a',
    ]);
    const { stdout } = await scene.herald(...ALICE, '--format', 'ndjson', '--limit', '1');
    expect(JSON.parse(stdout)).toMatchObject({ account: 'alice', ...item, id: '7' });
    expect(stdout).toContain('\\u009b31m');
  });
});
