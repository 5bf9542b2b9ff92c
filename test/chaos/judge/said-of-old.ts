import { isRunning } from '../declare.ts';
import type { Live } from '../live.ts';

/** What a replace that could not end says about the version before: whether that one still runs. */
export function wrongOfOld(message: string, live: readonly Live[]): string | null {
  const [, together] = /is live together with (\d+)/.exec(message) ?? [];
  const [, paused] = /The old version (\d+) was paused before that/.exec(message) ?? [];
  const old = live.find(({ id }) => id === (together ?? paused));
  if (old === undefined || isRunning(old.status) === (together !== undefined)) return null;
  return `it says "${message}", and ${old.id} is ${old.status ?? 'null'}`;
}
