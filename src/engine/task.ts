import type { Change, ChangeKind, Step } from '../domain/change.ts';
import type { UploadMedia } from '../domain/media.ts';
import type { Declared, Kind, ResolvedAccount } from '../domain/resource.ts';
import type { TargetStatus } from '../domain/status.ts';
import { change, step } from '../plan/decide/decision.ts';
import type { StartCheck } from '../state/shapes.ts';
import type { AccountLists } from './lists.ts';
import type { Run } from './run.ts';

/** One change that is carried out, and what it was decided from. */
export interface Task {
  readonly run: Run;
  readonly account: ResolvedAccount;
  readonly change: Change;
  /** Null where nothing declares it: for a change by hand, and for what is stopped because no file has it. */
  readonly declared: Declared | null;
  /** A stop by hand since the run began forbids a start. */
  readonly check: StartCheck;
  readonly upload: UploadMedia;
  readonly lists: AccountLists;
  readonly mode: Mode;
}

/**
 * Who asks for a change. By hand, nothing is adopted, and a stop is sent from every status. `forced`: a person wants it started
 * although its hour is near or has passed.
 */
export type Mode = 'declared' | 'by-hand' | 'forced';

export function isByHand({ mode }: { readonly mode: Mode }): boolean {
  return mode !== 'declared';
}

/** What each step asks of the service; `queued` is how a broadcast is resumed. */
const TARGETS: Readonly<Partial<Record<Step['kind'] | ChangeKind, TargetStatus>>> = {
  pause: 'paused',
  archive: 'archived',
  activate: 'active',
  resume: 'queued',
};

/** The status that a step or a change asks for; null for those that ask for none. */
export function targetOfStep(kind: Step['kind'] | ChangeKind): TargetStatus | null {
  return TARGETS[kind] ?? null;
}

/** What is stopped on one account, by a person or because of a newer stop. */
export interface Stop {
  readonly account: ResolvedAccount;
  readonly kind: Kind;
  readonly action: 'pause' | 'archive' | 'recall';
}

/** The stop of one object; null for one that is not there. */
export function describeStop({ account, kind, action }: Stop, name: string, liveId: string | null): Change {
  const id = liveId === null ? null : { id: liveId };
  const steps = id === null ? [] : [step(action, id)];
  return change({ address: { account: account.alias, kind, name } }, action, { version: id, steps });
}
