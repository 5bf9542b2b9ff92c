import { describe, expect, it } from 'vitest';
import { momentOf } from '../../src/domain/elapsed.ts';
import { FRESH_MS } from '../../src/ledger/ledger-errors.ts';
import { FreshReading, READING_SERVES_MS } from '../../src/requests/fresh-reading.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { NOON } from '../helpers/scene.ts';

/** Each reading is the number of readings so far, and takes so long. */
async function aReading({ takesMs = 0, failsAt = Infinity } = {}) {
  const clock = flowClock(NOON);
  let count = 0;
  const read = async () => {
    count += 1;
    clock.move(takesMs);
    if (count >= failsAt) throw new Error('it cannot be read');
    return count;
  };
  const askedAt = momentOf(clock);
  const asTyped = () => FreshReading.asTyped(clock, read);
  return { clock, asTyped, reading: new FreshReading(clock, { askedAt, value: await read() }, read) };
}

describe('what a request goes by', () => {
  it('serves for half a minute', async () => {
    const { clock, reading } = await aReading();
    expect(reading.forRecord()).toBe(1);
    clock.move(READING_SERVES_MS);
    expect(reading.isTooOld()).toBe(false);
    clock.move(1);
    expect(reading.isTooOld()).toBe(true);
  });

  it('is read again before a request that leaves long after, unless it was read a moment ago', async () => {
    const { clock, reading } = await aReading();
    reading.forRecord();
    clock.move(FRESH_MS);
    expect(reading.refresh()).toBeNull();
    clock.move(1);
    expect(await reading.refresh()?.first()).toBeNull();
    expect(reading.value).toBe(2);
  });

  it('that was read again has to go on record', async () => {
    const { clock, reading } = await aReading();
    reading.forRecord();
    clock.move(READING_SERVES_MS + 1);
    await reading.refresh()?.first();
    expect([reading.wasReadAgain(), reading.refresh()]).toEqual([true, null]);
    expect(reading.forRecord()).toBe(2);
    expect(reading.wasReadAgain()).toBe(false);
  });

  it('counts from when it was asked for, and is read three more times at most', async () => {
    const { reading } = await aReading({ takesMs: 60_001 });
    reading.forRecord();
    expect(reading.isTooOld()).toBe(true);
    for (let time = 1; time <= 3; time += 1) expect(await reading.refresh()?.first()).toBeNull();
    expect(await reading.refresh()?.first()).toContain('was read 4 times');
    expect(reading.failure()?.message).toContain('more than 60 s old');
  });

  it('serves however old it is, after that, for a call that is sent as it was typed', async () => {
    const { asTyped } = await aReading({ takesMs: 60_001 });
    const reading = await asTyped();
    for (let time = 1; time <= 3; time += 1) await reading.refresh()?.first();
    expect([reading.refresh(), reading.failure()]).toEqual([null, null]);
  });

  it('says why nothing must be sent where it cannot be read again', async () => {
    const { clock, reading } = await aReading({ failsAt: 2 });
    expect(reading.failure()).toBeNull();
    clock.move(FRESH_MS + 1);
    expect(await reading.refresh()?.first()).toBe('it cannot be read');
    expect(reading.failure()?.message).toBe('it cannot be read');
  });
});
