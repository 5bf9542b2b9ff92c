import type { Client } from '../api/client.ts';
import type { ApplyReport, Change, Outcome, Plan } from '../domain/change.ts';
import { planningCommand } from '../domain/creating-command.ts';
import type { LiveId } from '../domain/ids.ts';
import type { Clock } from '../domain/ports.ts';
import {
  formatAddress,
  type Declared,
  type Kind,
  type Observed,
  type ResolvedAccount,
} from '../domain/resource.ts';
import { objectKey } from '../domain/knowledge.ts';
import { outcomeOf, runChange } from './change-run.ts';
import { listAfterStops, mayCreate, movedSince, NO_LIST, type FreshList } from './fresh-list.ts';
import { inOrder, stoppedFirst, type StopsFirst } from './stops-first.ts';
import { CallQueue } from '../requests/call-queue.ts';
import type { ByHand, DeniedNow, OnWait, RewritesIn } from './step-context.ts';
import { awaitUploads, beginUploads, once } from './upload-media.ts';
import type { BeginUploads, UploadMedia } from '../domain/uploads.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { reportOf } from './merge-reports.ts';
import { rememberStarts, statusesAbout } from './remember.ts';
import { isStart, phaseOf, sends, START_PHASES, type BeforeStarts, type Phase } from './phases.ts';
import { soonestFirst } from './soonest-first.ts';
import { untouchedOutcome } from './untouched.ts';
import { SharedReadBack, type ReadBack } from './read-back.ts';
import type { RepeatBound } from './repeat-bound.ts';

export interface ApplyInput {
  readonly plan: Plan;
  readonly declared: readonly Declared[];
  /** Set where a person asked for the changes by hand: nothing declares them. */
  readonly byHand: ByHand | null;
  /** What the plan was built from. */
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  readonly client: Client;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** How long an unconfirmed create may still succeed. */
  readonly settleMs: number;
  /** How long the command repeats a status change, over all of its rounds. */
  readonly repeats: RepeatBound;
  readonly uploads: BeginUploads;
  /** What the service made of a create, by its answer. */
  readonly rewritesIn: RewritesIn;
  readonly deniedNow: DeniedNow;
  /** Aborted by the first interrupt: the call in flight ends, nothing new begins. */
  readonly stop: AbortSignal;
  /** Told when a change begins and when it has ended. */
  readonly onProgress: (done: number, total: number, change: Change) => void;
  /** Told before a change waits until earlier copies of a request can no longer be carried out. */
  readonly onWait: OnWait;
  /** Hears about what no step should throw; the run goes on to its report. */
  readonly onBug: (error: unknown, change: Change) => void;
  /** Live ids that a lost create of an earlier run turned out to have made. */
  readonly adopted: ReadonlySet<string>;
  readonly stopsFirst: StopsFirst;
  /** True if the ledger knows the object as ours; by `objectKey`. */
  readonly isOurs: (key: string) => boolean;
  /** What is done between the stops and the starts. Null if nothing is. */
  readonly beforeStarts: BeforeStarts | null;
}

export interface Executed {
  readonly report: ApplyReport;
  /** A change that failed left live state other than it was before. */
  readonly residue: boolean;
  /** Set where the ledger misses lines of this run. */
  readonly unrecorded?: boolean;
  /** This run lost its lease, and sent nothing more. */
  readonly leaseLost?: boolean;
  /** Addresses at which something else was live than the plan had seen, so that nothing was done. */
  readonly moved: ReadonlySet<string>;
}

/** How long a wait may be behind which a list that was read before it still serves (ERROR-7). */
const LIST_GOOD_MS = 1_000;

/** Carries out a plan. Every change ends as exactly one outcome; nothing is thrown for what the service does. */
export async function executePlan(input: ApplyInput): Promise<Executed> {
  const run = new Run(input);
  const { accounts, beforeStarts } = input;
  const duplicates = accounts.map((account) => run.phase(account, 'duplicates'));
  const stops = accounts.map(async (account, index) => {
    await duplicates[index];
    await run.phase(account, 'stops');
  });
  const mayStart = async () => {
    await Promise.all(duplicates);
    if (beforeStarts === null) return;
    await Promise.all(stops);
    await run.prepareStarts(beforeStarts);
  };
  const prepared = mayStart();
  const rest = accounts.map(async (account, index) => {
    await Promise.all([stops[index], prepared]);
    for (const phase of START_PHASES) await run.phase(account, phase);
  });
  await Promise.all([prepared, ...rest]);
  return { report: run.report(), residue: run.residue, moved: run.moved };
}

class Run {
  readonly #input: ApplyInput;
  readonly #outcomes = new Map<Change, Outcome>();
  readonly #declared: ReadonlyMap<string, Declared>;
  /** Changes by account and phase. */
  readonly #work = new Map<string, Change[]>();
  /** Every object that the plan knew of, by `objectKey`. */
  readonly #planned: ReadonlyMap<string, Observed>;
  readonly #queue = new CallQueue();
  readonly #upload: UploadMedia;
  readonly #total: number;
  /** Why nothing new is begun any more; null while all is well. */
  #halted: string | null = null;
  #isLeftOut: (change: Change) => boolean = () => false;
  readonly #halt = new AbortController();
  residue = false;
  readonly moved = new Set<string>();

  constructor(input: ApplyInput) {
    this.#input = input;
    this.#upload = once(input.uploads(AbortSignal.any([input.stop, this.#halt.signal])));
    this.#declared = new Map(input.declared.map((declared) => [formatAddress(declared.address), declared]));
    this.#planned = new Map(
      input.observed.map((object) => [objectKey(object.accountId, object.kind, object.live.id), object]),
    );
    const changes = input.plan.changes.filter(sends);
    for (const change of changes) {
      const key = workKey(change.address.account, phaseOf(change, input.beforeStarts));
      this.#work.set(key, [...(this.#work.get(key) ?? []), change]);
    }
    this.#total = changes.length;
  }

  async prepareStarts({ work }: BeforeStarts): Promise<void> {
    if (this.#input.stop.aborted) return;
    const { halt, isLeftOut } = await work(this.#halted);
    this.#isLeftOut = isLeftOut;
    if (halt !== null) this.#haltFor(halt);
  }

  async phase(account: ResolvedAccount, phase: Phase): Promise<void> {
    const work = this.#work.get(workKey(account.alias, phase)) ?? [];
    const changes = isStart(phase)
      ? inOrder(work, this.#input.stopsFirst)
      : soonestFirst(work, (change) => this.#plannedObject(account, change, change.live_id));
    const lists = new Map<Kind, FreshList>();
    const readBacks = this.#input.byHand === null ? SharedReadBack.of(changes) : null;
    // A change waits for its own files only, while those of the next ones are on their way.
    const shown = changes.filter(createsNow).map((change) => this.#declaredFor(change));
    const uploads = beginUploads(
      shown.filter((declared) => declared !== null),
      account,
      this.#upload,
    );
    for (const change of changes) {
      if (this.#halted !== null || this.#input.stop.aborted) break;
      if (this.#isLeftOut(change)) continue;
      try {
        if (await this.#waitedForUploads(account, change)) lists.clear();
        await this.#one(account, change, lists, readBacks);
      } catch (error) {
        this.#brokeOff(change, error);
      }
    }
    for (const end of (await readBacks?.ends()) ?? []) this.#readBack(end);
    await uploads;
  }

  /**
   * Asked before the list that a create goes by is read; answers whether one that was read before is too old for it.
   * Files that are in the vault take time as well: they are read, looked for, and wait for their turn.
   */
  async #waitedForUploads(account: ResolvedAccount, change: Change): Promise<boolean> {
    const declared = this.#declaredFor(change);
    if (declared === null || !createsNow(change)) return false;
    const { clock } = this.#input;
    const beganMs = clock.monotonicMs();
    await awaitUploads(declared, account, this.#upload);
    return clock.monotonicMs() - beganMs > LIST_GOOD_MS;
  }

  #plannedObject({ accountId }: ResolvedAccount, { address }: Change, id: LiveId | null) {
    return this.#planned.get(objectKey(accountId, address.kind, id ?? ''));
  }

  #declaredFor({ address }: Change): Declared | null {
    return this.#declared.get(formatAddress(address)) ?? null;
  }

  report(): ApplyReport {
    const told = this.#input.plan.changes.filter(
      (change) => this.#outcomes.has(change) || !this.#isLeftOut(change),
    );
    return reportOf(told.map((change) => this.#outcomes.get(change) ?? this.#untouched(change)));
  }

  async #one(
    account: ResolvedAccount,
    change: Change,
    lists: Map<Kind, FreshList>,
    readBacks: SharedReadBack | null,
  ): Promise<void> {
    const declared = this.#declaredFor(change);
    if (declared === null && this.#input.byHand === null && mayCreate(change))
      throw new Error(`the plan creates ${formatAddress(change.address)}, which is not declared`);
    const planned = (liveId: LiveId) => this.#plannedObject(account, change, liveId);
    const { unstopped, sendsAgain } = stoppedFirst(this.#input.stopsFirst.get(change), this.#outcomes);
    const asked = { account, change, sendsAgain };
    const list = await listAfterStops(this.#input, asked, lists);
    const moved = movedSince(list, change, planned, declared);
    const isOurs = (liveId: LiveId) =>
      this.#input.isOurs(objectKey(account.accountId, change.address.kind, liveId));
    const about = { ...asked, declared, list, planned, isOurs, ownStatuses: new Map() };
    if (moved !== null) {
      this.moved.add(formatAddress(change.address));
      await rememberStarts({ ...about, ledger: this.#input.ledger }, statusesAbout(change, list));
    }
    const unread = list.problem === null ? null : `Nothing was sent because ${list.problem}`;
    const problem = unread ?? moved ?? unstopped ?? sendsAgain(list);
    if (problem !== null) {
      this.#record(change, outcomeOf(change, 'failed', change.live_id, problem));
      return;
    }
    const { client, clock, ledger, stop, settleMs, onWait, repeats, byHand, rewritesIn, deniedNow } =
      this.#input;
    const own = { queue: this.#queue, upload: this.#upload, readBacks, onWait };
    const ports = { client, clock, ledger, stop, settleMs, repeats, byHand, rewritesIn, deniedNow, ...own };
    const context = { ...ports, ...about, ...NOTHING_YET };
    this.#input.onProgress(this.#outcomes.size, this.#total, change);
    const end = await runChange(context);
    // The next ones go by what was read last, unless that is too long ago by now.
    if (context.listIsOld) lists.clear();
    else if (context.list !== NO_LIST) lists.set(change.address.kind, context.list);
    if (context.moved) this.moved.add(formatAddress(change.address));
    this.residue ||= end.residue;
    if (end.denied) this.#haltFor('not attempted after the key was refused');
    if (ledger.halted !== null) this.#haltFor(`not attempted, because ${ledger.halted}`);
    this.#record(change, end.outcome);
  }

  /** Its answer was heard before; this is what it reads as. */
  #readBack({ change, result }: ReadBack): void {
    const outcome = this.#outcomes.get(change);
    if (outcome === undefined || outcome.outcome !== 'applied') return;
    if (result.kind === 'ok') {
      const message = [outcome.message, result.note ?? ''].filter((part) => part !== '').join('; ');
      this.#outcomes.set(change, { ...outcome, message });
    } else {
      const ended = result.kind === 'unknown' ? 'unknown' : 'failed';
      this.#outcomes.set(change, { ...outcome, outcome: ended, message: result.message });
      this.residue = true;
    }
  }

  /** Nothing new is begun from here on, and uploads that are under way end. */
  #haltFor(why: string): void {
    this.#halted ??= why;
    this.#halt.abort(new Error(this.#halted));
  }

  /** A bug must not cost the report of everything else; what it left half done is not known. */
  #brokeOff(change: Change, error: unknown): void {
    this.#haltFor('not attempted after an error in Herald');
    const message = `Herald itself failed during this change: ${(error as Error).message}. Check it on the service, then run "${planningCommand(this.#declaredFor(change))}".`;
    this.#record(change, outcomeOf(change, 'unknown', change.live_id, message));
    this.#input.onBug(error, change);
  }

  #untouched(change: Change): Outcome {
    if (sends(change)) {
      const why =
        this.#halted ?? (this.#input.stop.aborted ? 'interrupted before it began' : 'not attempted');
      return outcomeOf(change, 'not_attempted', change.live_id, why);
    }
    return untouchedOutcome(change, this.#input.adopted);
  }

  #record(change: Change, outcome: Outcome): void {
    this.#outcomes.set(change, outcome);
    this.#input.onProgress(this.#outcomes.size, this.#total, change);
  }
}

const NOTHING_YET = { createdId: null, begun: false, moved: false, listIsOld: false };

function createsNow({ steps }: Change): boolean {
  return steps.some(({ kind }) => kind === 'create');
}

function workKey(account: string, phase: string | null): string {
  return `${account}/${phase ?? ''}`;
}
