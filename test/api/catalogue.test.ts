import { describe, expect, it } from 'vitest';
import { isOperation, OPERATIONS, rowOf, type Operation } from '../../src/api/catalogue.ts';
import { RATES } from '../../src/api/client.ts';
import { InvalidCallError } from '../../src/api/errors.ts';
import { DEFAULT_PER_SECOND, GROUP_PER_SECOND, TOKEN_PER_SECOND } from '../../src/api/row.ts';
import { buildCall, type LooseInput } from '../../src/api/url.ts';
import { BIG, LAW, SCHEDULE_TIMES, type FieldLaw } from './catalogue-table.ts';

const PARAMS: Readonly<Record<string, string>> = {
  account_id: '101',
  platform: 'platform_a',
  platform_account_id: '555',
  chat_id: '77',
  fan_id: '88',
  folder_id: '9',
  media_id: '3',
  upload_id: '0b0f2f3e-6d0f-4a2b-9f6e-0a4a4f1c2d3e',
  campaign_id: BIG,
};

const paramsOf = (operation: Operation) =>
  Object.fromEntries(
    [...rowOf(operation).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, PARAMS[name]]),
  );

const build = (operation: Operation, input: LooseInput) =>
  buildCall('https://svc.test', operation, rowOf(operation), { params: paramsOf(operation), ...input });

const sampleOf = (fields: Readonly<Record<string, FieldLaw>> = {}) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, law]) => law.required === true)
      .map(([field, law]) => [field, law.good[0]]),
  );

const lawOf = (operation: string) => {
  const law = LAW[operation];
  if (law === undefined) throw new Error(`the table lacks ${operation}`);
  return law;
};

/** The least that the call takes. */
const sample = (operation: Operation): { query: Record<string, unknown>; body?: Record<string, unknown> } => {
  const law = lawOf(operation);
  const query = sampleOf(law.query);
  if (law.body === undefined) return { query };
  const body = sampleOf(law.body);
  return { query, body: operation === 'fans.label' ? { note: 'n', ...body } : body };
};

const show = (value: unknown) => {
  const text = typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'nothing');
  return text.length > 40 ? `${text.slice(0, 37)}… (${text.length})` : text;
};

/** Every value of the table: operation, place, field, value. */
const cells = (side: 'good' | 'bad') =>
  Object.entries(LAW).flatMap(([operation, law]) =>
    (['query', 'body'] as const).flatMap((place) =>
      Object.entries(law[place] ?? {}).flatMap(([field, fieldLaw]) =>
        fieldLaw[side].map((value) => ({ operation, place, field, value, shown: show(value) })),
      ),
    ),
  );

describe('the catalogue agrees with the document', () => {
  it('has the 38 rows of the document and no other', () => {
    expect(OPERATIONS).toHaveLength(38);
    expect([...OPERATIONS]).toEqual(Object.keys(LAW).toSorted());
  });

  it.each(Object.keys(LAW))(
    '%s: method, path, permission, rate, paging, repeat rule, success',
    (operation) => {
      if (!isOperation(operation)) throw new Error('no such row');
      const law = lawOf(operation);
      const { method, path, permission, perSecond, group, paging, repeat, success } = rowOf(operation);
      expect({ method, path, permission, rate: perSecond, repeat, success }).toEqual({
        method: law.method,
        path: law.path,
        permission: law.permission,
        rate: law.rate,
        repeat: law.repeat,
        success: law.success,
      });
      expect(group).toBe(law.group);
      expect(paging.style).toBe(law.paging);
      expect('items' in paging ? paging.items : undefined).toBe(law.items);
      expect(RATES[operation]).toBe(law.rate);
    },
  );

  it.each(OPERATIONS.filter((operation) => 'most' in rowOf(operation).paging))(
    '%s: pages as small and as large as its limit allows, and no other',
    (operation) => {
      const { paging } = rowOf(operation);
      if (!('most' in paging)) throw new Error('no list');
      const { least = 1, most } = paging;
      const { query } = sample(operation);
      const asking = (limit: number) => () => build(operation, { query: { ...query, limit } });
      for (const limit of [least, most]) expect(asking(limit)).not.toThrow();
      for (const limit of [least - 1, most + 1]) expect(asking(limit)).toThrow('limit');
    },
  );

  it.each(OPERATIONS)('%s: exactly the fields of the document', (operation) => {
    const { query, body, reply, success } = rowOf(operation);
    const law = lawOf(operation);
    expect(Object.keys(query.shape).toSorted()).toEqual(Object.keys(law.query ?? {}).toSorted());
    expect(body === null).toBe(law.body === undefined);
    expect(reply === null).toBe(success === 204);
    expect(() => build(operation, sample(operation))).not.toThrow();
    for (const place of ['query', 'body'] as const) {
      if (place === 'body' && law.body === undefined) continue;
      const input = sample(operation);
      expect(() => build(operation, { ...input, [place]: { ...input[place], typo: 1 } })).toThrow(/typo/);
    }
  });

  // LIMIT-1
  it('has the published limits of token, endpoint and payout group', () => {
    expect([TOKEN_PER_SECOND, DEFAULT_PER_SECOND, GROUP_PER_SECOND]).toEqual([25, 15, 1]);
  });
});

describe('the bounds of the document', () => {
  it.each(cells('good'))('$operation takes $place $field $shown', ({ operation, place, field, value }) => {
    if (!isOperation(operation)) throw new Error('no such row');
    const input = sample(operation);
    expect(() => build(operation, { ...input, [place]: { ...input[place], [field]: value } })).not.toThrow();
  });

  it.each(cells('bad'))('$operation refuses $place $field $shown', ({ operation, place, field, value }) => {
    if (!isOperation(operation)) throw new Error('no such row');
    const input = sample(operation);
    const call = () => build(operation, { ...input, [place]: { ...input[place], [field]: value } });
    expect(call).toThrow(InvalidCallError);
    expect(call).toThrow(field);
  });

  it.each(Object.keys(LAW).filter((name) => name !== 'fans.label'))(
    '%s: what is required must be there',
    (operation) => {
      if (!isOperation(operation)) throw new Error('no such row');
      const law = lawOf(operation);
      for (const place of ['query', 'body'] as const) {
        for (const [field, { required }] of Object.entries(law[place] ?? {})) {
          const input = sample(operation);
          const { [field]: _left, ...rest } = input[place] ?? {};
          const call = () => build(operation, { ...input, [place]: rest });
          if (required === true) expect(call).toThrow(field);
          else expect(call).not.toThrow();
        }
      }
    },
  );

  it('a label names at least one of its two fields', () => {
    expect(() => build('fans.label', { body: {} })).toThrow('give custom_name, note or both');
    expect(build('fans.label', { body: { note: '' } }).body).toBe('{"note":""}');
  });

  it.each(SCHEDULE_TIMES.good)(
    'a broadcast takes the schedule %s with its clock, and neither alone',
    (time) => {
      const timed = { scheduled_at: time, scheduled_at_timezone_mode: 'utc' };
      expect(() => build('broadcasts.create', { body: timed })).not.toThrow();
      expect(() => build('broadcasts.create', { body: { scheduled_at: time } })).toThrow('go together');
      expect(() => build('broadcasts.create', { body: { scheduled_at_timezone_mode: 'utc' } })).toThrow(
        'go together',
      );
    },
  );

  it.each(SCHEDULE_TIMES.bad)('a broadcast refuses the schedule %s', (time) => {
    const timed = { scheduled_at: time, scheduled_at_timezone_mode: 'utc' };
    expect(() => build('broadcasts.create', { body: timed })).toThrow('scheduled_at');
  });
});

describe('path parameters', () => {
  const withParam = (operation: Operation, params: Record<string, unknown>) => () =>
    build(operation, { ...sample(operation), params: { ...paramsOf(operation), ...params } }).url;

  it.each(['007', `1${BIG}`, '', '-1', 'x', 101, null])('an account id is not %s', (account_id) => {
    for (const operation of OPERATIONS.filter((name) => rowOf(name).path.includes('{account_id}')))
      expect(withParam(operation, { account_id })).toThrow('account_id');
  });

  it.each(['.', '..', '', 5, '\ud800'])('a free segment is not %j', (segment) => {
    expect(withParam('chat.messages', { chat_id: segment })).toThrow('chat_id');
    expect(withParam('fans.label', { fan_id: segment })).toThrow('fan_id');
    expect(withParam('revenue.transactions', { platform_account_id: segment })).toThrow(
      'platform_account_id',
    );
    expect(withParam('revenue.transactions', { platform: segment })).toThrow('platform');
  });

  it('a chat id has at most 100 characters, a platform account id may be any string', () => {
    expect(withParam('chat.messages', { chat_id: 'c'.repeat(100) })).not.toThrow();
    expect(withParam('chat.messages', { chat_id: 'c'.repeat(101) })).toThrow('chat_id');
    expect(withParam('payouts.balances', { platform_account_id: 'p'.repeat(101) })).not.toThrow();
  });

  // VAULT-1
  it('a folder is 1 to 100 digits, a media a whole number from 1, an upload a uuid', () => {
    for (const folder_id of ['0', '007', '9'.repeat(100)])
      expect(withParam('vault.media', { folder_id })).not.toThrow();
    for (const folder_id of ['', 'x', '9'.repeat(101)])
      expect(withParam('vault.media', { folder_id })).toThrow();
    for (const media_id of ['1', BIG]) expect(withParam('vault.thumbnail', { media_id })).not.toThrow();
    for (const media_id of ['0', '-1', '1.5', 'x'])
      expect(withParam('vault.thumbnail', { media_id })).toThrow();
    expect(withParam('vault.upload-retry', { upload_id: '17' })).toThrow('upload_id');
  });

  it.each(OPERATIONS)('%s takes no parameter that its path lacks', (operation) => {
    expect(withParam(operation, { other: '1' })).toThrow('other');
  });
});
