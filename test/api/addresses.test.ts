import { describe, expect, it } from 'vitest';
import { rowOf, type Operation } from '../../src/api/catalogue.ts';
import { parseJson } from '../../src/api/json.ts';
import type { LooseInput } from '../../src/api/client.ts';
import { aClientScene, BASE, CALLS, callOf, callUntyped, CAMPAIGN, json } from './client-scene.ts';

/** Where the call goes. */
async function urlOf(operation: Operation, input: LooseInput, baseUrl = BASE): Promise<string> {
  const { client, sent } = aClientScene(() => json(undefined, 404), { baseUrl });
  await callUntyped(client, operation, input);
  return sent[0]?.url ?? '';
}

const BIG = '9007199254740993123';

describe('addresses', () => {
  it('keep the path of the base address', async () => {
    const deep = 'https://h.test/base/deep';
    expect(await urlOf('accounts.list', {}, deep)).toBe(`${deep}/api/v0/accounts`);
    expect(await urlOf('accounts.list', {}, `${deep}//`)).toBe(`${deep}/api/v0/accounts`);
  });

  // READ-10
  it('leave out what is absent, and write booleans and lists as text', async () => {
    const input = { query: { cursor: undefined, withExpiredSubscriptions: 'true', limit: '5' } };
    expect(await urlOf('accounts.list', input)).toBe(
      `${BASE}/api/v0/accounts?limit=5&withExpiredSubscriptions=true`,
    );
    const from = '2026-01-01T00:00:00Z';
    const query = { from, to: from, creator_ids: [BIG, 2], user_ids: '3', offset: 0, limit: 100 };
    const { searchParams } = new URL(await urlOf('team.metrics', { query }));
    expect(searchParams.getAll('creator_ids')).toEqual([BIG, '2']);
    expect(searchParams.getAll('user_ids')).toEqual(['3']);
    expect(searchParams.get('offset')).toBe('0');
  });

  it.each([BIG, 9_007_199_254_740_993_123n])('carry the id %s with every digit in a query', async (value) => {
    const params = { account_id: '1', chat_id: '2' };
    expect(await urlOf('chat.messages', { params, query: { message_id: value } })).toContain(
      `message_id=${BIG}`,
    );
    const platform = { platform: 'p', platform_account_id: '5' };
    expect(await urlOf('payouts.list', { params: platform, query: { marker: value } })).toContain(
      `marker=${BIG}`,
    );
    expect(await urlOf('payouts.list', { params: platform, query: { marker: 0 } })).toContain('marker=0');
  });

  it('keep a free segment in one piece', async () => {
    const url = (fan_id: string) => urlOf('fans.follow', { params: { account_id: '1', fan_id } });
    expect(await url('a/b?c#d e')).toBe(`${BASE}/api/v0/accounts/1/fans/a%2Fb%3Fc%23d%20e/subscribe`);
    expect(await url('%2e%2e')).toContain('/fans/%252e%252e/');
    expect(new URL(await url('...')).pathname).toBe('/api/v0/accounts/1/fans/.../subscribe');
  });
});

describe('bodies', () => {
  // ERROR-13
  it('a call without a body has neither body nor content type', async () => {
    const { client, sent } = aClientScene(() => json(undefined, 204));
    await callOf(client, 'unsend');
    expect(sent[0]?.headers.has('content-type')).toBe(false);
    expect(sent[0]?.body).toBeNull();
    await callOf(client, 'status');
    expect(sent[1]?.headers.get('content-type')).toBe('application/json');
    expect(await sent[1]?.text()).toBe('{"status":"paused"}');
  });

  it('refuses a body where there is none, and an absent one where there must be one', () => {
    const params = { account_id: '1', campaign_id: '9' };
    const { client } = aClientScene(() => json(undefined, 204));
    const call = (operation: Operation, input: LooseInput) => () =>
      client.prepareRow(operation, rowOf(operation), input);
    expect(call('campaigns.unsend', { params, body: {} })).toThrow('this call takes no body');
    expect(call('campaigns.set-status', { params })).toThrow('body');
  });
});

describe('replies', () => {
  // ACCOUNT-1
  it('keep every digit of ids that stand as numbers', async () => {
    const text = `{"id":${BIG},"account_id":101,"attachments_seen":[${BIG}],"messages":[{"attachments":[{"id":${BIG}}]}]}`;
    const { client } = aClientScene(() => new Response(text));
    const reply = await client.read('campaigns.get', CALLS.read.input);
    expect(reply).toMatchObject({ id: BIG, account_id: '101', messages: [{ attachments: [{ id: BIG }] }] });
    expect(reply).toHaveProperty('attachments_seen', [BigInt(BIG)]);
  });

  it('a member called __proto__ is nothing but a member', () => {
    const parsed = parseJson('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>;
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(parsed['a']).toBe(1);
  });

  it('tell a simulator by what only a simulator says', async () => {
    const scene = aClientScene(() => json(CAMPAIGN));
    await callOf(scene.client, 'read');
    expect([scene.client.address, scene.client.isSimulator()]).toEqual([BASE, false]);
    const pretend = aClientScene(() => json(CAMPAIGN, 200, { 'x-herald-simulator': '1' }));
    await callOf(pretend.client, 'read');
    expect(pretend.client.isSimulator()).toBe(true);
  });
});

it('a binary reply is the bytes as they came', async () => {
  const bytes = new Uint8Array([0, 255, 254, 10]);
  const { client, sent } = aClientScene(() => new Response(bytes));
  const answered = await client.prepare('vault.thumbnail', { params: { account_id: '1', media_id: BIG } })();
  expect(sent[0]?.headers.get('accept')).toBe('*/*');
  if (answered.kind !== 'done') throw new Error(answered.kind);
  expect([...answered.reply]).toEqual([...bytes]);
});
