import { getEventListeners } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';

const warnings: string[] = [];
const hear = (warning: Error) => warnings.push(warning.name);
afterEach(() => {
  process.off('warning', hear);
  warnings.length = 0;
});

it('many that sleep on one signal leave no listener when they wake, and Node takes them for no leak', async () => {
  process.on('warning', hear);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 50 }, () => systemClock.sleep(1, signal)));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  // Warnings are told a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
