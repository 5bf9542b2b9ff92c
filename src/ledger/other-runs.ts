import { formatCommand } from '../domain/command-line.ts';
import type { Clock } from '../domain/ports.ts';
import { ageMs, UNKNOWN_SKEW_MS } from './ages.ts';
import { instantText } from './instant-text.ts';
import { LedgerError } from './ledger-errors.ts';
import type { LedgerLine } from './lines.ts';
import type { ConnectedService } from './origins.ts';
import {
  askedFor,
  countsForMs,
  hasLikes,
  isAgainstAct,
  isAgainstWrite,
  type Act,
  type Pulled,
} from './pulled.ts';
import type { NewStops, PlannedWrite } from './stops.ts';

/** What other runs add to the ledger while this one is at work. */
interface OtherRunsPorts {
  /** The lines that they have added since the last call. Throws where the ledger cannot be read. */
  readonly read: () => Promise<readonly LedgerLine[]>;
  /** The ledger, in words. */
  readonly name: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly service: Pick<ConnectedService, 'serverInfo'>;
  readonly stops: NewStops;
  /** Entries of requests that this run went by, without those that had long ended. */
  readonly known: ReadonlySet<string>;
}

/**
 * What other runs have added to the ledger since this one has read it. A stop by hand needs no lock, and git knows none: a
 * pull may bring their requests while one of this run waits. What these come to may not show in any list yet.
 *
 * A pull may also put another file in the ledger's place. Then all of its lines come, and most are about requests that
 * ended long ago.
 */
export class OtherRuns {
  readonly #ports: OtherRunsPorts;
  readonly #own = new Map<string, Act>();
  readonly #pulled = new Map<string, Pulled>();
  #hearing: Promise<unknown> = Promise.resolve();

  /** `unfinished`: lines of unfinished requests at the time at which the run opens the ledger. */
  constructor(ports: OtherRunsPorts, unfinished: readonly LedgerLine[]) {
    this.#ports = ports;
    this.#take(unfinished);
    for (const [entry, { end }] of this.#pulled) if (end === 'carried out') this.#pulled.delete(entry);
  }

  /** One reading at a time: two at once would each take the same lines, and leave out the next ones. */
  hear(): Promise<readonly LedgerLine[]> {
    const heard = this.#hearing.then(() => this.#hearNow());
    this.#hearing = heard.catch(() => undefined);
    return heard;
  }

  /** Why the write must not be sent by now; null to go on. A ledger that cannot be read is such a reason. */
  async against(write: PlannedWrite): Promise<string | null> {
    return (await this.#unread()) ?? this.#ports.stops.against(write) ?? this.#againstWrite(write);
  }

  /** Whether a person has stopped it while its request was on its way, as far as the ledger can be read. */
  async haveStopped(write: PlannedWrite): Promise<boolean> {
    // The request is out: how it ended must be written down and told, whatever becomes of this reading.
    await this.#unread();
    return this.#ports.stops.against(write) !== null;
  }

  /** An act of this run is about to be sent. */
  begins(entry: string, act: Act): void {
    if (hasLikes(act)) this.#own.set(entry, act);
  }

  /**
   * Why it must not be sent by now, as the end of a sentence; null to go on, and for any other entry. Throws `LedgerError` if
   * the ledger cannot be read.
   */
  async againstActOf(entry: string): Promise<string | null> {
    const act = this.#own.get(entry);
    if (act === undefined) return null;
    const unread = await this.#unread();
    if (unread !== null) throw new LedgerError(unread);
    return this.#words((one) => isAgainstAct(act, one, this.#ageMs(one)));
  }

  #againstWrite(write: PlannedWrite): string | null {
    const why = this.#words((one) => isAgainstWrite(write, one, this.#ageMs(one)));
    if (why === null) return null;
    const what = write.liveId === null ? 'Not created' : 'Not sent';
    return `${what}, because ${why}. Run "${write.planning ?? formatCommand('plan')}" again.`;
  }

  #words(isAgainst: (one: Pulled) => boolean): string | null {
    const found = [...this.#pulled.values()].find(isAgainst);
    if (found === undefined) return null;
    const { who, sent_at_ms: sentAtMs } = found.line;
    return `a request of ${who} ${askedFor(found)}, of ${instantText(sentAtMs)}, came into the ledger meanwhile`;
  }

  /** At least. The clocks of two machines may differ, and so may those of two servers. */
  #ageMs({ line }: Pulled): number {
    const { clock, service } = this.#ports;
    const { skewMs } = service.serverInfo();
    const left = { sentAtMs: line.sent_at_ms, skewMs: line.skew_ms ?? null };
    const sinceMs = clock.now() - line.sent_at_ms;
    // Before the first answer of the service, only an age of more than a day is beyond doubt.
    if (skewMs === null) return sinceMs > 2 * UNKNOWN_SKEW_MS ? sinceMs : 0;
    return ageMs(left, { nowMs: clock.now(), skewMs }, 0);
  }

  async #hearNow(): Promise<readonly LedgerLine[]> {
    const lines = await this.#ports.read();
    this.#ports.stops.add(lines);
    this.#take(lines);
    return lines;
  }

  #take(lines: readonly LedgerLine[]): void {
    for (const line of lines) {
      if (line.type === 'act' || line.type === 'intent') {
        if (!this.#ports.known.has(line.entry))
          this.#pulled.set(line.entry, { line, end: 'none', madeId: null });
      } else if (line.type === 'acknowledged') {
        this.#pulled.delete(line.entry);
      } else if (line.type === 'outcome') {
        const pulled = this.#pulled.get(line.entry);
        if (pulled === undefined) continue;
        pulled.end = endOf(line.outcome);
        pulled.madeId = line.live_id;
        // Nearly all lines of another file in the ledger's place are about what ended long ago.
        const isOver = pulled.end === 'carried out' && this.#ageMs(pulled) >= countsForMs(pulled.line);
        if (isOver || pulled.end === 'not carried out') this.#pulled.delete(line.entry);
      }
    }
  }

  async #unread(): Promise<string | null> {
    try {
      await this.hear();
      return null;
    } catch (error) {
      return unreadable(this.#ports.name, error);
    }
  }
}

function endOf(outcome: string): Pulled['end'] {
  if (outcome === 'unknown') return 'none';
  return outcome === 'done' || outcome === 'adopted' ? 'carried out' : 'not carried out';
}

/** The entries that lines are about. */
export function entriesOf(lines: readonly LedgerLine[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => ('entry' in line ? [line.entry] : [])));
}

export function unreadable(name: string, error: unknown): string {
  return `${name} cannot be read: ${(error as Error).message}`;
}
