import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import type { Change } from '../../domain/change.ts';
import { groupBy } from '../../domain/group-by.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import { formatAddress, type Observed } from '../../domain/resource.ts';
import { isPaused, statusOf, STATUS_TRAITS } from '../../domain/status.ts';
import type { Clash } from '../same-content.ts';
import { blockChange } from './guards.ts';

/** What a run carries out. */
export interface Selection {
  /** Whether the address is a target. */
  readonly selects: (address: Change['address']) => boolean;
  /** Whether the change was reviewed and approved, where that is asked for. */
  readonly permits: (change: Change) => boolean;
}

/**
 * Blocks each start of content that another object goes on sending, or that no order of the run can stop first: fans would
 * get it twice. What is blocked leaves its own objects running, so it blocks others in turn.
 *
 * | the object with the content                                  | the start                  |
 * |--------------------------------------------------------------|----------------------------|
 * | stays as it is: its change is blocked, is not carried out, or does not stop it | is blocked |
 * | has begun to go out                                          | is blocked                 |
 * | is replaced, and that has to wait for this start             | is blocked, as is that one |
 * | is stopped or replaced in this run                           | comes after that           |
 *
 * Returns the blocked changes by what they were. `stopsBefore` has the order of the last row.
 */
export function leftRunning(clashes: readonly Clash[], run: Selection): ReadonlyMap<Change, Change> {
  const blocked = new Map<Change, Change>();
  const byCause = groupBy(clashes, ({ by }) => by);
  const isOpen = ({ start }: Clash) =>
    run.selects(start.address) && run.permits(start) && !blocked.has(start);
  const block = (first: readonly Clash[], wordsOf: (clash: Clash) => string) => {
    const queue = first.map((clash) => ({ clash, words: wordsOf(clash) }));
    // It grows while it is gone through.
    for (const { clash, words } of queue) {
      if (!isOpen(clash)) continue;
      blocked.set(clash.start, blockChange(clash.start, words));
      for (const next of byCause.get(clash.start) ?? [])
        queue.push({ clash: next, words: stayWords(next, run) });
    }
  };
  block(
    clashes.filter((clash) => stays(clash, run)),
    (clash) => stayWords(clash, run),
  );
  block(inCircles(clashes.filter(isOpen)), circleWords);
  return blocked;
}

function stays({ how, by }: Clash, { selects, permits }: Selection): boolean {
  const isCarriedOut = selects(by.address) && permits(by);
  return how === 'stops' ? !isCarriedOut : how !== 'starts' || isCarriedOut;
}

/** What is left when everything is taken away that waits for nothing, or only for what was taken away before. */
function inCircles(clashes: readonly Clash[]): readonly Clash[] {
  let left = clashes;
  for (;;) {
    const waiting = new Set(left.map(({ start }) => start));
    const next = left.filter(({ by }) => waiting.has(by));
    if (next.length === left.length) return left;
    left = next;
  }
}

function stayWords(clash: Clash, run: Selection): string {
  const { object, owner, how } = clash;
  const what = `The same content is live as ${canonical(owner.address.name)} (${object.live.id})`;
  if (how === 'has left') return `${what}, ${leftWords(object, owner)}`;
  if (how === 'starts')
    return `${what}, which this run starts with content that its file ignores, so fans would get it twice. Set status: paused for one of the two.`;
  const shown = isShownRunning(object)
    ? ''
    : ` Herald started it a moment ago, and the list still shows it as ${object.live.status ?? 'without a status'}.`;
  return `${what}, which stays as it is in this run, so fans would get it twice.${shown} ${nextStep(clash, run)}`;
}

function nextStep({ object, owner, by, how }: Clash, { selects }: Selection): string {
  if (!isShownRunning(object)) return 'Run the command again in a few minutes.';
  const isBlocked = by.action === 'blocked' || how === 'stops';
  if (!isBlocked) return `To stop it: ${pauseOf(object)}`;
  const address = formatAddress(owner.address);
  return selects(by.address)
    ? `First resolve what blocks ${address}.`
    : `Add --target ${canonical(address)}.`;
}

/** The same as for a replace under one name: only a person knows whether the rest is wanted. */
function leftWords(object: Observed, { address }: Clash['owner']): string {
  const command = (verb: string) =>
    formatCommand('broadcasts', verb, object.live.id, '--account', object.account);
  const rest = isPaused(object.live) ? `To send the rest: ${command('resume')}. ` : '';
  return `which has begun to go out, so the fans that it has reached would get it twice. ${rest}To recall it: ${command('recall')}. To send it to all fans again, remove ${formatAddress(address)} from the files.`;
}

function isShownRunning({ live }: Observed): boolean {
  return STATUS_TRAITS[statusOf(live)].runs;
}

function circleWords({ object, owner }: Clash): string {
  const what = `The same content is live as ${canonical(owner.address.name)} (${object.live.id})`;
  return `${what}, and each of the two would have to stop before the other one starts, so fans could get it twice. Pause it first: ${pauseOf(object)}. Then: ${formatCommand('apply', '--allow', 'resume')}`;
}

function pauseOf({ kind, account, live }: Observed): string {
  return formatCommand(KIND_ROWS[kind].plural, 'pause', live.id, '--account', account);
}
