import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { payout, refusedPayout } from '../helpers/payouts.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

interface Entry {
  readonly state: string;
  readonly rejectReason: string;
}

interface Telling {
  /** What the answer to a request makes of its entries. */
  readonly answer?: Partial<Entry>;
  /** The same for the list. */
  readonly list?: Partial<Entry>;
  /** The balance after the request: as it is, as it was before, or none. */
  balance?: 'real' | 'before' | 'unread';
}

/** A service that tells this of payout requests that it accepts like any other. */
function telling(how: Telling) {
  let isSent = false;
  const service = altered(async (request, answer) => {
    const response = await answer();
    if (!response.ok) return response;
    const path = new URL(request.url).pathname;
    if (path.endsWith('/balances')) return isSent ? balance(response, how.balance ?? 'real') : response;
    if (!path.endsWith('/payout-requests')) return response;
    if (request.method === 'POST') isSent = true;
    const reply = (await response.json()) as { list: Entry[] };
    const change = request.method === 'POST' ? how.answer : how.list;
    return Response.json(
      { ...reply, list: reply.list.map((entry) => ({ ...entry, ...change })) },
      { headers: response.headers },
    );
  });
  const made = () => service.simulator.control.oracle().payouts['101']?.committed.length ?? 0;
  return { ...service, made };
}

async function balance(response: Response, how: NonNullable<Telling['balance']>): Promise<Response> {
  if (how === 'real') return response;
  if (how === 'unread') return Response.json({ message: 'down' }, { status: 500 });
  const reply = (await response.json()) as object;
  return Response.json({ ...reply, payoutAvailable: 1234.56 }, { headers: response.headers });
}

async function outcomeOnRecord(scene: Scene) {
  return scene.state.read(
    'http://localhost:1',
    async (state) => (await state.history({ limit: 1 }))[0]?.outcome,
  );
}

// PAYOUT-4
describe('an accepted payout with text in the place of a reason for a rejection', () => {
  it.each(['none', 'None', 'null', '-', 'N/A', 'limit of the week'])(
    'such as %s is proved by the balance, and is not requested twice',
    async (rejectReason) => {
      const { scene, made } = telling({ answer: { rejectReason }, list: { rejectReason } });
      const { code, item } = await payout(scene);
      expect({ code, ...item }).toMatchObject({ code: 0, outcome: 'adopted', invoiceId: 'inv-9101-0001' });
      scene.clock.move(60_000);
      expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
      expect(made()).toBe(1);
    },
  );

  it('in the answer only is found in the list', async () => {
    const { scene, made } = telling({ answer: { rejectReason: 'none' } });
    expect((await payout(scene)).item).toMatchObject({ outcome: 'adopted', state: 'new' });
    expect(made()).toBe(1);
  });

  it('in the list only is done where the balance fell by its amount', async () => {
    const { scene } = telling({ list: { rejectReason: 'none' } });
    expect((await payout(scene)).item).toMatchObject({ outcome: 'requested', invoiceId: 'inv-9101-0001' });
    expect(await outcomeOnRecord(scene)).toBe('done');
  });

  it('in the list only, and no fall of the balance, is for a person: exit 3, and never sent again', async () => {
    const { scene, made } = telling({ list: { rejectReason: 'none' }, balance: 'before' });
    const error = await refusedPayout(scene, 3);
    expect(error.code).toBe('unclear-payout');
    expect(error.message).toContain('has the state "new" and the rejection reason "none"');
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
    expect(made()).toBe(1);
  });

  it.each(['before', 'unread'] as const)(
    'and a balance that is %s proves nothing: exit 3, nothing said about money, and its entry stays open',
    async (balanceNow) => {
      const how: Telling = {
        answer: { rejectReason: 'none' },
        list: { rejectReason: 'none' },
        balance: balanceNow,
      };
      const { scene, made } = telling(how);
      const error = await refusedPayout(scene, 3);
      expect(error.code).toBe('unknown-outcome');
      expect(error.message).toContain('answered with the state "new" and the rejection reason "none"');
      expect(error.message).toContain('inv-9101-0001 (100.10 USD, new');
      expect(error.message).not.toMatch(/was rejected|No money/);
      expect(error.hint).not.toContain('No money');
      expect(await outcomeOnRecord(scene)).toBe(null);

      how.balance = 'before';
      expect((await refusedPayout(scene, 3)).code).toBe('open-payout');
      how.balance = 'real';
      expect((await payout(scene)).item).toMatchObject({ outcome: 'made_earlier', sent: false });
      expect(await outcomeOnRecord(scene)).toBe('adopted');
      expect(made()).toBe(1);
    },
  );
});

describe('an answer with an accepted state and a reason for a rejection', () => {
  const answer = { rejectReason: 'documents are missing' };

  it('is a rejection where the list shows the request as rejected', async () => {
    const { scene } = telling({ answer, list: { ...answer, state: 'rejected' }, balance: 'before' });
    const error = await refusedPayout(scene, 1);
    expect(error.code).toBe('payout-rejected');
    expect(error.message).toContain('was rejected: documents are missing.');
    expect(await outcomeOnRecord(scene)).toBe('refused');
  });

  it('is unknown while no list shows the request: the list and the balance may lag', async () => {
    const scene = aScene();
    const list = [{ state: 'new', rejectReason: 'documents are missing' }];
    await scene.fault({ kind: 'odd_reply', operation: 'payouts.request', set: { list } });
    await scene.fault({
      kind: 'odd_reply',
      operation: 'payouts.list',
      set: { list: [], marker: null },
      times: 20,
    });
    const error = await refusedPayout(scene, 3);
    expect(error.message).toContain('the rejection reason "documents are missing"');
    await scene.service((control) => control.clearFaults());
    expect((await payout(scene)).item).toMatchObject({ outcome: 'made_earlier', sent: false });
  });

  it('is not a success where the answer rejects it and the list contradicts itself', async () => {
    const { scene, made } = telling({
      answer: { ...answer, state: 'rejected' },
      list: answer,
      balance: 'before',
    });
    const error = await refusedPayout(scene, 3);
    expect(error.code).toBe('unclear-payout');
    expect(error.message).toContain('its answer rejected it (documents are missing)');
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
    expect(made()).toBe(1);
  });
});

describe('a request of the same amount in the list', () => {
  const similarTo = async (set: object) => {
    const scene = aScene();
    const seed = { kind: 'payout_request', account_id: '101', set: { amount: 100.1, ...set } } as const;
    await scene.service((control) => control.seed(seed));
    const ran = await scene.herald('payouts', 'request', '--account=alice', '--amount=100.10', '--yes');
    return ran.code;
  };

  it.each([
    { state: 'new', reject_reason: 'none' },
    { state: 'approved', reject_reason: 'limit of the week' },
    { state: ' New', reject_reason: 'limit of the week' },
    { state: 'paid', reject_reason: 'N/A' },
    { state: '', reject_reason: '-' },
  ])('counts against another one where it may have been paid: %j', async (set) => {
    expect(await similarTo(set)).toBe(5);
  });

  it.each([
    { state: 'rejected', reject_reason: '' },
    { state: 'Declined', reject_reason: 'none' },
    { state: 'failed', reject_reason: 'no bank account' },
    { state: '', reject_reason: 'no bank account' },
  ])('does not count where it was clearly rejected: %j', async (set) => {
    expect(await similarTo(set)).toBe(0);
  });
});
