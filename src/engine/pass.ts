import { isUnread, ServiceError } from '../api/errors.ts';
import { writes, type Change, type OutcomeKind, type Step } from '../domain/change.ts';
import { listFiles, type BeginUploads, type UploadMedia, withMediaIds } from '../domain/media.ts';
import { elapsedMs, momentOf, type Moment } from '../domain/time.ts';
import { groupBy } from '../domain/group-by.ts';
import {
  formatAddress,
  KINDS,
  type Declared,
  type Kind,
  type Observed,
  type ResolvedAccount,
} from '../domain/resource.ts';
import { isStopped, statusOf, stopsSending, type TargetStatus } from '../domain/status.ts';
import { keyByAlias } from '../plan/facts.ts';
import { scanScope } from '../live/scan.ts';
import { haltsRun, isDenied, type Aftermath, type Obstacle, type Reason } from './reasons.ts';
import { lagMs, listServesMs, type Result, type Run } from './run.ts';
import {
  checkNotLeft,
  confirm,
  create,
  recall,
  setStatus,
  stopForPerson,
  targetOfStep,
  type ConfirmedStep,
  type EarlyEnd,
  type StepEnd,
  type Task,
} from './steps.ts';
import type { MediaFile } from '../domain/message.ts';

/** Changes, and what they were decided from. */
export interface Decided {
  /** The order does not matter. */
  readonly changes: readonly Change[];
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  /** The number of the state when the run began: a stop by hand after it forbids every start. */
  readonly since: number;
  /** When the reading of `observed` began. */
  readonly begunAt: Moment;
}

/** What a pass carries out. */
interface PassInput extends Decided {
  readonly uploads: BeginUploads;
  readonly isByHand: boolean;
  readonly isForced?: boolean | undefined;
}

/** The order of changes within an account. Stops come before the starts that rest on them. */
const PHASES = ['copies', 'stops', 'creates', 'starts'] as const;
type Phase = (typeof PHASES)[number];

/** Which phase a change belongs to. Null for one that sends nothing. */
function findPhase(change: Change): Phase | null {
  if (!writes(change)) return null;
  if (change.action === 'retire') return 'copies';
  if (change.steps.some(({ kind }) => kind === 'create')) return 'creates';
  const isStart = change.steps.some(({ kind }) => ['activate', 'resume'].includes(kind));
  return isStart ? 'starts' : 'stops';
}

/**
 * Carries out changes: many accounts at once, and in each of them one mutation at a time. Every change comes to exactly one
 * result, and nothing is thrown for what the service does.
 */
export async function pass(run: Run, input: PassInput): Promise<readonly Result[]> {
  const work = new Pass(run, input);
  await Promise.all(input.accounts.map((account) => work.account(account)));
  return work.results();
}

/** A complete list of an account and kind, and when its reading began. */
interface List {
  readonly byName: ReadonlyMap<string, readonly Observed[]>;
  readonly begunAt: Moment;
}

class Pass {
  readonly #run: Run;
  readonly #input: PassInput;
  readonly #results = new Map<Change, Result>();
  readonly #declared: ReadonlyMap<string, Declared>;
  /** Objects as the plan saw them, by account, kind and id. */
  readonly #planned: ReadonlyMap<string, Observed>;
  readonly #upload: UploadMedia;
  readonly #total: number;
  /** What is carried out now, oldest first. */
  readonly #underWay = new Set<Change>();
  /** Aborted once nothing new is begun any more. */
  readonly #halted = new AbortController();

  constructor(run: Run, input: PassInput) {
    this.#run = run;
    this.#input = input;
    const { declared, observed, changes, uploads } = input;
    this.#declared = new Map(declared.map((one) => [formatAddress(one.address), one]));
    this.#planned = new Map(observed.map((one) => [keyByAlias(one, one.live.id), one]));
    this.#upload = uploadOnce(uploads(AbortSignal.any([run.interrupted, this.#halted.signal])));
    this.#total = changes.filter((change) => findPhase(change) !== null).length;
  }

  results(): readonly Result[] {
    return this.#input.changes.map((change) => this.#results.get(change) ?? this.#describeUntouched(change));
  }

  async account(account: ResolvedAccount): Promise<void> {
    const own = this.#input.changes.filter(({ address }) => address.account === account.alias);
    const lists = new AccountLists(this.#run, account, this.#input);
    for (const phase of PHASES) {
      const changes = own.filter((change) => findPhase(change) === phase);
      if (phase === 'creates') await this.#uploadAll(account, changes);
      // What is about to go out is stopped first.
      const nearest = changes.toSorted((left, right) => this.#readHour(left) - this.#readHour(right));
      await this.#phase(account, phase === 'stops' ? nearest : changes, lists);
    }
  }

  /** One change after another; what was answered is read back while the next one begins. */
  async #phase(account: ResolvedAccount, changes: readonly Change[], lists: AccountLists): Promise<void> {
    const confirmed: Promise<void>[] = [];
    for (const change of changes) {
      if (this.#halted.signal.aborted || this.#run.interrupted.aborted) break;
      this.#underWay.add(change);
      this.#reportProgress();
      await this.#guard(change, async () => {
        const confirm = await this.#one(account, change, lists);
        if (confirm !== null)
          confirmed.push(this.#guard(change, async () => this.#record(change, await confirm())));
      });
      this.#underWay.delete(change);
      this.#reportProgress();
    }
    await Promise.all(confirmed);
  }

  /** Names the change that takes longest. */
  #reportProgress(): void {
    const [change] = this.#underWay;
    if (change !== undefined)
      this.#run.report({ kind: 'applying', done: this.#results.size, total: this.#total, change });
  }

  /** Returns what reads the change back; null if there is nothing to read. */
  async #one(account: ResolvedAccount, change: Change, lists: AccountLists): Promise<Carried['confirm']> {
    const needsList = ['creates', 'starts'].includes(findPhase(change) ?? '');
    const task = this.#task(account, change, lists);
    // Before anything is stopped for it.
    const baseline = needsList ? await task.baseline() : [];
    if ('kind' in baseline) {
      this.#results.set(change, { change, outcome: 'failed', liveId: change.live_id, reasons: [baseline] });
      return null;
    }
    const { result, confirm } = await carryOut(task);
    lists.noteChange(change, result);
    this.#record(change, result);
    return confirm;
  }

  /** A bug in one change must not cost the report of everything else; what it left half done is not known. */
  async #guard(change: Change, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reasons: readonly Reason[] = [{ kind: 'bug', message }];
      this.#results.set(change, { change, outcome: 'unknown', liveId: change.live_id, reasons });
      this.#halted.abort();
      this.#run.report({ kind: 'bug', error });
    }
  }

  #record(change: Change, result: Result): void {
    this.#results.set(change, result);
    // A person's stops go on without a record.
    const isKept = ({ kind }: Reason) => kind === 'not-on-record' && this.#input.isByHand;
    if (result.reasons.some((reason) => haltsRun(reason) && !isKept(reason))) this.#halted.abort();
  }

  #describeUntouched(change: Change): Result {
    const base = { change, liveId: change.live_id };
    if (findPhase(change) !== null) {
      const kind = this.#halted.signal.aborted ? 'halted' : 'interrupted';
      return { ...base, outcome: 'not_attempted', reasons: [{ kind }] };
    }
    const planned: Reason = { kind: 'planned', reasons: change.reasons };
    if (change.action === 'missed') return { ...base, outcome: 'missed', reasons: [planned] };
    if (change.action === 'blocked') return { ...base, outcome: 'not_attempted', reasons: [planned] };
    // A person who asked for this one object hears why nothing is sent.
    return { ...base, outcome: 'unchanged', reasons: this.#input.isByHand ? [planned] : [] };
  }

  #task(account: ResolvedAccount, change: Change, lists: AccountLists): Task {
    const { since, isByHand, isForced = false } = this.#input;
    const isStop = ['copies', 'stops'].includes(findPhase(change) ?? '');
    const run = this.#run;
    const task: Task = {
      run: isStop ? { ...run, client: run.client.urgent() } : run,
      account,
      change,
      declared: this.#declared.get(formatAddress(change.address)) ?? null,
      planned: (id) => this.#planned.get(keyByAlias(change.address, id)),
      afterSeq: since,
      upload: this.#upload,
      baseline: () => lists.findBaseline(task),
      onStatus: (liveId, target) => lists.noteStatus(liveId, target),
      isByHand,
      isForced,
    };
    return task;
  }

  /** Files are in the vault before the list is read by which creates go. */
  async #uploadAll(account: ResolvedAccount, changes: readonly Change[]): Promise<void> {
    const files = changes.flatMap(({ address }) => {
      const declared = this.#declared.get(formatAddress(address));
      return declared === undefined ? [] : listFiles(declared.content);
    });
    await Promise.allSettled(files.map((file) => this.#upload(account, file)));
  }

  #readHour({ address, live_id: id }: Change): number {
    const object = this.#planned.get(keyByAlias(address, id));
    const hour = object?.kind === 'broadcast' ? object.live.scheduled_at : null;
    return hour == null ? Infinity : Date.parse(hour);
  }
}

/** The lists by which the creates and starts of one account go: none is older than 30 seconds. */
class AccountLists {
  readonly #run: Run;
  readonly #account: ResolvedAccount;
  readonly #lists = new Map<Kind, List>();
  /** What this run has stopped, by id, and when by the monotonic clock. */
  readonly #stoppedAtMs = new Map<string, number>();
  /** What it has created, by name. */
  readonly #created = new Map<string, string>();

  constructor(run: Run, account: ResolvedAccount, { observed, begunAt }: Decided) {
    this.#run = run;
    this.#account = account;
    for (const kind of KINDS) {
      const isOwn = (object: Observed) => object.accountId === account.accountId && object.kind === kind;
      this.#lists.set(kind, { begunAt, byName: groupByName(observed.filter(isOwn)) });
    }
  }

  /** The ids of the name of what is created or started, or why that must not be. */
  async findBaseline(task: Task): Promise<readonly string[] | Obstacle> {
    const { name, kind } = task.change.address;
    const list = await this.#readFresh(kind);
    if ('kind' in list) return list;
    const surprise = this.#findSurprise(task, list);
    if (surprise !== null) return surprise;
    const created = this.#created.get(name);
    const listed = (list.byName.get(name) ?? []).map(({ live }) => live.id);
    return [...new Set([...listed, ...(created === undefined ? [] : [created])])];
  }

  async #readFresh(kind: Kind): Promise<List | Obstacle> {
    const known = this.#lists.get(kind);
    if (known !== undefined && elapsedMs(this.#run.clock, known.begunAt) <= listServesMs(this.#run))
      return known;
    const begunAt = momentOf(this.#run.clock);
    try {
      // What it is for has its turn already.
      const observed = await scanScope(this.#run.client.urgent(), { account: this.#account, kind });
      const list = { byName: groupByName(observed), begunAt };
      this.#lists.set(kind, list);
      return list;
    } catch (error) {
      if (!isUnread(error)) throw error;
      const isRefused = error instanceof ServiceError && isDenied(error.problem);
      return { kind: 'unread', message: error.message, isDenied: isRefused };
    }
  }

  /** Objects of the name that the plan did not know, or that run although it knew them stopped; its own are as the plan saw them. */
  #findSurprise({ change, declared, planned }: Task, list: List): Obstacle | null {
    const names = [change.address.name, declared?.renamedFrom ?? null].filter((name) => name !== null);
    const own = new Set([change.live_id, ...change.steps.map((step) => step.live_id)]);
    const ids = names
      .flatMap((name) => list.byName.get(name) ?? [])
      .filter(({ live }) => this.#isSurprise(live, planned(live.id)?.live, list, own.has(live.id)))
      .map(({ live }) => live.id);
    return ids.length === 0 ? null : { kind: 'list-changed', ids };
  }

  #isSurprise(
    live: Observed['live'],
    before: Observed['live'] | undefined,
    { begunAt }: List,
    isOwn: boolean,
  ): boolean {
    const stoppedAtMs = this.#stoppedAtMs.get(live.id);
    // A list may lag behind a stop of this run.
    if (stoppedAtMs !== undefined)
      return !isStopped(live) && begunAt.monotonicMs - stoppedAtMs >= lagMs(this.#run);
    if (before === undefined) return this.#created.get(live.name ?? '') !== live.id;
    return isOwn ? statusOf(before) !== statusOf(live) : isStopped(before) && !isStopped(live);
  }

  noteStatus(liveId: string, target: TargetStatus): void {
    if (stopsSending(target)) this.#stoppedAtMs.set(liveId, this.#run.clock.monotonicMs());
    else this.#stoppedAtMs.delete(liveId);
  }

  noteChange({ address, steps }: Change, { liveId }: Result): void {
    if (liveId !== null && steps.some(({ kind }) => kind === 'create'))
      this.#created.set(address.name, liveId);
  }
}

function groupByName(observed: readonly Observed[]): List['byName'] {
  return groupBy(observed, ({ live }) => live.name ?? '');
}

/** Each file goes to an account once in a pass, however many changes show it and however it ends. */
function uploadOnce(upload: UploadMedia): UploadMedia {
  const begun = new Map<string, ReturnType<UploadMedia>>();
  return (account, file) => {
    const key = `${account.accountId}/${file.digest}`;
    const known = begun.get(key) ?? upload(account, file);
    begun.set(key, known);
    return known;
  };
}

// The steps of one change.

/** What carrying out a change has come to: its end, or all but the read that confirms its last step. */
interface Carried {
  readonly result: Result;
  /** Reads back the last step, while the next change begins. Null if there is nothing to read. */
  readonly confirm: (() => Promise<Result>) | null;
}

/**
 * Carries out the steps of one change in their order. What a later step rests on is read back before it. If the create of a
 * replace is not carried out, the old version is started again.
 */
async function carryOut(planned: Task): Promise<Carried> {
  const progress: Progress = { done: [], createdId: null, notes: [] };
  const ended = (result: Result): Carried => ({ result, confirm: null });
  // Before anything else: nothing is stopped for what cannot be created.
  const task = await fillMedia(planned);
  if ('obstacle' in task) return ended(await endEarly(planned, progress, task));
  const steps = task.change.steps.filter(({ kind }) => kind !== 'read_back' && kind !== 'upload');
  for (const [index, step] of steps.entries()) {
    const end = await runStep(task, step);
    if (end.kind !== 'ok') return ended(await endEarly(task, progress, end, step));
    const answeredMs = task.run.clock.monotonicMs();
    progress.done.push(step);
    progress.notes.push(...end.notes);
    if (step.kind === 'create') {
      progress.createdId = end.liveId;
      const stopped = await stopForPerson(task, end.liveId);
      if (stopped !== null) return ended(await endEarly(task, progress, stopped, step));
    }
    const read = end.notes.some(isLeftOut) ? null : confirmedStep(step.kind);
    if (read === null) continue;
    /** Null if it shows; otherwise the end of the change. */
    const readBack = async () => {
      const shown = await confirm(task, read, end.liveId, answeredMs);
      if (shown.kind !== 'ok') return endEarly(task, progress, shown, step);
      progress.notes.push(...shown.notes);
      return null;
    };
    const next = steps[index + 1];
    if (next === undefined)
      return {
        result: succeed(task, progress),
        confirm: async () => (await readBack()) ?? succeed(task, progress),
      };
    // The proof that a paused broadcast never left reads it as well.
    if (next.kind === 'check_not_left') continue;
    const unshown = await readBack();
    if (unshown !== null) return ended(unshown);
  }
  return ended(succeed(task, progress));
}

/** With the media ids of the files of what is created, or why one of them is not in the vault. */
async function fillMedia(task: Task): Promise<Task | EarlyEnd> {
  const { account, change, declared } = task;
  if (declared === null || !change.steps.some(({ kind }) => kind === 'create')) return task;
  const ids = new Map<string, string>();
  for (const file of listFiles(declared.content)) {
    const uploaded = await task.upload(account, file);
    if (uploaded.kind === 'stopped') return { kind: 'failed', obstacle: { kind: 'interrupted' } };
    if (uploaded.kind !== 'uploaded') {
      const { kind, message } = uploaded;
      const isDenied = kind === 'failed' && uploaded.denied;
      return { kind, obstacle: { kind: 'no-media', path: file.path, message, isDenied } };
    }
    ids.set(file.digest, uploaded.mediaId);
  }
  const idOf = ({ digest }: MediaFile) => ids.get(digest) ?? null;
  const filled: Declared =
    declared.kind === 'campaign'
      ? { ...declared, content: withMediaIds(declared.content, idOf) }
      : { ...declared, content: withMediaIds(declared.content, idOf) };
  return { ...task, declared: filled };
}

interface Progress {
  readonly done: Step[];
  createdId: string | null;
  readonly notes: Reason[];
}

function runStep(task: Task, step: Step): Promise<StepEnd> {
  const target = targetOfStep(step.kind);
  if (target !== null) return setStatus(task, step.live_id ?? '', target);
  switch (step.kind) {
    case 'create':
      return create(task);
    case 'recall':
      return recall(task, step.live_id);
    case 'check_not_left':
      return checkNotLeft(task, step.live_id);
    default:
      throw new Error(`a plan of today has no step ${step.kind}`);
  }
}

function confirmedStep(kind: Step['kind']): ConfirmedStep | null {
  return kind === 'create' || kind === 'recall' || targetOfStep(kind) !== null
    ? (kind as ConfirmedStep)
    : null;
}

/** Nothing is `applied` where nothing was sent. */
function succeed({ change }: Task, { createdId, done, notes }: Progress): Result {
  const outcome = notes.filter(isLeftOut).length === done.length ? 'unchanged' : 'applied';
  return { change, outcome, liveId: createdId ?? change.live_id, reasons: [...notes] };
}

function isLeftOut({ kind }: Reason): boolean {
  return kind === 'stopped-since';
}

/** `step` has ended the change. Left out: none was begun. */
async function endEarly(task: Task, progress: Progress, end: EarlyEnd, step?: Step): Promise<Result> {
  const { change } = task;
  const { createdId, done } = progress;
  const aftermath =
    createdId === null
      ? await describeOld(task, progress, end)
      : step === undefined || step.kind === 'create'
        ? []
        : [{ kind: 'new-is-live', id: createdId, oldId: findRunning(step, done, end) } as const];
  // The start of the old version got no answer, so it may or may not run.
  const isOldUnsure = aftermath.some(
    (note) => note.kind === 'old-stays-paused' && note.because?.kind === 'no-answer',
  );
  const isUntouched = end.obstacle.kind === 'interrupted' && done.length === 0;
  const failed: OutcomeKind = isUntouched ? 'not_attempted' : 'failed';
  const outcome = end.kind === 'unknown' || isOldUnsure ? 'unknown' : failed;
  const reasons = [...progress.notes, end.obstacle, ...aftermath];
  return { change, outcome, liveId: createdId ?? change.live_id, reasons };
}

/** The old version that a step was to stop, unless it was paused before, or a person was faster. */
function findRunning(step: Step, done: readonly Step[], { obstacle }: EarlyEnd): string | null {
  if (step.kind !== 'pause' && step.kind !== 'archive') return null;
  if (obstacle.kind === 'differs' && isStopped({ status: obstacle.is })) return null;
  const { live_id: id } = step;
  return done.some((one) => one.kind === 'pause' && one.live_id === id) ? null : id;
}

/** The old versions of a replace that created nothing: started again, or paused while the create may still take effect. */
async function describeOld(task: Task, { done }: Progress, end: EarlyEnd): Promise<readonly Aftermath[]> {
  if (task.change.action !== 'replace') return [];
  const notes: Aftermath[] = [];
  for (const { kind, live_id: id } of done)
    if (kind === 'pause' && id !== null) notes.push(await startAgain(task, id, end));
  return notes;
}

async function startAgain(task: Task, id: string, end: EarlyEnd): Promise<Aftermath> {
  const stays = (because: Obstacle | null): Aftermath => ({ kind: 'old-stays-paused', id, because });
  if (end.kind === 'unknown') return stays(null);
  // Something else of the name appeared, the broadcast has left, or a person has started it: fans could get both.
  if (['list-changed', 'left', 'not-shown', 'stopped-since'].includes(end.obstacle.kind)) return stays(null);
  const planned: Task['planned'] = (liveId) => {
    const object = task.planned(liveId);
    if (object === undefined || liveId !== id) return object;
    return { ...object, live: { ...object.live, status: 'paused' } };
  };
  const target = task.change.address.kind === 'campaign' ? 'active' : 'queued';
  const started = await setStatus({ ...task, planned }, id, target);
  if (started.kind === 'ok') return { kind: 'old-runs-again', id };
  return stays(started.obstacle.kind === end.obstacle.kind ? null : started.obstacle);
}
