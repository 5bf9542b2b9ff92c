import { HeraldError } from '../domain/herald-error.ts';
import type { Change } from '../domain/change.ts';
import type { BeginUploads } from '../domain/uploads.ts';
import { look, type Look, type LookOptions, type Subject } from './look.ts';
import { decidedBy, pass } from './pass.ts';
import type { Result, Run } from './run.ts';

/** One apply: what it is about, and how people agree to it. */
export interface ApplyOptions extends LookOptions {
  readonly uploads: BeginUploads;
  /** A person asked for these changes by hand. */
  readonly isByHand: boolean;
  /** With that, also what would go out at once. */
  readonly isForced?: boolean;
  /** Nothing is asked. Then declared stops leave while the run waits for requests without an answer. */
  readonly isAgreed: boolean;
  /** Throws if the plan must not be carried out; shows it; asks. `waited` means that a person took time to answer. */
  readonly agree: (seen: Look) => Promise<'at-once' | 'waited'>;
  /** Throws if what is live by now is not what was agreed to. */
  readonly refuseChanged: (agreed: Look, now: Look) => void;
}

/** One apply that is under way. */
export interface Work {
  readonly run: Run;
  readonly subject: Subject;
  readonly options: ApplyOptions;
  /** The number of the state when it began. */
  readonly since: number;
}

export function lookNow({ run, subject, options }: Work): Promise<Look> {
  return look(run, subject, options);
}

export function carryOutChanges(
  { run, options, since }: Work,
  seen: Look,
  changes: readonly Change[],
): Promise<readonly Result[]> {
  const { uploads, isByHand, isForced } = options;
  return pass(run, { decided: decidedBy(seen, since), changes, uploads, isByHand, isForced });
}

/** What was sent is always reported: what cannot be read after that ends the reading, and not the run. Null then. */
export async function unlessUnread<Found>(
  { run }: Work,
  read: () => Promise<Found | null>,
): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    run.report({ kind: 'unverified', error });
    return null;
  }
}
