import type { Clock } from '../domain/ports.ts';
import { instantText } from './instant-text.ts';
import { LedgerError } from './ledger-errors.ts';
import type { ActLine, IntentLine, LedgerLine } from './lines.ts';
import type { NewStops, PlannedWrite } from './stops.ts';

/** Of these, any other one of the account may be the same. */
const BY_ACCOUNT: readonly string[] = ['payouts.request'];
/** Of these, another one of the same subject may be the same: for the same fan, or in the same chat. */
const BY_SUBJECT: readonly string[] = ['chat.send', 'fans.follow', 'fans.label'];

type Act = Pick<ActLine, 'operation' | 'account_id' | 'subject'>;

/** A list may not show for so long what a finished request has made. */
const MAY_NOT_SHOW_MS = 60_000;

/** What other runs add to the ledger while this one is at work. */
interface OtherRunsPorts {
  /** The lines that they have added since the last call. Throws where the ledger cannot be read. */
  readonly read: () => Promise<readonly LedgerLine[]>;
  /** The ledger, in words. */
  readonly name: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly stops: NewStops;
  /** Entries of requests that this run went by, without those that had long ended. */
  readonly known: ReadonlySet<string>;
}

/** A request of another run, and whether it has ended as far as is known. */
interface Begun {
  readonly line: ActLine | IntentLine;
  end: 'none' | 'carried out' | 'not carried out';
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
  readonly #begun = new Map<string, Begun>();
  #hearing: Promise<unknown> = Promise.resolve();

  /** `unfinished`: lines of unfinished requests at the time at which the run opens the ledger. */
  constructor(ports: OtherRunsPorts, unfinished: readonly LedgerLine[]) {
    this.#ports = ports;
    this.#take(unfinished);
    for (const [entry, { end }] of this.#begun) if (end === 'carried out') this.#begun.delete(entry);
  }

  /** One reading at a time: two at once would each take the same lines, and leave out the next ones. */
  hear(): Promise<readonly LedgerLine[]> {
    const heard = this.#hearing.then(() => this.#hearNow());
    this.#hearing = heard.catch(() => undefined);
    return heard;
  }

  /** Why the write must not be sent by now; null to go on. A ledger that cannot be read is such a reason. */
  async against(write: PlannedWrite): Promise<string | null> {
    return (await this.#unread()) ?? this.#ports.stops.against(write) ?? this.#againstCreate(write);
  }

  /** Whether a person has stopped it while its request was on its way, as far as the ledger can be read. */
  async haveStopped(write: PlannedWrite): Promise<boolean> {
    // The request is out: how it ended must be written down and told, whatever becomes of this reading.
    await this.#unread();
    return this.#ports.stops.against(write) !== null;
  }

  /** An act of this run is about to be sent. */
  begins(entry: string, act: Act): void {
    if (BY_ACCOUNT.includes(act.operation) || BY_SUBJECT.includes(act.operation)) this.#own.set(entry, act);
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
    const { operation, account_id: accountId, subject } = act;
    return this.#words(
      (line) =>
        line.type === 'act' &&
        line.operation === operation &&
        line.account_id === accountId &&
        (BY_ACCOUNT.includes(operation) || line.subject === subject),
    );
  }

  #againstCreate({
    accountId,
    kind,
    name,
    liveId,
    starts,
    planning = 'herald plan',
  }: PlannedWrite): string | null {
    if (liveId !== null || !starts) return null;
    const why = this.#words(
      (line) =>
        line.type === 'intent' && line.account_id === accountId && line.kind === kind && line.name === name,
    );
    return why === null ? null : `Not created, because ${why}. Run "${planning}" again.`;
  }

  #words(isSame: (line: ActLine | IntentLine) => boolean): string | null {
    const same = [...this.#begun.values()].find((one) => isSame(one.line) && this.#counts(one));
    if (same === undefined) return null;
    const { who, sent_at_ms: sentAtMs } = same.line;
    return `a request of ${who} for the same, of ${instantText(sentAtMs)}, came into the ledger meanwhile`;
  }

  #counts({ line, end }: Begun): boolean {
    if (end !== 'carried out') return end === 'none';
    return this.#ports.clock.now() - line.sent_at_ms < MAY_NOT_SHOW_MS;
  }

  async #hearNow(): Promise<readonly LedgerLine[]> {
    const lines = await this.#ports.read();
    this.#ports.stops.add(lines);
    this.#take(lines);
    return lines;
  }

  #take(lines: readonly LedgerLine[]): void {
    for (const line of lines) {
      if (line.type === 'act' || (line.type === 'intent' && line.call === 'create')) {
        if (!this.#ports.known.has(line.entry)) this.#begun.set(line.entry, { line, end: 'none' });
      } else if (line.type === 'outcome') {
        const begun = this.#begun.get(line.entry);
        if (begun === undefined) continue;
        begun.end = endOf(line.outcome);
        // Nearly all lines of another file in the ledger's place are about what ended long ago.
        if (!this.#counts(begun)) this.#begun.delete(line.entry);
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

function endOf(outcome: string): Begun['end'] {
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
