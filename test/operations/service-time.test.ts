import { describe, expect, it } from 'vitest';
import { leastAgeMs } from '../../src/operations/service-time.ts';

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;

describe('the age of a request on record', () => {
  it.each([
    { clocks: 'the same', skewMs: 0, serviceMs: NOW, machineMs: NOW, ageMs: 10_000 },
    {
      clocks: 'a day apart when it was sent',
      skewMs: -DAY_MS,
      serviceMs: NOW,
      machineMs: NOW,
      ageMs: 10_000,
    },
    {
      clocks: 'a day apart at each time',
      skewMs: -DAY_MS,
      serviceMs: NOW - DAY_MS,
      machineMs: NOW,
      ageMs: 10_000,
    },
    {
      clocks: 'apart since the machine was set',
      skewMs: 0,
      serviceMs: NOW,
      machineMs: NOW + DAY_MS,
      ageMs: 10_000,
    },
    {
      clocks: 'not known when it was sent',
      skewMs: null,
      serviceMs: NOW,
      machineMs: NOW,
      ageMs: 10_000 - DAY_MS,
    },
    {
      clocks: 'those of a simulator',
      skewMs: 0,
      serviceMs: NOW + DAY_MS,
      machineMs: null,
      ageMs: 10_000 + DAY_MS,
    },
  ])('is never more than either of two clocks says: $clocks', ({ skewMs, serviceMs, machineMs, ageMs }) => {
    expect(leastAgeMs({ sentAtMs: NOW - 10_000, skewMs }, { serviceMs, machineMs })).toBe(ageMs);
  });
});
