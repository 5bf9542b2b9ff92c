import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Keeps the heap small from here on, for results that stream and may have no end, at the price of some
 * processor time. By itself V8 clears away what is no longer used only when the heap has grown to several times
 * of what lives in it: 120 MB where 20 live. The settings are ones that it reads again for each decision; the
 * first of these is made here.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=1');
  // To clear away 1 MB, several threads cost more than they save.
  setFlagsFromString('--no-parallel-scavenge');
  // The collector is shown only to contexts that are made after this flag is set.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  if (typeof collect === 'function') collect();
}
