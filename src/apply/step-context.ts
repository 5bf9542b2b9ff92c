import type { Client } from '../api/client.ts';
import type { Change } from '../domain/change.ts';
import type { Moment } from '../domain/elapsed.ts';
import type { LiveId } from '../domain/ids.ts';
import type { KnownContent, PausePurpose, Rewrite } from '../domain/knowledge.ts';
import type { Clock } from '../domain/ports.ts';
import type { Declared, Observed, ResolvedAccount } from '../domain/resource.ts';
import { isDeclaredToSend } from '../domain/status.ts';
import type { FreshList } from './fresh-list.ts';
import type { CallQueue } from '../requests/call-queue.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RepeatBound } from './repeat-bound.ts';
import type { UploadMedia } from '../domain/uploads.ts';

/** How many requests without an answer are waited for, and for how many milliseconds at most. */
export type OnWait = (requests: number, leftMs: number) => void;

/** Everything the steps of one change share. */
export interface StepContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly queue: CallQueue;
  /** Aborted by the first interrupt. */
  readonly stop: AbortSignal;
  /** How long an unconfirmed create may still succeed. */
  readonly settleMs: number;
  readonly onWait: OnWait;
  /** How long the command repeats a status change, over all of its rounds. */
  readonly repeats: RepeatBound;
  readonly upload: UploadMedia;
  readonly rewritesIn: RewritesIn;
  readonly deniedNow: DeniedNow;
  readonly account: ResolvedAccount;
  readonly change: Change;
  /** Null where nothing declares it: for a change by hand, and for what is retired because no file has it. */
  readonly declared: Declared | null;
  readonly byHand: ByHand | null;
  /** The live object as the plan saw it. */
  readonly planned: (liveId: LiveId) => Observed | undefined;
  /** Why it is not started by such a list: what was stopped for it runs again. Null if nothing speaks against it. */
  readonly sendsAgain: (list: FreshList) => string | null;
  /** True if the ledger knows the object as ours. */
  readonly isOurs: (liveId: LiveId) => boolean;
  /** A complete scan taken just before this account's creates, and again when a create had to wait. */
  list: FreshList;
  /** A call of this change has waited or was repeated for so long since then that the list does not serve any more. */
  listIsOld: boolean;
  /** Something else was live than the plan had seen when the list was read again, so that nothing was created. */
  moved: boolean;
  /** Takes what is read back at the end of its phase; null where it is read back at once. */
  readonly readBacks: { readonly add: (context: StepContext, id: string) => void } | null;
  /** What this change has set objects to, by their ids. */
  readonly ownStatuses: Map<string, string>;
  /** The object that this change created, once it has. */
  createdId: LiveId | null;
  /** Something of this change has been carried out. */
  begun: boolean;
}

/** Why the policy denies something that leaves now, by the service's time; null if it does not. */
export type DeniedNow = (declared: Declared, nowMs: number) => string | null;

/** In which fields an object, as it was made from what is declared, shows other values than those that were sent. */
export type RewritesIn = (declared: Declared, made: Observed, sent: KnownContent) => readonly Rewrite[];

/** What a person who asked for one change by hand agreed to. */
export interface ByHand {
  /** That a resumed broadcast goes out at once: its hour has passed or it had begun. */
  readonly atOnce: boolean;
  /** That a stop waits for nothing: what may still arrive is waited for after it. */
  readonly stopNow?: true;
  /** When the list was asked for on which a person agreed to a start. */
  readonly askedAt?: Moment;
}

/**
 * The service's time, which decides whether a schedule is past. Where its answers do not agree on it, the latest that
 * it can be: a schedule in the past goes out at once.
 */
export function serviceNowMs({ client, clock }: Pick<StepContext, 'client' | 'clock'>): number {
  return clock.now() + (client.skewRange()?.latestMs ?? 0);
}

/** How much earlier than `serviceNowMs` it may be, in milliseconds. 0 if the clocks agree. */
export function clocksApartMs({ client }: Pick<StepContext, 'client'>): number {
  const range = client.skewRange();
  return range === null ? 0 : range.latestMs - range.earliestMs;
}

/**
 * | action          | why it pauses or archives                      | purpose    |
 * | replace         | the new version comes next, or is there        | replace    |
 * | retire          | a duplicate                                    | duplicate  |
 * | pause, archive  | declared so, or no longer declared             | declared   |
 * | pause, archive  | a version other than the declared one          | superseded |
 * | recall          | what still waits is stopped first              | declared   |
 * | any             | a person asked for it                          | by_hand    |
 */
export function stopPurpose({ change, declared, byHand }: StepContext): PausePurpose {
  if (byHand !== null) return 'by_hand';
  if (change.action === 'replace') return 'replace';
  if (change.action === 'retire') return 'duplicate';
  return declared !== null && isDeclaredToSend(declared) ? 'superseded' : 'declared';
}
