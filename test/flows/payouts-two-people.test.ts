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
