import { describe, expect, it, onTestFinished } from 'vitest';
import { Limiter } from '../../src/api/limiter.ts';
import type { Bucket, RateBudget } from '../../src/domain/rate-budget.ts';
import { systemClock } from '../../src/host/clock.ts';
import { postgresState } from '../../src/postgres/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { create, list, rateProcesses, strictServer, token } from '../helpers/rate-processes.ts';

const server = sharedPostgres();

/** Processes with a new database, and a server that counts their requests. */
async function aScene() {
  const url = await server.newDatabase();
  const options = { workspace: 'agency', holder: 'ana', leaseSec: 60, retrySec: 1 };
  const state = postgresState({ url, clock: systemClock, ...options });
  await state.init();
  await state.close();
  const processes = rateProcesses(url);
  onTestFinished(() => processes.end());
  const { clock } = processes;
  const strict = strictServer(clock);
  let spread = 0;
  /** One request; resolves to the time of its grant. */
  const send = async (
    process: { readonly limiter: RateBudget },
    ...buckets: readonly Bucket[]
  ): Promise<number> => {
    const slot = await process.limiter.acquire(buckets);
    const grantedMs = clock.monotonicMs();
    spread = (spread + 0.618_033_988_749) % 1;
    await clock.sleep(spread * 40);
    strict.arrive(buckets);
    await clock.sleep(5);
    slot.answered();
    return grantedMs;
  };
  const sendMany = (process: { readonly limiter: RateBudget }, count: number, ...buckets: Bucket[]) =>
    Array.from({ length: count }, () => send(process, ...buckets));
  return { ...processes, strict, send, sendMany };
}

describe('processes with one token', () => {
  it.each([2, 4, 8])('%i of them take the whole rate together, and never more', async (count) => {
    const { clock, strict, start, sendMany } = await aScene();
    const processes = Array.from({ length: count }, () => start());
    await clock.run(Promise.all(processes.flatMap((one) => sendMany(one, 120 / count, token, list))));
    expect(strict.tooMany).toBe(0);
    // 120 requests at 5 a second: 23 windows.
    expect(clock.monotonicMs()).toBeLessThan(23_000 * 1.08);
    const exchanges = processes.reduce((sum, process) => sum + process.exchanges(), 0);
    // Fewer exchanges than a second has places for other things.
    expect(exchanges / 23).toBeLessThan(25);
  });

  it('are as fast as one process over many endpoints, where the rate of the token counts', async () => {
    const { clock, strict, start, sendMany } = await aScene();
    const endpoints = ['a', 'b', 'c'].map((key): Bucket => ({ key, perSecond: 15 }));
    const sendAll = async (processes: readonly { readonly limiter: RateBudget }[]) => {
      const startedMs = clock.monotonicMs();
      const sent = processes.flatMap((process) =>
        endpoints.flatMap((endpoint) => sendMany(process, 75 / processes.length, token, endpoint)),
      );
      await clock.run(Promise.all(sent));
      return clock.monotonicMs() - startedMs;
    };
    const aloneMs = await sendAll([{ limiter: new Limiter(clock, 1) }]);
    await clock.run(clock.sleep(1001));
    expect(await sendAll([start(), start(), start()])).toBeLessThan(aloneMs * 1.05);
    expect(strict.tooMany).toBe(0);
  });

  it('take their share of the rates together', async () => {
    const { clock, strict, start, sendMany } = await aScene();
    const processes = [start({ share: 0.5 }), start({ share: 0.5 })];
    await clock.run(Promise.all(processes.flatMap((one) => sendMany(one, 20, token, list))));
    expect(strict.tooMany).toBe(0);
    // 40 requests at 2.5 a second.
    expect(clock.monotonicMs()).toBeGreaterThan(14_500);
    expect(clock.monotonicMs()).toBeLessThan(16_000);
  });

  it('get places in turn when they want the same', async () => {
    const { clock, start, sendMany } = await aScene();
    const ends: number[] = [];
    const process = async (delayMs: number) => {
      await clock.sleep(delayMs);
      await Promise.all(sendMany(start(), 40, token, list));
      ends.push(clock.monotonicMs());
    };
    await clock.run(Promise.all([process(0), process(0), process(0)]));
    // The first one got five places before the others asked.
    expect((ends.at(-1) ?? 0) - (ends[0] ?? 0)).toBeLessThan(2500);
  });

  it('do not wait for an endpoint that another one fills', async () => {
    const { clock, start, send, sendMany } = await aScene();
    const [plan, other] = [start(), start()];
    const many = sendMany(plan, 100, token, list);
    await clock.run(clock.sleep(2000));
    const begunMs = clock.monotonicMs();
    expect((await clock.run(send(other, token, { key: 'other', perSecond: 15 }))) - begunMs).toBeLessThan(50);
    await clock.run(Promise.all(many));
  });

  it('share nothing with those of another token, except the payouts of an account', async () => {
    const { clock, strict, start, sendMany } = await aScene();
    const payouts: Bucket = { key: 'payouts:7', perSecond: 1, acrossTokens: true };
    const [one, other] = [start(), start({ tokenScope: 'another token' })];
    const lists = Promise.all([...sendMany(one, 5, token, list), ...sendMany(other, 5, token, list)]);
    expect(Math.max(...(await clock.run(lists)))).toBeLessThan(20);
    strict.tooMany = 0;
    const asked = [...sendMany(one, 3, token, payouts), ...sendMany(other, 3, token, payouts)];
    const times = (await clock.run(Promise.all(asked))).toSorted((left, right) => left - right);
    expect(strict.tooMany).toBe(0);
    for (const [index, ms] of times.slice(1).entries())
      expect(ms - (times[index] ?? 0)).toBeGreaterThan(1000);
  });
});

describe('urgency', () => {
  it('gives a stop its first place within 2 s, whatever else waits', async () => {
    const { clock, strict, start, send, sendMany } = await aScene();
    const endpoints = ['a', 'b', 'c', 'd'].map((key): Bucket => ({ key, perSecond: 15 }));
    const plans = Array.from({ length: 8 }, () => start());
    for (const plan of plans)
      for (const bucket of [list, ...endpoints])
        for (const one of sendMany(plan, 200, token, bucket)) void one;
    await clock.run(clock.sleep(5300));
    const begunMs = clock.monotonicMs();
    const stop = start({ urgency: 'stop' });
    const times: number[] = [];
    for (const bucket of [list, list, list]) times.push(await clock.run(send(stop, token, bucket)));
    expect((times[0] ?? Infinity) - begunMs).toBeLessThan(2000);
    expect((times[2] ?? Infinity) - begunMs).toBeLessThan(4000);
    expect(strict.tooMany).toBe(0);
  });

  it('serves an apply before a plan, a plan before an export, and leaves a little for each', async () => {
    const { clock, start, sendMany } = await aScene();
    const ends: string[] = [];
    const run = async (urgency: 'apply' | 'plan' | 'export') => {
      const [first] = await Promise.all(sendMany(start({ urgency }), 60, token, list));
      ends.push(urgency);
      return first ?? Infinity;
    };
    const first = await clock.run(Promise.all([run('export'), run('plan'), run('apply')]));
    expect(ends).toEqual(['apply', 'plan', 'export']);
    expect(Math.max(...first)).toBeLessThan(12_000);
  });

  it('of one process counts for its last message', async () => {
    const { clock, client, start, send } = await aScene();
    await clock.run(send(start({ urgency: 'export' }), token));
    const { rows } = await client.query('SELECT urgency FROM herald.rate_runs');
    expect(rows).toEqual([{ urgency: 3 }]);
  });
});

describe('a process that ends', () => {
  it('by itself leaves nothing behind, and its places are free a second after its answers', async () => {
    const { clock, client, strict, start, send, sendMany } = await aScene();
    const process = start();
    await clock.run(Promise.all(sendMany(process, 5, token, list)));
    await clock.run(process.leave());
    const other = start();
    const startedMs = clock.monotonicMs();
    expect((await clock.run(send(other, token, list))) - startedMs).toBeLessThan(1010);
    expect(strict.tooMany).toBe(0);
    await clock.run(clock.sleep(2000));
    await clock.run(other.leave());
    for (const table of ['rate_runs', 'rate_places', 'rate_waiting'])
      expect((await client.query(`SELECT FROM herald.${table}`)).rowCount).toBe(0);
  });

  it('in the middle of its requests loses its places after 10 s, and not before', async () => {
    const { clock, strict, start, send } = await aScene();
    const dead = start();
    for (let place = 0; place < 5; place += 1) await clock.run(dead.limiter.acquire([token, list]));
    dead.kill();
    const startedMs = clock.monotonicMs();
    const tookMs = (await clock.run(send(start(), token, list))) - startedMs;
    expect(tookMs).toBeGreaterThan(9_900);
    expect(tookMs).toBeLessThan(11_500);
    expect(strict.tooMany).toBe(0);
  });

  it('keeps its places while an answer takes long', async () => {
    const { clock, start, send } = await aScene();
    const slow = start();
    const slot = await clock.run(slow.limiter.acquire([token, create]));
    const waiting = send(start(), token, create);
    await clock.run(clock.sleep(40_000));
    slot.answered();
    const grantedMs = await clock.run(waiting);
    expect(grantedMs).toBeGreaterThan(41_000);
    expect(grantedMs).toBeLessThan(41_100);
  });
});

describe('a message', () => {
  it('is repeated after a lost answer, and its grants are not lost', async () => {
    const { clock, strict, start, sendMany } = await aScene();
    const process = start();
    process.loseAnswer();
    const times = await clock.run(Promise.all(sendMany(process, 5, token, list)));
    expect(Math.max(...times)).toBeLessThan(150);
    expect([strict.tooMany, process.aloneBecause]).toEqual([0, []]);
  });

  it('that arrives after a later one has no effect', async () => {
    const { ask, client } = await aScene();
    const message = {
      run: '00000000-0000-4000-8000-000000000001',
      urgency: 2,
      scopes: ['t'],
      first: 1,
      answered: [],
      unused: [],
      blocked: [],
      queues: [{ buckets: [{ scope: 't', bucket: 'b', places: 2, hold_ms: 1000 }], waiting: 1 }],
      asks: [0],
      leaves: false,
    };
    expect((await ask({ ...message, turn: 2 })).granted).toHaveLength(1);
    expect((await ask({ ...message, turn: 1 })).granted).toEqual([]);
    const { rows } = await client.query('SELECT number FROM herald.rate_places WHERE free_at IS NULL');
    expect(rows).toEqual([{ number: '1' }]);
  });

  it('about a 429 holds up all processes', async () => {
    const { clock, start, send } = await aScene();
    const [one, other] = [start(), start()];
    await clock.run(send(one, token, list));
    one.limiter.penalise(list, 5000);
    const startedMs = clock.monotonicMs();
    const [first, second] = await clock.run(Promise.all([send(one, token, list), send(other, token, list)]));
    expect(first - startedMs).toBeGreaterThanOrEqual(5000);
    expect(second - startedMs).toBeGreaterThan(4900);
    expect(second - startedMs).toBeLessThan(5500);
  });
});

describe('a clock of the database that is set', () => {
  it.each([
    ['back by a day', -86_400_000],
    ['forward by a day', 86_400_000],
  ])('%s holds nothing up', async (_, ms) => {
    const { clock, start, setForward, sendMany } = await aScene();
    const [one, other] = [start(), start()];
    await clock.run(Promise.all(sendMany(one, 5, token, list)));
    setForward(ms);
    const startedMs = clock.monotonicMs();
    const times = await clock.run(
      Promise.all([...sendMany(one, 5, token, list), ...sendMany(other, 5, token, list)]),
    );
    expect(Math.max(...times) - startedMs).toBeLessThan(5000);
  });
});

describe('a user of the database who can only read', () => {
  it('shares the rates, and can change nothing else of them', async () => {
    const { client, ask } = await aScene();
    await client.query(`CREATE ROLE reader; GRANT USAGE ON SCHEMA herald TO reader;
      GRANT SELECT ON ALL TABLES IN SCHEMA herald TO reader; SET ROLE reader`);
    const message = {
      run: '00000000-0000-4000-8000-000000000001',
      turn: 1,
      urgency: 2,
      scopes: ['t'],
      first: 1,
    };
    const asks = {
      queues: [{ buckets: [{ scope: 't', bucket: 'b', places: 1, hold_ms: 0 }], waiting: 1 }],
      asks: [0],
    };
    const answer = await ask({ ...message, answered: [], unused: [], blocked: [], ...asks, leaves: false });
    expect(answer.granted).toHaveLength(1);
    await expect(client.query('DELETE FROM herald.rate_places')).rejects.toThrow('permission denied');
    await client.query('RESET ROLE');
  });
});
