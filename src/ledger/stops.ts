import type { AccountId, LiveId } from '../domain/ids.ts';
import type { Kind } from '../domain/resource.ts';
import { stopsSending } from '../domain/status.ts';
import type { IntentLine, LedgerLine } from './lines.ts';

/** A stop that a person asked for by hand. */
interface HandStop {
  readonly liveId: LiveId;
  readonly target: string;
  readonly who: string;
  readonly at: string;
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly name: string;
}

/** A request that a run is about to send. */
export interface PlannedWrite {
  readonly accountId: AccountId;
  readonly kind: Kind;
  /** The object that it changes; null for a create. */
  readonly liveId: LiveId | null;
  /** Whether it makes something send: a create, an activation, a resume. */
  readonly starts: boolean;
  /** The name that its change is about, and every object of that change. */
  readonly name: string;
  readonly group: readonly string[];
}

/** The entries of all stops by hand among the lines. */
export function handStopsIn(lines: readonly LedgerLine[]): ReadonlySet<string> {
  return new Set(lines.filter(isHandStop).map(({ entry }) => entry));
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
 * take it back by itself.
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
      });
    }
  }

  /** Why the write must not be sent, with what to do next; null to go on. */
  against(write: PlannedWrite): string | null {
    const stop = [...this.#stops.values()].find((one) => isAgainst(one, write));
    return stop === undefined ? null : words(stop);
  }
}

function isAgainst(stop: HandStop, write: PlannedWrite): boolean {
  if (stop.accountId !== write.accountId || stop.kind !== write.kind) return false;
  if (stop.liveId === write.liveId) return true;
  return write.starts && (stop.name === write.name || write.group.includes(stop.liveId));
}

function words({ who, kind, liveId, target, at }: HandStop): string {
  return `Not sent: ${who} stopped ${kind} ${liveId} by hand (${target}, ${at}) during this run. To see what is left: herald plan. To start it again: herald apply --allow resume`;
}
