import { instantText } from './instant-text.ts';
import type { ActLine, IntentLine, LedgerLine } from './lines.ts';
import type { NewStops, PlannedWrite } from './stops.ts';

/** Of these, any other one of the account may be the same. */
const BY_ACCOUNT: readonly string[] = ['payouts.request'];
/** Of these, another one of the same subject may be the same: for the same fan, or in the same chat. */
const BY_SUBJECT: readonly string[] = ['chat.send', 'fans.follow', 'fans.label'];

type Act = Pick<ActLine, 'operation' | 'account_id' | 'subject'>;

/** What other runs add to the ledger while this one is at work. */
interface OtherRunsPorts {
  /** The lines that they have added since the last call. Throws where the ledger cannot be read. */
  readonly read: () => Promise<readonly LedgerLine[]>;
  /** The ledger, in words. */
  readonly name: string;
  readonly stops: NewStops;
}

/**
 * What other runs have added to the ledger since this one has read it. A stop by hand needs no lock, and git knows none: a
 * pull may bring their requests while one of this run waits. What these come to may not show in any list yet.
 */
export class OtherRuns {
  readonly #ports: OtherRunsPorts;
  readonly #own = new Map<string, Act>();
  readonly #acts: ActLine[] = [];
  readonly #creates: IntentLine[] = [];

  constructor(ports: OtherRunsPorts) {
    this.#ports = ports;
  }

  async hear(): Promise<readonly LedgerLine[]> {
    const lines = await this.#ports.read();
    this.#ports.stops.add(lines);
    for (const line of lines) {
      if (line.type === 'act') this.#acts.push(line);
      if (line.type === 'intent' && line.call === 'create') this.#creates.push(line);
    }
    return lines;
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
    this.#own.set(entry, act);
  }

  /** Why it must not be sent by now, as the end of a sentence; null to go on, and for any other entry. */
  async againstActOf(entry: string): Promise<string | null> {
    const act = this.#own.get(entry);
    if (act === undefined) return null;
    const { operation, account_id: accountId, subject } = act;
    const unread = await this.#unread();
    if (unread !== null) return unread;
    const same = this.#acts.find(
      (line) =>
        line.operation === operation &&
        line.account_id === accountId &&
        (BY_ACCOUNT.includes(operation) || (BY_SUBJECT.includes(operation) && line.subject === subject)),
    );
    return same === undefined ? null : words(same);
  }

  #againstCreate({ accountId, kind, name, liveId, starts }: PlannedWrite): string | null {
    if (liveId !== null || !starts) return null;
    const same = this.#creates.find(
      (line) => line.account_id === accountId && line.kind === kind && line.name === name,
    );
    return same === undefined ? null : `Nothing was sent, because ${words(same)}. Run "herald plan" again.`;
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

export function unreadable(name: string, error: unknown): string {
  return `${name} cannot be read: ${(error as Error).message}`;
}

function words({ who, sent_at_ms: sentAtMs }: ActLine | IntentLine): string {
  return `a request of ${who} for the same, of ${instantText(sentAtMs)}, came into the ledger meanwhile`;
}
