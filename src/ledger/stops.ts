import { formatCommand } from '../domain/command-line.ts';
import type { AccountId, LiveId } from '../domain/ids.ts';
import type { Kind } from '../domain/resource.ts';
import { stopsSending } from '../domain/status.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';
import type { Placed } from './placed.ts';

/** A stop that a person asked for by hand. */
interface HandStop {
  readonly liveId: LiveId;
  readonly target: string;
  readonly who: string;
  readonly at: string;
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly name: string;
  /** The ends of its request so far. */
  readonly ends: OutcomeLine[];
}

/** A request that a run is about to send. */
export interface PlannedWrite {
  readonly accountId: AccountId;
  readonly kind: Kind;
  /** The object that it changes; null for a create. */
  readonly liveId: LiveId | null;
  /** Whether it makes something send: a create, an activation, a resume. */
  readonly starts: boolean;
  readonly recalls?: boolean;
  /** The name that its change is about, and every object of that change. */
  readonly name: string;
  readonly group: readonly string[];
  /** The digest of what it starts, where it is declared. */
  readonly content?: string | null;
  /** The command that looks again if it is not sent; where none is given, a plan does. */
  readonly planning?: string | undefined;
}

/** All stops by hand that begin among the lines, without those that did not happen. */
export function handStopsIn(lines: readonly LedgerLine[]): readonly IntentLine[] {
  const stops = lines.filter(isHandStop);
  const ends = new Map<string, OutcomeLine[]>(stops.map(({ entry }) => [entry, []]));
  for (const line of lines) if (line.type === 'outcome') ends.get(line.entry)?.push(line);
  return stops.filter(({ entry }) => !didNotHappen(ends.get(entry) ?? []));
}

/** Takes a stop out of those that count if its lines say by now that it did not happen, or in again. */
export function countAgain(stops: IntentLine[], begin: IntentLine, itsLines: readonly Placed[]): void {
  const counts = handStopsIn(itsLines.map(({ line }) => line)).length > 0;
  const place = stops.findIndex(({ entry }) => entry === begin.entry);
  if (!counts && place >= 0) stops.splice(place, 1);
  if (counts && place < 0) stops.push(begin);
}

/**
 * Whether a request was refused or not sent. Until that is on record it may be carried out, and so may an earlier copy of
 * it that got no answer.
 */
function didNotHappen(ends: readonly OutcomeLine[]): boolean {
  return ends.some(isWithoutEffect) && !ends.some(isDone);
}

function isWithoutEffect({ outcome, unheard_ms: unheardMs }: OutcomeLine): boolean {
  return unheardMs === null && !['done', 'adopted', 'unknown'].includes(outcome);
}

function isDone({ outcome }: OutcomeLine): boolean {
  return outcome === 'done' || outcome === 'adopted';
}

/** Whether a line begins a stop by hand: a pause, or the archiving of a campaign. */
export function isHandStop(line: LedgerLine): line is IntentLine {
  if (line.type !== 'intent' || line.call !== 'status' || line.purpose !== 'by_hand') return false;
  return stopsSending(line.target);
}

/**
 * What people stopped by hand since a run made its plan. A stop needs no lock, so its line may stand in the ledger at
 * any moment, and the run asks before each of its own writes.
 *
 * | the write                              | of the stopped object | of another object of the same name or change |
 * |----------------------------------------|-----------------------|----------------------------------------------|
 * | starts something                       | refused               | refused                                      |
 * | stops or recalls something             | refused               | goes on                                      |
 *
 * A stop of the stopped object is refused too: it would stand in the ledger as the run's own, and the next run would
 * take it back by itself. A stop that the service refused is against nothing, once its refusal is on record.
 */
export class NewStops {
  readonly #known: ReadonlySet<string>;
  readonly #ownRun: string;
  readonly #stops = new Map<string, HandStop>();

  /** `known`: entries of the stops that the plan was made with. */
  constructor(known: ReadonlySet<string>, ownRun: string) {
    this.#known = known;
    this.#ownRun = ownRun;
  }

  add(lines: readonly LedgerLine[]): void {
    for (const line of lines) {
      if (line.type === 'outcome') this.#stops.get(line.entry)?.ends.push(line);
      if (!isHandStop(line) || line.run === this.#ownRun || this.#known.has(line.entry)) continue;
      const { account_id: accountId, kind, name, live_id: liveId, target, who, at } = line;
      this.#stops.set(line.entry, {
        liveId: liveId ?? '',
        target: target ?? '',
        who,
        at,
        accountId,
        kind,
        name,
        ends: this.#stops.get(line.entry)?.ends ?? [],
      });
    }
  }

  /** Why the write must not be sent, with what to do next; null to go on. */
  against(write: PlannedWrite): string | null {
    const stop = [...this.#stops.values()].find((one) => isAgainst(one, write));
    return stop === undefined ? null : words(stop, write);
  }
}

function isAgainst(stop: HandStop, write: PlannedWrite): boolean {
  if (stop.accountId !== write.accountId || stop.kind !== write.kind) return false;
  if (didNotHappen(stop.ends)) return false;
  if (stop.liveId === write.liveId) return true;
  return write.starts && (stop.name === write.name || write.group.includes(stop.liveId));
}

function words({ who, kind, liveId, target, at, ends }: HandStop, { planning }: PlannedWrite): string {
  const how = ends.some(isDone) ? 'stopped' : 'asked to stop';
  const what = `Not sent: ${who} ${how} ${kind} ${liveId} by hand (${target}, ${at}) during this run.`;
  // An apply knows no drafts.
  if (planning !== undefined) return `${what} Run "${planning}" again.`;
  return `${what} To see what is left: ${formatCommand('plan')}. To start it again: ${formatCommand('apply', '--allow', 'resume')}`;
}
