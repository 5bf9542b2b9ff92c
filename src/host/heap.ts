import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Keeps the heap small from here on, for results that stream and may have no end, at the price of some
 * processor time. By itself V8 clears away what is no longer used only when the heap has grown to several times
 * of what lives in it: 120 MB where 20 live. The settings are ones that it reads again for each decision; the
 * first of these is made here.
 */
export function keepHeapSmall(): void {
  limitGrowth(50, 1);
}

/** The same with 45 MB more and less processor time, for a long reading that comes to an end. */
export function keepHeapModerate(): void {
  limitGrowth(200, 2);
}

/** By so much of what lives in it, and of the space for what is new at each of its steps. */
function limitGrowth(percent: number, factor: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  // To clear away 1 MB, several threads cost more than they save.
  setFlagsFromString('--no-parallel-scavenge');
  // The collector is shown only to contexts that are made after this flag is set.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  if (typeof collect === 'function') collect();
}
