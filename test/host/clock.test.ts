import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';

const warnings: string[] = [];
const hear = (warning: Error) => warnings.push(warning.name);
afterEach(() => {
  process.off('warning', hear);
  warnings.length = 0;
});

describe('many that sleep on one signal', () => {
  it('leave no listener when they wake, and Node takes them for no leak', async () => {
    process.on('warning', hear);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 50 }, () => systemClock.sleep(1, signal)));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    // Warnings are told a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it('wake at once with its reason when it is aborted', async () => {
    const controller = new AbortController();
    const sleeping = Array.from({ length: 50 }, () => systemClock.sleep(60_000, controller.signal));
    const ends = Promise.allSettled(sleeping);
    controller.abort(new Error('interrupted'));
    expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);
  });
});
