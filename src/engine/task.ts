import type { Change } from '../domain/change.ts';
import type { Declared, Observed, ResolvedAccount } from '../domain/resource.ts';
import type { UploadMedia } from '../domain/uploads.ts';
import type { NewRequest, ObjectKey, ObjectRow, StartCheck } from '../state/shapes.ts';
import type { Run } from './run.ts';

/** One change that is carried out, and what it was decided from. */
export interface Task {
  readonly run: Run;
  readonly account: ResolvedAccount;
  readonly change: Change;
  /** Null where nothing declares it: for a change by hand, and for what is stopped because no file has it. */
  readonly declared: Declared | null;
  /** A live object as the plan saw it. */
  readonly planned: (liveId: string) => Observed | undefined;
  /** The number of the state when the run began: a stop by hand after it forbids a start. */
  readonly afterSeq: number;
  readonly upload: UploadMedia;
  /** Set for a change by hand: it adopts nothing, and a stop is sent from every status. */
  readonly isByHand: boolean;
  /** A person wants it sent although its hour is near or has passed. */
  readonly isForced: boolean;
}

/** Why Herald stops something, as the state keeps it. */
type Purpose = 'declared' | 'replace' | 'duplicate' | 'prune' | 'by_hand';

export function purposeOfTask({ change, declared, isByHand }: Task): Purpose {
  if (isByHand) return 'by_hand';
  if (change.action === 'replace') return 'replace';
  if (change.action === 'retire') return 'duplicate';
  return declared === null ? 'prune' : 'declared';
}

/** What every request of a change has in common. */
export function describeRequest(
  task: Task,
  about: Pick<NewRequest, 'operation' | 'live_id' | 'target' | 'content' | 'asked'>,
): NewRequest {
  const { run, account, change } = task;
  const { kind, name } = change.address;
  const who = { command: run.command, account: account.alias, account_id: account.accountId };
  return { ...about, ...who, kind, name, purpose: purposeOfTask(task) };
}

/** What the transaction that records a start looks for. */
export function checkStart({ afterSeq, declared }: Task): StartCheck {
  return { after_seq: afterSeq, other_name: declared?.renamedFrom ?? null };
}

/** The object of a task in the state. What an apply changes is ours by then; what a person changes by hand is not. */
export function objectNews(
  { account, change, declared, isByHand }: Task,
  liveId: string,
): ObjectKey & Pick<ObjectRow, 'name'> & Partial<Pick<ObjectRow, 'ours' | 'protect'>> {
  const { kind, name } = change.address;
  const object = { account_id: account.accountId, kind, live_id: liveId, name };
  if (isByHand) return object;
  return { ...object, ours: 1, ...(declared === null ? {} : { protect: declared.protect ? 1 : 0 }) };
}
