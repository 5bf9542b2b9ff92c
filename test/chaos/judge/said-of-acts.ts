import type { Ended } from '../run.ts';
import type { Chaos, Process } from '../state.ts';
import { isDeceived } from './deceived.ts';
import { isUndisturbed, isUnhindered } from './calm.ts';

const DONE = 0;
const FAILED = 1;
const UNKNOWN = 3;
const PARTIAL = 4;
const BLOCKED = 5;

/** What a command about money, chats and fans said, against what came of its requests. */
export function saidOfActs(chaos: Chaos, { process, ran, interrupted }: Ended): string[] {
  const { wish } = process.task;
  if (wish === null || wish.kind === 'upload' || wish.kind === 'create') return [];
  if (wish.kind === 'status') return saidOfStatus(chaos, process, ran.code, wish);
  const sent = process.writes.length;
  if (wish.kind === 'nothing' || wish.kind === 'close')
    return sent === 0 ? [] : [`a command that only looks has sent ${sent} writes`];
  if (wish.kind === 'label') return [];
  const made = carriedOut(chaos, process);
  // A fan who is followed already is answered as ever; and nothing tells an equal payout of another from a lost one.
  const isSoAlready =
    (wish.kind === 'follow' && isFollowed(chaos, wish.fan)) ||
    (wish.kind === 'payout' && isAnothersLikeIt(chaos, process, wish.cents));
  const isCutOff = process.lockLostMs !== null || process.run.cut?.how === 'full_disk';
  const isClear = sent > 0 && made === 1 && isUndisturbed(chaos, process) && isUnhindered(chaos, process);
  const problem =
    ran.code === UNKNOWN && isClear && !isSoAlready
      ? 'each of its requests was answered'
      : problemOf({ code: ran.code, interrupted, isCutOff }, made, sent, isSoAlready);
  const words = problem === null ? [] : [`${wish.kind}, exit ${ran.code}: ${problem}`];
  return wish.kind === 'payout' ? [...words, ...othersPayouts(chaos, process, wish.cents, ran)] : words;
}

/** A status change that was carried out has not failed, whatever became of its last copy. */
function saidOfStatus(
  { simulator: { world } }: Chaos,
  { requests }: Process,
  code: number,
  { status }: { readonly status: string },
): string[] {
  if (code !== FAILED && code !== BLOCKED) return [];
  const isDone = world.commits.some(
    ({ cause: { request }, change, status: made }) =>
      request !== null &&
      requests.has(request) &&
      (status === 'unsend' ? change === 'unsend' : change === 'status' && made === MADE[status]),
  );
  return isDone ? [`${status}, exit ${code}: it was carried out all the same`] : [];
}

/** What an object shows once the status that is asked for was set. */
const MADE: Readonly<Record<string, string>> = {
  active: 'active',
  paused: 'paused',
  archived: 'archived',
  queued: 'scheduled',
};

/** How a command ended; `isCutOff` where it had no lock or no ledger any more. */
interface How {
  readonly code: number;
  readonly interrupted: boolean;
  readonly isCutOff: boolean;
}

/**
 * | exit | what came of its requests                                  |
 * |------|------------------------------------------------------------|
 * | 0    | one was carried out, or it was so already, or none was sent |
 * | 1, 5 | none was carried out                                       |
 * | 3    | at most one was carried out, and not each was answered     |
 * | 4    | the same, where its lock is lost or the ledger misses a line |
 */
function problemOf(
  { code, interrupted, isCutOff }: How,
  made: number,
  sent: number,
  isSoAlready: boolean,
): string | null {
  if (made > 1) return `${made} were carried out`;
  if (code === DONE && made === 0 && sent > 0 && !isSoAlready) return 'none was carried out';
  if ((code === FAILED || code === BLOCKED) && made > 0) return 'it was carried out all the same';
  if (code === PARTIAL && isCutOff) return null;
  if (code === UNKNOWN || code === DONE || code === FAILED || code === BLOCKED || interrupted) return null;
  return 'a code that says nothing';
}

/** Just before a run means within this of its start. */
const JUST_BEFORE_MS = 5_000;

/**
 * One that someone else asked for meanwhile or just before, of the same amount. By the balance alone, a larger one that is
 * not listed yet cannot be told from it.
 */
function isAnothersLikeIt(
  { people, simulator: { world } }: Chaos,
  { requests, startedMs }: Process,
  asked: number,
): boolean {
  const sinceMs = startedMs - JUST_BEFORE_MS;
  const listed = world.accounts['101']?.payouts.requests ?? [];
  return (
    people.payouts.some(({ cents, atMs }) => cents >= asked && atMs >= sinceMs) ||
    listed.some(
      ({ cents, createdMs, cause: { request } }) =>
        cents === asked && createdMs >= sinceMs && !(request !== null && requests.has(request)),
    )
  );
}

function isFollowed({ simulator: { world } }: Chaos, fan: string): boolean {
  return (world.accounts['101']?.chats.follows ?? []).some(({ fan_id: id }) => id === fan);
}

/** How many of the requests of a process were carried out so far. */
function carriedOut({ simulator: { world } }: Chaos, { requests }: Process): number {
  const causes = Object.values(world.accounts).flatMap(({ payouts, chats }) => [
    ...payouts.requests.map(({ cause }) => cause),
    ...Object.values(chats.chats).flatMap(({ written }) => written.map(({ cause }) => cause)),
    ...chats.follows.map(({ cause }) => cause),
  ]);
  return causes.filter(({ request }) => request !== null && requests.has(request)).length;
}

/** Another request of the same amount at the same moment is named, or the outcome is called unknown. */
function othersPayouts(
  chaos: Chaos,
  process: Process,
  cents: number,
  { code, stdout, stderr }: Ended['ran'],
): string[] {
  const { people, simulator } = chaos;
  const { wish } = process.task;
  // Anyone who says so means one more than those that the list shows.
  const isMeant = wish?.kind === 'payout' && wish.sure.includes('allow-similar');
  // To a run with clocks that are a day ahead, it is a day old.
  if (isDeceived(chaos, process.actor)) return [];
  // A raw call shows the answer, and looks at nothing else.
  if (process.run.command.kind !== 'payout') return [];
  if (isMeant || code !== DONE || process.writes.length === 0) return [];
  const [first] = process.writes;
  const others = people.payouts.filter(
    (other) =>
      other.cents === cents &&
      other.atMs >= process.startedMs &&
      first !== undefined &&
      other.atMs <= first.sentMs,
  );
  if (others.length === 0) return [];
  const invoices = (simulator.world.accounts['101']?.payouts.requests ?? [])
    .filter((one) => one.cents === cents && one.createdMs >= process.startedMs)
    .map(({ invoiceId }) => invoiceId);
  const said = invoices.filter((invoice) => `${stdout}${stderr}`.includes(invoice));
  return invoices.length < 2 || said.length > 1
    ? []
    : [`exit 0 without a word of another payout of ${cents} cents`];
}
