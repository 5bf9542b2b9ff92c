import { describe, expect, it } from 'vitest';
import { readPages } from '../../src/api/pages/read-pages.ts';
import { readSources } from '../../src/operations/listing.ts';
import { aScene, json } from '../api/client-scene.ts';
import { eventClock } from '../api/event-clock.ts';

const ACCOUNTS = 30;
const PAGES = 4;
const ANSWER_MS = 300;

/** A strict server: arrivals per key, none of them more often than its rate in any second. */
function strictly(perSecond: (key: string) => number) {
  const arrivals = new Map<string, number[]>();
  return {
    tooMany: 0,
    arrive(key: string, nowMs: number) {
      const recent = (arrivals.get(key) ?? []).filter((at) => nowMs - at < 1000);
      if (recent.length >= perSecond(key)) this.tooMany += 1;
      arrivals.set(key, [...recent, nowMs]);
    },
  };
}

/** Reads the operation's list of all accounts; answers how long it took and what the server thought of it. */
async function readAll(
  operation: 'payouts.list' | 'revenue.transactions',
  perSecond: (key: string) => number,
) {
  const clock = eventClock();
  const server = strictly(perSecond);
  const { client } = aScene(
    async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      server.arrive('endpoint', clock.monotonicMs());
      server.arrive(pathname, clock.monotonicMs());
      await clock.sleep(ANSWER_MS);
      const at = Number(searchParams.get('cursor') ?? searchParams.get('offset') ?? 0);
      const more = at + 100 < PAGES * 100;
      const list = Array.from({ length: 100 - (more ? 0 : 1) }, (_, row) => ({ invoiceId: at + row }));
      const items = list.map(({ invoiceId: id }) => ({ id }));
      return json({ list, items, ...(more ? { cursor: String(at + 100) } : {}) });
    },
    { clock },
  );
  const sources = Array.from({ length: ACCOUNTS }, (_, index) => {
    const params = { platform: 'platform_a', platform_account_id: String(index) };
    const query = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' };
    const given = { params, ...(operation === 'payouts.list' ? {} : { query }) };
    return { account: `a${index}`, pages: () => readPages(client, operation, given) };
  });
  const drain = async () => {
    let rows = 0;
    for await (const page of readSources<unknown>(sources)) rows += page.length;
    return rows;
  };
  const rows = await clock.run(drain());
  return { rows, tookMs: clock.monotonicMs(), tooMany: server.tooMany };
}

describe('a list over many accounts', () => {
  it('of which each may be asked once a second is read at the rate of the endpoint, and never above it', async () => {
    const { rows, tookMs, tooMany } = await readAll('payouts.list', (key) => (key === 'endpoint' ? 15 : 1));
    expect(rows).toBe(ACCOUNTS * (PAGES * 100 - 1));
    expect(tooMany).toBe(0);
    // One account after the other would take two minutes.
    expect(tookMs).toBeLessThan(14_000);
  });

  it('is read at the rate of the endpoint, although each page waits for the one before', async () => {
    const { rows, tookMs, tooMany } = await readAll('revenue.transactions', () => 15);
    expect(rows).toBe(ACCOUNTS * (PAGES * 100 - 1));
    expect(tooMany).toBe(0);
    // 120 requests at 15 a second; one account after the other would take 36 seconds.
    expect(tookMs).toBeLessThan(1.3 * (120 / 15) * 1000);
  });
});
