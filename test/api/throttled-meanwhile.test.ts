import { expect, it } from 'vitest';
import { Limiter } from '../../src/api/limiter.ts';
import { endpointBucket } from '../../src/api/exchange.ts';
import { aScene, CALLS } from './client-scene.ts';
import { jumpingClock } from './jumping-clock.ts';

it('a request that is being checked when its endpoint answers 429 to another one is checked again later', async () => {
  const { operation, input, good } = CALLS.unsend;
  const clock = jumpingClock();
  const rates = new Limiter(clock, 1);
  const { client, sent } = aScene(good, { clock, rates });
  const checkedMs: number[] = [];
  const { kind } = await client.call(operation, input, () => {
    checkedMs.push(clock.monotonicMs());
    if (checkedMs.length === 1) rates.penalise(endpointBucket(operation, 5), 20_000);
    return null;
  });
  expect([kind, checkedMs, sent.length]).toEqual(['done', [0, 20_000], 1]);
});
