import { writes, type Change, type OutcomeKind, type Step } from '../domain/change.ts';
import { listFiles, type BeginUploads, type UploadMedia, withMediaIds } from '../domain/media.ts';
import type { MediaFile } from '../domain/content.ts';
import { formatAddress, type Declared, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import type { Moment } from '../domain/time.ts';
import { creates, starts } from '../plan/decide/decision.ts';
import { AccountLists } from './lists.ts';
import { haltsRun, type Aftermath, type Obstacle, type Reason } from './reasons.ts';
import type { Result, Run } from './run.ts';
import { Steps, type EarlyEnd, type StepEnd } from './steps.ts';
import { isByHand, targetOfStep, type Mode, type Task } from './task.ts';

export interface Decided {
  /** The order does not matter. */
  readonly changes: readonly Change[];
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  /** The number of the state when the run began: a stop by hand after it forbids every start. */
  readonly since: number;
  readonly begunAt: Moment;
}

interface PassInput extends Decided {
  readonly uploads: BeginUploads;
  readonly mode: Mode;
}

/** The order of changes within an account. Stops come before the starts that rest on them. */
const PHASES = ['copies', 'stops', 'creates', 'starts'] as const;
type Phase = (typeof PHASES)[number];

/** Which phase a change belongs to. Null for one that sends nothing. */
function findPhase(change: Change): Phase | null {
  if (!writes(change)) return null;
  if (change.action === 'retire') return 'copies';
  if (creates(change)) return 'creates';
  return starts(change) ? 'starts' : 'stops';
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

class Pass {
  readonly #run: Run;
  readonly #input: PassInput;
  readonly #results = new Map<Change, Result>();
  readonly #declared: ReadonlyMap<string, Declared>;
  readonly #upload: UploadMedia;
  readonly #total: number;
  /** What is carried out now, oldest first. */
  readonly #underWay = new Set<Change>();
  /** Aborted once nothing new is begun any more. */
  readonly #halted = new AbortController();

  constructor(run: Run, input: PassInput) {
    this.#run = run;
    this.#input = input;
    const { declared, changes, uploads } = input;
    this.#declared = new Map(declared.map((one) => [formatAddress(one.address), one]));
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
      const hourOf = ({ address, live_id: id }: Change) => {
        const object = lists.planned(address.kind, id);
        return (object?.kind === 'broadcast' && Date.parse(object.live.scheduled_at ?? '')) || Infinity;
      };
      const nearest = changes.toSorted((left, right) => hourOf(left) - hourOf(right));
      await this.#phase(account, phase === 'stops' ? nearest : changes, lists);
    }
  }

  /**
   * One change after another; what was answered is read back while the next one begins. What a person stops goes side by side:
   * one that hangs does not hold up the others.
   */
  async #phase(account: ResolvedAccount, changes: readonly Change[], lists: AccountLists): Promise<void> {
    const begun: Promise<void>[] = [];
    for (const change of changes) {
      if (this.#halted.signal.aborted || this.#run.interrupted.aborted) break;
      const task = this.#task(account, change, lists);
      const turn = new Promise<void>((resolve) => begun.push(this.#carryOut(task, resolve)));
      if (!isByHand(task)) await turn;
    }
    await Promise.all(begun);
  }

  /** `answered` is called once nothing more of this change is sent. */
  async #carryOut(task: Task, answered: () => void): Promise<void> {
    const { change } = task;
    const endTurn = () => {
      this.#underWay.delete(change);
      answered();
    };
    this.#underWay.add(change);
    this.#reportProgress();
    try {
      this.#record(await carryOut(task, endTurn));
    } catch (error) {
      // A bug in one change must not cost the report of everything else; what it left half done is not known.
      const message = error instanceof Error ? error.message : String(error);
      this.#record({
        change,
        outcome: 'unknown',
        liveId: change.live_id,
        reasons: [{ kind: 'bug', message }],
      });
      this.#run.report({ kind: 'bug', error });
    }
    endTurn();
    this.#reportProgress();
  }

  /** Names the change that takes longest. */
  #reportProgress(): void {
    const [change] = this.#underWay;
    if (change !== undefined)
      this.#run.report({ kind: 'applying', done: this.#results.size, total: this.#total, change });
  }

  #record(result: Result): void {
    this.#results.set(result.change, result);
    // A person's stops go on without a record.
    const isKept = ({ kind }: Reason) => kind === 'not-on-record' && isByHand(this.#input);
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
    return { ...base, outcome: 'unchanged', reasons: isByHand(this.#input) ? [planned] : [] };
  }

  #task(account: ResolvedAccount, change: Change, lists: AccountLists): Task {
    const run = this.#run;
    const declared = this.#declared.get(formatAddress(change.address)) ?? null;
    return {
      run: starts(change) ? run : { ...run, client: run.client.urgent() },
      account,
      change,
      declared,
      check: { after_seq: this.#input.since, other_name: declared?.renamedFrom ?? null },
      upload: this.#upload,
      lists,
      mode: this.#input.mode,
    };
  }

  /** Files are in the vault before the list is read by which creates go. */
  async #uploadAll(account: ResolvedAccount, changes: readonly Change[]): Promise<void> {
    const files = changes.flatMap(({ address }) => {
      const declared = this.#declared.get(formatAddress(address));
      return declared === undefined ? [] : listFiles(declared.content);
    });
    await Promise.allSettled(files.map((file) => this.#upload(account, file)));
  }
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

/**
 * Carries out the steps of one change in their order. What a later step rests on is read back before it. If the create of a
 * replace is not carried out, the old version is started again. `answered` is called before the last step is read back.
 */
async function carryOut(planned: Task, answered: () => void): Promise<Result> {
  const progress: Progress = { done: [], createdId: null, notes: [] };
  // Before anything else: nothing is stopped for what cannot be created or started.
  const task = await prepare(planned);
  if ('obstacle' in task) return endEarly(planned, progress, task);
  const steps = new Steps(task);
  const inOrder = task.change.steps.filter(({ kind }) => kind !== 'read_back' && kind !== 'upload');
  for (const [index, step] of inOrder.entries()) {
    const end = await runStep(steps, step);
    if (end.kind !== 'ok') {
      progress.createdId ??= end.createdId ?? null;
      return endEarly(task, progress, end, step);
    }
    const answeredMs = task.run.clock.monotonicMs();
    progress.done.push(step);
    progress.notes.push(...end.notes);
    if (step.kind === 'create') progress.createdId = end.liveId;
    const next = inOrder[index + 1];
    // What forbids the next change is on record before its turn.
    if (next === undefined && !progress.notes.some(haltsRun)) answered();
    // The proof that a paused broadcast never left reads it as well.
    const isRead = end.notes.some(isLeftOut) || next?.kind === 'check_not_left';
    if (isRead) continue;
    const shown = await steps.confirm(step.kind, end.liveId, answeredMs);
    if (shown.kind !== 'ok') return endEarly(task, progress, shown, step);
    progress.notes.push(...shown.notes);
  }
  const { createdId, done, notes } = progress;
  // Nothing is `applied` where nothing was sent.
  const outcome = notes.filter(isLeftOut).length === done.length ? 'unchanged' : 'applied';
  return { change: task.change, outcome, liveId: createdId ?? task.change.live_id, reasons: [...notes] };
}

/** What is created has the media ids of its files, and a list is there to create or start it by; or why not. */
async function prepare(task: Task): Promise<Task | EarlyEnd> {
  const filled = await fillMedia(task);
  const { lists, change, declared } = task;
  if ('obstacle' in filled || !starts(change)) return filled;
  const baseline = await lists.findBaseline(change, declared);
  return 'kind' in baseline ? { kind: 'failed', obstacle: baseline } : filled;
}

/** With the media ids of the files of what is created, or why one of them is not in the vault. */
async function fillMedia(task: Task): Promise<Task | EarlyEnd> {
  const { account, change, declared } = task;
  if (declared === null || !creates(change)) return task;
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

function runStep(steps: Steps, step: Step): Promise<StepEnd> {
  const target = targetOfStep(step.kind);
  if (target !== null) return steps.setStatus(step.live_id ?? '', target);
  switch (step.kind) {
    case 'create':
      return steps.create();
    case 'recall':
      return steps.recall(step.live_id);
    case 'check_not_left':
      return steps.checkNotLeft(step.live_id);
    default:
      throw new Error(`a plan of today has no step ${step.kind}`);
  }
}

const isLeftOut = ({ kind }: Reason) => kind === 'stopped-since';

/** `step` has ended the change. Left out: none was begun. */
async function endEarly(task: Task, progress: Progress, end: EarlyEnd, step?: Step): Promise<Result> {
  const { change } = task;
  const { createdId, done } = progress;
  const aftermath =
    createdId === null
      ? await describeOld(task, progress, end)
      : step === undefined ||
          (step.kind === 'create' && (end.kind === 'failed' || end.createdId === undefined))
        ? []
        : [{ kind: 'new-is-live', id: createdId, oldId: findRunning(step, done) } as const];
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

/** The old version that a step was to stop, unless it was paused before. */
function findRunning(step: Step, done: readonly Step[]): string | null {
  if (step.kind !== 'pause' && step.kind !== 'archive') return null;
  const { live_id: id } = step;
  return done.some((one) => one.kind === 'pause' && one.live_id === id) ? null : id;
}

/** The old versions of a replace that created nothing: started again, or paused while the create may still take effect. */
async function describeOld(task: Task, { done }: Progress, end: EarlyEnd): Promise<readonly Aftermath[]> {
  if (task.change.action !== 'replace') return [];
  const notes: Aftermath[] = [];
  // Its pause may have been answered, and it reads as running.
  const running = end.obstacle.kind === 'not-shown' ? end.obstacle.id : null;
  for (const { kind, live_id: id } of done)
    if (kind === 'pause' && id !== null && id !== running) notes.push(await startAgain(task, id, end));
  return notes;
}

async function startAgain(task: Task, id: string, end: EarlyEnd): Promise<Aftermath> {
  const stays = (because: Obstacle | null): Aftermath => ({ kind: 'old-stays-paused', id, because });
  if (end.kind === 'unknown') return stays(null);
  // Something else of the name appeared, the broadcast has left, or a person has started it: fans could get both.
  if (['list-changed', 'left', 'not-shown', 'stopped-since'].includes(end.obstacle.kind)) return stays(null);
  const target = task.change.address.kind === 'campaign' ? 'active' : 'queued';
  const started = await new Steps(task).setStatus(id, target);
  if (started.kind === 'ok') return { kind: 'old-runs-again', id };
  return stays(started.obstacle.kind === end.obstacle.kind ? null : started.obstacle);
}
