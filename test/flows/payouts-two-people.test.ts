import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Control } from '../../src/simulator/control.ts';
import { altered, type Alter } from '../helpers/altered.ts';
import { payout, refusedPayout } from '../helpers/payouts.ts';

afterEach(() => vi.unstubAllGlobals());

const isRequest = (request: Request) => request.method === 'POST' && request.url.endsWith('/payout-requests');

/** A workspace in which someone else asks for a payout of alice right before ours arrives. */
function somebodyFirst(amounts: readonly number[], alter: Alter = (_request, answer) => answer()) {
  const seed = (control: Control) => {
    for (const amount of amounts)
      control.seed({ kind: 'payout_request', account_id: '101', set: { amount } });
  };
  const service = altered(async (request, answer) => {
    if (isRequest(request)) seed(service.simulator.control);
    return alter(request, answer);
  });
  return service;
}

const lost = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' }));

describe('a payout that someone else requests at the same moment', () => {
  it('of the same amount: both invoices and the double fall of the balance are said, exit 3', async () => {
    const { scene } = somebodyFirst([100.1]);
    const error = await refusedPayout(scene, 3);
    expect(error.code).toBe('two-payouts');
    expect(error.message).toContain('inv-9101-0001');
    expect(error.message).toContain('inv-9101-0002');
    expect(error.message).toContain('has fallen from 1234.56 to 1034.36 USD, twice this amount');
    expect(error.details).toMatchObject({ available_before_cents: 123_456, available_now_cents: 103_436 });
  });

  it('of the same amount is found by the balance while the list does not show one of them', async () => {
    const { scene } = somebodyFirst([100.1], async (request, answer) => {
      const response = await answer();
      if (!request.url.includes('/payout-requests?')) return response;
      const reply = (await response.json()) as { list: unknown[] };
      return Response.json({ ...reply, list: reply.list.slice(1) });
    });
    const error = await refusedPayout(scene, 3);
    expect(error.code).toBe('two-payouts');
    expect(error.message).toContain('The list shows one');
    expect(error.message).toContain('twice this amount');
  });

  it('of another amount is not called one of the same while the list does not show it', async () => {
    const { scene } = somebodyFirst([120], async (request, answer) => {
      const response = await answer();
      if (!request.url.includes('/payout-requests?')) return response;
      const reply = (await response.json()) as { list: { amount: number }[] };
      return Response.json({ ...reply, list: reply.list.filter(({ amount }) => amount !== 120) });
    });
    const error = await refusedPayout(scene, 3);
    expect(error.code).toBe('two-payouts');
    expect(error.message).toContain('another payout was probably requested at the same time');
    expect(error.message).toContain('to 1014.46 USD, more than twice this amount');
    expect(error.message).not.toContain('of the same amount');
  });

  it('of another amount: ours is found by its amount, and the other one is named', async () => {
    const { scene } = somebodyFirst([50]);
    const { code, item, stderr } = await payout(scene);
    expect(code).toBe(0);
    expect(item).toMatchObject({ outcome: 'requested', invoiceId: 'inv-9101-0002' });
    expect(stderr).toContain('inv-9101-0001 (50.00 USD');
  });

  it('and ours is lost and lands late: it is waited for, and both are said, exit 3', async () => {
    const { scene, simulator } = somebodyFirst([100.1], async (request, answer) => {
      if (!isRequest(request)) return answer();
      void scene.clock.sleep(60_000).then(() => answer());
      return lost();
    });
    const error = await refusedPayout(scene, 3);
    expect(error.message).toContain('inv-9101-0001');
    expect(error.message).toContain('inv-9101-0002');
    expect(simulator.control.oracle().payouts['101']?.committed.length).toBe(2);
  });
});

describe('an accepted payout of 100.10 where the service', () => {
  const BEFORE = 1234.56;
  type Rows = (all: readonly unknown[]) => readonly unknown[] | null;
  const all: Rows = (rows) => rows;
  const none: Rows = (rows) => rows.slice(0, 0);
  const isDown: Rows = () => null;

  /** From our request on, the list and the balance (of before, by default) show that; `after`: as they are from that look on. */
  const showing = (list: Rows, availableNow: number | null, after = Infinity) => {
    let looks = 0;
    let isSent = false;
    return somebodyFirst([], async (request, answer) => {
      if (isRequest(request)) isSent = true;
      const response = await answer();
      if (!isSent || isRequest(request)) return response;
      const isList = request.url.includes('/payout-requests?');
      if (isList) looks += 1;
      if (looks > after || !response.ok) return response;
      const reply = (await response.json()) as { list: unknown[] };
      const rows = isList ? list(reply.list) : [];
      const { headers } = response;
      if (isList ? rows === null : availableNow === null)
        return Response.json({ error: 'down' }, { status: 502, headers });
      return Response.json(isList ? { ...reply, list: rows } : { ...reply, payoutAvailable: availableNow }, {
        headers,
      });
    });
  };

  it.each([
    [
      'cannot be asked at all',
      isDown,
      null,
      'could not be read. The available balance could not be compared',
    ],
    ['shows no list and no fall', isDown, BEFORE, 'could not be read. The available balance is unchanged'],
    ['shows no list and a double fall', isDown, 1034.36, 'to 1034.36 USD, twice this amount'],
    [
      'shows an old list and no balance',
      none,
      null,
      'does not show it yet. The available balance could not be',
    ],
    [
      'shows an old list and no fall',
      none,
      BEFORE,
      'does not show it yet. The available balance is unchanged',
    ],
  ])('%s: says what could not be checked, exit 3', async (_, list, available, words) => {
    const { scene } = showing(list, available);
    const error = await refusedPayout(scene, 3);
    expect(error.code).toBe('unchecked-payout');
    expect(error.message).toContain('was requested, state new. It could not be checked if another one');
    expect(error.message).toContain(words);
    expect(error.hint).toContain('herald payouts list --account alice');
  });

  it.each([
    ['shows no list and one fall', isDown, 1134.46, 'only the balance was checked', null],
    [
      'shows the request and no balance',
      all,
      null,
      'only the list of payout requests was checked',
      'inv-9101-0001',
    ],
  ])('%s: exit 0, and says what was not checked', async (_, list, available, words, invoiceId) => {
    const { scene } = showing(list, available);
    const { code, item, stderr } = await payout(scene);
    expect([code, item]).toMatchObject([0, { outcome: 'requested', invoiceId }]);
    expect(stderr).toContain(words);
  });

  it.each([
    ['shows an old list and one fall', none, 1134.46, null],
    ['shows the request and no fall', all, BEFORE, 'inv-9101-0001'],
  ])('%s: exit 0', async (_, list, available, invoiceId) => {
    const { scene } = showing(list, available);
    const { code, item, stderr } = await payout(scene);
    expect([code, item]).toMatchObject([0, { outcome: 'requested', invoiceId }]);
    expect(stderr).not.toContain('partly-checked');
  });

  it('shows nothing of it, and another one of this amount is refused', async () => {
    const { scene, simulator } = showing(none, BEFORE);
    await refusedPayout(scene, 3);
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
    expect(simulator.control.oracle().payouts['101']?.committed.length).toBe(1);
  });

  it('is behind for some seconds: it is looked at again', async () => {
    const { scene } = showing(none, BEFORE, 2);
    const { code, item } = await payout(scene);
    expect([code, item]).toMatchObject([0, { outcome: 'requested', invoiceId: 'inv-9101-0001' }]);
  });

  it('cannot be asked, while someone else requests the same: both exist, and exit 3 says that it was not checked', async () => {
    let isSilent = false;
    const { scene, simulator } = somebodyFirst([100.1], (request, answer) => {
      if (isSilent) return Promise.resolve(Response.json({ error: 'down' }, { status: 502 }));
      isSilent = isRequest(request);
      return answer();
    });
    expect((await refusedPayout(scene, 3)).code).toBe('unchecked-payout');
    expect(simulator.control.oracle().payouts['101']?.committed.length).toBe(2);
  });
});
