import type { Client, Send } from '../api/client.ts';
import { InvalidCallError } from '../api/errors.ts';
import type { LiveId } from '../domain/ids.ts';
import type { Clock } from '../domain/ports.ts';
import type { OpenEntry } from '../domain/knowledge.ts';
import type { Address } from '../domain/resource.ts';
import { CAMPAIGN_PATCH_STATUSES, startsSending, type CampaignPatchStatus } from '../domain/status.ts';
import type { Conclusion, Ledger } from '../ledger/ledger.ts';
import type { PlannedWrite } from '../ledger/stops.ts';
import { sendRecorded } from '../requests/send-recorded.ts';
import { seenOf } from './judge-open.ts';
import { LookBeforeSend } from './look-before-send.ts';
import { look as lookAt } from './look-first.ts';
import type { RepeatBound } from './repeat-bound.ts';
import { statusCall } from './status-call.ts';
import type { Verdict } from './verdict.ts';

/** What became of the entries that earlier runs left open. */
export interface Closed {
  /** What lost creates turned out to have made. */
  readonly adopted: readonly Adopted[];
  /** Status changes that were asked for once more, and that the service confirmed. */
  readonly confirmed: readonly Adopted[];
  /** Status changes that show, and that could not be confirmed. */
  readonly unconfirmed: readonly Unconfirmed[];
}

/** A live object, and the address that its entry was about. */
interface Adopted {
  readonly address: Address;
  readonly liveId: LiveId;
}

/** A change that may be half done: the object shows the status, and no answer confirmed it. */
export interface Unconfirmed extends Adopted {
  readonly status: Status;
  readonly problem: string;
  /** Someone changed it after the list was read, so the change was not repeated. */
  readonly isMoved: boolean;
}

type Status = CampaignPatchStatus;

/** What closing works with. */
interface Ports {
  readonly client: Client;
  readonly ledger: Ledger;
  readonly repeats: RepeatBound;
  readonly clock: Clock;
}

/** Closes what earlier runs left open, as judged. `halted` is the reason not to ask for anything again, or null. */
export async function closeOpenEntries(
  ports: Ports,
  verdicts: readonly Verdict[],
  halted: string | null = null,
): Promise<Closed> {
  const { ledger } = ports;
  const adopted: Adopted[] = [];
  const confirmed: Adopted[] = [];
  const unconfirmed: Unconfirmed[] = [];
  for (const { entry, conclusion, repeat, found } of verdicts) {
    if (conclusion === null) continue;
    const about = { address: entry.address, liveId: conclusion.live_id ?? '' };
    const stopped = await ledger.stopAgainst(writeOf(entry));
    // An object that a person stopped during this run is left to the next run, which knows of the stop.
    if (stopped !== null && !repeat) continue;
    if (repeat) {
      const status = statusOf(entry);
      // It was seen running. If it is stopped later, a person stopped it.
      if (startsSending(status) && stopped === null)
        await ledger.sawAsDeclared({ ...entry.address, account_id: entry.accountId, live_id: about.liveId });
      const held =
        halted === null
          ? await askAgain(ports, entry, status, conclusion)
          : { message: halted, isMoved: false };
      if (held === null) confirmed.push(about);
      else unconfirmed.push({ ...about, status, problem: held.message, isMoved: held.isMoved });
      continue;
    }
    for (const object of found)
      if (object.live.id !== conclusion.live_id) await ledger.sawAsDeclared(seenOf(entry, object));
    await ledger.conclude(entry.entry, conclusion);
    if (conclusion.outcome === 'adopted' && conclusion.live_id !== null) adopted.push(about);
  }
  return { adopted, confirmed, unconfirmed };
}

function statusOf(entry: OpenEntry): Status {
  const target = entry.call === 'status' ? entry.target : null;
  return CAMPAIGN_PATCH_STATUSES.find((status) => status === target) ?? 'paused';
}

/** Why a change was not confirmed. */
interface Held {
  readonly message: string;
  /** Someone has changed it again since. */
  readonly isMoved: boolean;
}

/** Null when it was confirmed, and its entry is closed. Every copy is put on record before it leaves. */
async function askAgain(
  ports: Ports,
  entry: OpenEntry,
  status: Status,
  confirmed: Conclusion,
): Promise<Held | null> {
  const { client, clock, ledger, repeats } = ports;
  const { accountId, address, liveId } = entry;
  const asked = { accountId, kind: address.kind, liveId: liveId ?? '', target: status };
  const over = repeats.reasonNotToBegin(asked);
  if (over !== null) return { message: over, isMoved: false };
  let send: Send<unknown>;
  let isStopped = false;
  let moved: Held | null = null;
  const look = new LookBeforeSend(async () => (moved = await whyNotAgain(ports, entry, status)), clock);
  if ((await look.now(true)) !== null) return moved;
  try {
    send = statusCall(client, asked);
  } catch (error) {
    if (!(error instanceof InvalidCallError)) throw error;
    await ledger.conclude(entry.entry, { ...confirmed, outcome: 'not_sent', message: error.message });
    return null;
  }
  const { exchange } = await sendRecorded(ledger, {
    intend: () => Promise.resolve(entry.entry),
    earlier: entry,
    send,
    reasonNotTo: async (before) => {
      const reason = before === null ? null : repeats.reasonNotToRepeat(asked);
      const held = reason ?? (await ledger.stopAgainst(writeOf(entry)));
      const due = held ?? look.due(true);
      if (due === null) repeats.sends(asked);
      return due;
    },
    confirm: async (ended) => {
      isStopped = await ledger.stoppedMeanwhile(writeOf(entry));
      return ended;
    },
    keep: (ended) => ({
      live_id: liveId,
      ...(isStopped || confirmed.by_hand === true ? { by_hand: true } : {}),
      ...(ended.kind === 'done' ? { message: confirmed.message } : {}),
    }),
  });
  if (exchange.kind !== 'done') return moved ?? { message: exchange.problem.what, isMoved: false };
  repeats.isCertain(asked);
  return null;
}

/** Why it is not asked for once more, as the object reads now: a person may have changed it since the list was read. */
async function whyNotAgain(
  { client, clock }: Ports,
  { accountId, address, liveId }: OpenEntry,
  status: Status,
): Promise<Held | null> {
  const looked = await lookAt(
    { client, clock, account: { alias: address.account, accountId } },
    liveId ?? '',
    {
      kind: address.kind,
      asked: status,
      planned: undefined,
      own: status,
      mayBeDone: true,
      takesBack: false,
      isDuplicate: false,
      forContent: false,
    },
  );
  if (looked.kind === 'go on') return null;
  if (looked.kind === 'differs') return { message: looked.live.status ?? 'no status', isMoved: true };
  return { message: `it cannot be looked at first: ${looked.why.problem.what}`, isMoved: false };
}

function writeOf(entry: OpenEntry): PlannedWrite {
  const { accountId, address, liveId } = entry;
  const { kind, name } = address;
  const starts = entry.call === 'status' && startsSending(entry.target);
  return { accountId, kind, name, liveId, starts, group: [] };
}
