import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import type { Change, ChangeKind, NewStep } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { planningCommand } from '../domain/creating-command.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Kind } from '../domain/resource.ts';
import { statusesThat, statusOf, type Status } from '../domain/status.ts';
import { scanScope } from '../live/read.ts';
import { OK, type StepResult } from './call-result.ts';
import { hasGoneOut } from './moved.ts';
import { readById, readByIdOrList, type Live } from '../live/read-object.ts';
import type { StepContext } from './step-context.ts';
import { progressOf } from './step-look.ts';
import { untilShown } from './until-shown.ts';

/** By then, a read shows what was answered (ERROR-15, with time to spare). What still reads as before is not confirmed. */
const READ_BACK_MS = 10_000;

/** Looks at what was created, stopped or switched on. An answer alone is not enough: it is applied once a read shows it. */
export async function readBackStep(context: StepContext, step: NewStep): Promise<StepResult> {
  const id = context.createdId ?? step.live_id;
  if (id === null) return OK;
  if (context.readBacks === null || step !== context.change.steps.at(-1)) return readBack(context, id);
  context.readBacks.add(context, id);
  return { kind: 'ok', liveId: id };
}

/** A change counts as undone, and a fresh object as not there, only if it still reads so after ten seconds. */
async function readBack(context: StepContext, id: string, sinceMs?: number): Promise<StepResult> {
  const { account, change, client, clock } = context;
  const object = { accountId: account.accountId, kind: change.address.kind, liveId: id };
  let live: Live | null = null;
  const read = async () => {
    const now = await readById(client, object);
    live = now.kind === 'done' ? now.reply : live;
    return now;
  };
  const isShown = (now: Awaited<ReturnType<typeof read>>) => now.kind === 'done' && isEnd(context, now.reply);
  const last = await untilShown(clock, read, isShown, sinceMs, READ_BACK_MS);
  const shown = last.kind === 'done' ? last.reply : live;
  if (shown !== null) return describe(context, id, shown);
  const listed = await readByIdOrList(client, account, change.address.kind, id);
  return listed.kind === 'read' ? describe(context, id, listed.live) : unread(context, id);
}

function unread(context: StepContext, id: string): StepResult {
  return notShown(context, id, `${id} could not be read back after the service confirmed the change`);
}

/** Neither applied nor failed: the answer and the read contradict each other. */
function notShown({ account, byHand, change, declared }: StepContext, id: string, what: string): StepResult {
  const { plural } = KIND_ROWS[change.address.kind];
  const again =
    byHand === null
      ? planningCommand(declared)
      : formatCommand(plural, change.action, id, '--account', account.alias);
  return { kind: 'unknown', message: `${what}. Check it on the service, then run: ${again}` };
}

/** Changes of one account and phase with which their read backs share a list: reads by id have a rate to share with looks. */
const SHARED_FROM = 5;

/** What a change came to once it was read back. */
export interface ReadBack {
  readonly change: Change;
  readonly result: StepResult;
}

interface Waiting {
  readonly context: StepContext;
  readonly id: string;
  /** When it had been changed, by the monotonic clock. */
  readonly sinceMs: number;
}

/** Reads back the changes of one account and phase at its end: all from one list, and those by id that it shows otherwise. */
export class SharedReadBack {
  readonly #waiting: Waiting[] = [];

  /** Null where there are too few to share. */
  static of(changes: readonly Change[]): SharedReadBack | null {
    const ending = changes.filter(({ steps }) => steps.at(-1)?.kind === 'read_back');
    return ending.length < SHARED_FROM ? null : new SharedReadBack();
  }

  add(context: StepContext, id: string): void {
    this.#waiting.push({ context, id, sinceMs: context.clock.monotonicMs() });
  }

  /** What each of them came to, once they were read. */
  async ends(): Promise<readonly ReadBack[]> {
    const lists = new Map<Kind, Promise<ReadonlyMap<string, Live> | null>>();
    const ends: ReadBack[] = [];
    for (const waiting of this.#waiting) {
      const { context } = waiting;
      const { kind } = context.change.address;
      const reading = lists.get(kind) ?? listed(context, kind);
      lists.set(kind, reading);
      ends.push({ change: context.change, result: await endIn(await reading, waiting) });
    }
    return ends;
  }
}

/** Without a list nothing is asked for one by one either. */
function endIn(
  list: ReadonlyMap<string, Live> | null,
  { context, id, sinceMs }: Waiting,
): StepResult | Promise<StepResult> {
  if (list === null) return unread(context, id);
  const live = list.get(id);
  return live !== undefined && isEnd(context, live)
    ? describe(context, id, live)
    : readBack(context, id, sinceMs);
}

async function listed(
  { client, account }: StepContext,
  kind: Kind,
): Promise<ReadonlyMap<string, Live> | null> {
  try {
    const list = await scanScope(client, { account, kind });
    return new Map(list.map(({ live }) => [live.id, live]));
  } catch (error) {
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return null;
    throw error;
  }
}

interface End {
  /** What a campaign or broadcast may read as right after it. */
  readonly statuses: ReadonlySet<Status>;
  readonly words: string;
}

const RUNNING: ReadonlySet<Status> = new Set([...statusesThat('runs'), 'none']);
const RECALLED: ReadonlySet<Status> = new Set(statusesThat('recalled'));

/** What each change that is read back must have come to. */
const ENDS: Readonly<Partial<Record<ChangeKind, End>>> = {
  replace: { statuses: RUNNING, words: 'created' },
  activate: { statuses: RUNNING, words: 'switched on' },
  resume: { statuses: RUNNING, words: 'switched on' },
  pause: { statuses: new Set(['paused']), words: 'paused' },
  retire: { statuses: new Set(['paused', 'archived']), words: 'stopped' },
  archive: { statuses: new Set(['archived']), words: 'archived' },
  recall: { statuses: RECALLED, words: 'recalled' },
};

/** A replace that created nothing has switched the old one on. */
function endOf({ change: { action }, createdId }: StepContext): End | undefined {
  return ENDS[action === 'replace' && createdId === null ? 'resume' : action];
}

function isEnd(context: StepContext, live: Live): boolean {
  return endOf(context)?.statuses.has(statusOf(live)) !== false;
}

function describe(context: StepContext, id: string, live: Live): StepResult {
  if (isEnd(context, live)) return { kind: 'ok', liveId: id, ...leftWords(context, id, live) };
  const status = live.status ?? null;
  const words = endOf(context)?.words ?? 'changed';
  if (status === (context.planned(id)?.live.status ?? null))
    return notShown(
      context,
      id,
      `${id} still reads as ${status ?? 'no status'}, although the service confirmed that it was ${words}`,
    );
  return {
    kind: 'failed',
    message: `${id} reads as ${status ?? 'no status'} after it was ${words}. Someone or the service changed it again. Run "${formatCommand('plan')}".`,
    denied: false,
  };
}

const STOPS: readonly ChangeKind[] = ['pause', 'retire'];

/** A note about a broadcast that had begun to go out before its pause arrived: it has reached some fans. */
function leftWords({ change }: StepContext, id: string, live: Live): { readonly note?: string } {
  if (!STOPS.includes(change.action) || !hasGoneOut(change.address.kind, live)) return {};
  return { note: `${id} had begun to go out before it was paused${progressOf(live)}` };
}
