import type { Change, ChangeKind, Step } from '../domain/change.ts';
import type { UploadMedia } from '../domain/media.ts';
import type { Declared, Kind, ResolvedAccount } from '../domain/resource.ts';
import { isDeclaredToSend, isRecalled, type TargetStatus } from '../domain/status.ts';
import { change, starts, step } from '../plan/decide/decision.ts';
import type { NewRequest, ObjectNews, StartCheck } from '../state/shapes.ts';
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
const TARGETS = {
  pause: 'paused',
  archive: 'archived',
  activate: 'active',
  resume: 'queued',
} as const satisfies Partial<Record<Step['kind'], TargetStatus>>;
type StatusStep = keyof typeof TARGETS;

/** The status that a step or a change asks for; null for those that ask for none. */
export function targetOfStep(kind: Step['kind'] | ChangeKind): TargetStatus | null {
  return kind in TARGETS ? TARGETS[kind as StatusStep] : null;
}

/** Why Herald stops something, as the state keeps it. */
type Purpose = 'declared' | 'replace' | 'duplicate' | 'prune' | 'by_hand';

export function choosePurpose(task: Task): Purpose {
  const { change, declared } = task;
  if (isByHand(task)) return 'by_hand';
  if (change.action === 'replace') return 'replace';
  // Of what is declared to run, only other versions are stopped.
  const isOther = declared !== null && isDeclaredToSend(declared) && !starts(change);
  if (change.action === 'retire' || isOther) return 'duplicate';
  return declared === null ? 'prune' : 'declared';
}

export function describeRequest(
  task: Task,
  about: Pick<NewRequest, 'operation' | 'live_id' | 'target' | 'content' | 'asked'>,
): NewRequest {
  const { run, account, change } = task;
  const { kind, name } = change.address;
  const who = { command: run.command, account: account.alias, account_id: account.accountId };
  return { ...about, ...who, kind, name, purpose: choosePurpose(task) };
}

/** A stop that comes before a create belongs to it: what a person has stopped since the plan stays theirs. */
export function precedesCreate(task: Task, liveId: string, target: TargetStatus): boolean {
  const { steps } = task.change;
  // A stop that a person asked for belongs to no create.
  if (isByHand(task)) return false;
  const own = steps.findIndex(({ kind, live_id: id }) => id === liveId && targetOfStep(kind) === target);
  return own !== -1 && steps.slice(own).some(({ kind }) => kind === 'create');
}

/**
 * The object of a task in the state. What an apply changes is ours by then; what a person changes by hand is not. What was
 * recalled stays so, whatever status it gets.
 */
export function objectNews(task: Task, liveId: string): ObjectNews {
  const { account, change, declared, lists } = task;
  const { kind, name } = change.address;
  const before = lists.planned(kind, liveId);
  const recalled = before !== undefined && isRecalled(before.live) ? ({ recalled: 1 } as const) : {};
  const object = { account_id: account.accountId, kind, live_id: liveId, name, ...recalled };
  if (isByHand(task)) return object;
  return { ...object, ours: 1, ...(declared === null ? {} : { protect: declared.protect ? 1 : 0 }) };
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
