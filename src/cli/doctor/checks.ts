import { failureOf } from '../failure-of.ts';
import type { DoctorReport } from '../schemas.ts';

/** One line of `herald doctor`. */
export type Check = Readonly<DoctorReport['checks'][number]>;

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message, hint: null };
}

/** A problem that leaves some commands working. */
export function warn(name: string, message: string, hint: string): Check {
  return { name, status: 'warn', message, hint };
}

export function fail(name: string, message: string, hint: string | null): Check {
  return { name, status: 'fail', message, hint };
}

/** A check that was not made, with the reason. */
export function skip(name: string, message: string, hint: string | null = null): Check {
  return { name, status: 'skip', message, hint };
}

/** Runs a check. If it throws, returns a failed check, so that the others still run. */
export async function guarded(
  name: string,
  look: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== null) return [fail(name, failure.message, failure.hint)];
    return [fail(name, `cannot be checked: ${error instanceof Error ? error.message : String(error)}`, null)];
  }
}

/** `one`, `one and two`, `one, two and 3 more`. */
export function someOf(words: readonly string[], most: number): string {
  if (words.length <= 1) return words[0] ?? '';
  if (words.length <= most) return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
  return `${words.slice(0, most).join(', ')} and ${words.length - most} more`;
}
