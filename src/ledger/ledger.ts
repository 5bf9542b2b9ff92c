import { elapsedMs, momentOf, type Moment } from '../domain/elapsed.ts';
import type { Lease } from '../domain/lease.ts';
import type { LedgerStore, LedgerWriter } from '../domain/ledger-store.ts';
import type { Clock } from '../domain/ports.ts';
import { Ages } from './ages.ts';
import type {
  ActLine,
  IntentLine,
  LedgerLine,
  OutcomeLine,
  ProtectionLine,
  RewriteLine,
  SeenLine,
} from './lines.ts';
import { inView, type ConnectedService } from './origins.ts';
import { parseLine } from './parse.ts';
import { LedgerError, LockLostError } from './ledger-errors.ts';
import type { LedgerPorts } from './ledger-ports.ts';
import { LineRecorder } from './line-recorder.ts';
import { linesMissing } from './lines-missing.ts';
import { LedgerReader, type LedgerReading } from './reader.ts';
import { entriesOf, OtherRuns, unreadable } from './other-runs.ts';
import { NewStops, type PlannedWrite } from './stops.ts';
import { EntryNumbers } from './entry-numbers.ts';
import { LateStatusChanges } from './late-status-changes.ts';
import { LineOrder } from './line-order.ts';
import { withoutTexts } from './without-texts.ts';

/** What the ledger itself adds to every line. */
type Added = 'v' | 'at' | 'at_skew_ms' | 'after_ms' | 'run' | 'type' | 'origin' | 'skew_ms';
export type Intent = Omit<IntentLine, Added | 'entry' | 'who' | 'sent_at_ms' | 'protect'> &
  Partial<Pick<IntentLine, 'protect'>>;
export type NewAct = Omit<ActLine, Added | 'entry' | 'who' | 'sent_at_ms'>;
export type Conclusion = Omit<OutcomeLine, Added | 'entry' | 'unheard_ms'> & {
  readonly unheard_ms?: number | null;
};

/**
 * The append-only record of what Herald did. Every line is on the disk before its method resolves:
 * an intent before its request leaves, an outcome as soon as it is known. Only `intend` throws when the
 * disk fails: what has happened already must still be reported, and `problem` says that it is not on record.
 */
export class Ledger {
  readonly #writer: LedgerWriter;
  readonly #recorder: LineRecorder;
  readonly #store: LedgerStore;
  /** Null where this run writes while another one has the lease. */
  readonly #lease: Lease | null;
  readonly #clock: Clock;
  readonly #identity: LedgerPorts['identity'];
  readonly #service: ConnectedService;
  /** How old requests on record are. */
  readonly ages: Ages;
  /** Copies of status changes that may still land. */
  readonly lateChanges: LateStatusChanges;
  readonly #order: LineOrder;
  readonly #written: string[] = [];
  readonly #begun = new Map<string, Moment>();
  /** The skew that was known when the last copy of each entry of this run left; null where none was. */
  readonly #skewsMs = new Map<string, number | null>();
  readonly #numbers: EntryNumbers;
  readonly #others: OtherRuns;
  #leaseLost: string | null = null;
  /** Why it is not known whether other runs have removed lines of this one. */
  #unread: string | null = null;

  private constructor(writer: LedgerWriter, lease: Lease | null, ports: LedgerPorts, reading: LedgerReading) {
    const { store, rescue, clock, identity, service, handStops } = ports;
    const { knowledge, lines, stops } = reading;
    this.#order = new LineOrder(reading);
    this.#numbers = ports.numbers ?? new EntryNumbers();
    const newStops = new NewStops(handStops ?? knowledge.handStops, identity.run);
    newStops.add(stops);
    const others = lines.filter(({ run }) => run !== identity.run);
    const known = ports.entries ?? entriesOf(lines);
    const about = { name: store.name, clock, service, stops: newStops, known };
    this.#others = new OtherRuns({ read: () => this.#readOthers(), ...about }, others);
    this.lateChanges = new LateStatusChanges(lines);
    this.ages = ports.ages ?? new Ages(clock, service);
    this.#writer = writer;
    this.#recorder = new LineRecorder({ writer, name: store.name, rescue, run: identity.run });
    this.#lease = lease;
    this.#store = store;
    this.#clock = clock;
    this.#identity = identity;
    this.#service = service;
  }

  /** Opens it for a run that has the lease: no other run changes anything meanwhile. */
  static async open({ lease, ...ports }: LedgerPorts & { readonly lease: Lease }): Promise<Ledger> {
    return Ledger.#opened(ports, lease);
  }

  /** Opens it while another run has the lease. Everything that is there stays; lines are only added. */
  static async join(ports: LedgerPorts): Promise<Ledger> {
    return Ledger.#opened(ports, null);
  }

  static async #opened(ports: LedgerPorts, lease: Lease | null): Promise<Ledger> {
    const { store, service, reader = new LedgerReader(store, service.address) } = ports;
    // Opened first, so that no line is missed that is added while it is read.
    const writer = await store.openToAppend(lease);
    try {
      return new Ledger(writer, lease, ports, await reader.read());
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  /** Why the write must not be sent by now, by what other runs have added since; null to go on. */
  stopAgainst(write: PlannedWrite): Promise<string | null> {
    return this.#others.against(write);
  }

  /** The same for the entry of an act, as the end of a sentence. Null for any other entry. */
  othersAgainst(entry: string): Promise<string | null> {
    return this.#others.againstActOf(entry);
  }

  /** Whether a person has stopped it while its request was on its way. */
  stoppedMeanwhile(write: PlannedWrite): Promise<boolean> {
    return this.#others.haveStopped(write);
  }

  /** Takes in what other runs have added since. */
  hearOthers(): Promise<readonly LedgerLine[]> {
    return this.#others.hear();
  }

  async #readOthers(): Promise<readonly LedgerLine[]> {
    const added = (await this.#writer.readAdded()).flatMap((text) => parseLine(text) ?? []);
    const others = inView(added, this.#service.address).filter(({ run }) => run !== this.#identity.run);
    this.lateChanges.add(others);
    this.#order.know(others);
    return others;
  }

  /** Adds again what is missing: a compaction by another run may have replaced the ledger, or git, which knows no lease. */
  async keepWritten(): Promise<void> {
    try {
      if (this.#lease !== null && (await this.#writer.wasReplaced?.()) !== true) return;
      for (const line of await linesMissing(this.#store, this.#written)) await this.#recorder.keep(line);
    } catch (error) {
      this.#unread ??= unreadable(this.#store.name, error);
    }
  }

  /** Opens an entry right before its request is sent; the entry's name closes it again. */
  async intend(intent: Intent): Promise<string> {
    const entry = await this.#open('intent', intent);
    this.lateChanges.intended(entry, intent);
    return entry;
  }

  /** The same for an imperative request; `conclude` closes it. */
  async begin(act: NewAct): Promise<string> {
    const entry = await this.#open('act', act);
    this.#others.begins(entry, act);
    return entry;
  }

  /** Milliseconds since this run opened the entry, at most. */
  ageMs(entry: string): number {
    return elapsedMs(this.#clock, this.#begun.get(entry) ?? momentOf(this.#clock));
  }

  /** Why this run's lock is another's by now, so that nothing more may be sent; null while it is its own. */
  async lockLost(): Promise<string | null> {
    this.#leaseLost ??= (await this.#lease?.lost()) ?? null;
    return this.leaseLost;
  }

  /** The same as far as this run has noticed it. */
  get leaseLost(): string | null {
    return this.#leaseLost ?? this.#recorder.leaseLost;
  }

  /** A copy of the entry's request leaves now: from here on its age is measured. */
  departs(entry: string): void {
    this.ages.leaves(entry);
  }

  /** A person has looked at what this entry is about; `because` says what they found. */
  async acknowledge(entry: string, because?: string): Promise<void> {
    const words = because === undefined ? {} : { because };
    await this.#announce({ type: 'acknowledged', entry, who: this.#identity.who, ...words });
  }

  /** Times of earlier runs are those that `ages` told: on this machine's clock. */
  async conclude(entry: string, conclusion: Conclusion): Promise<void> {
    const { outcome, unheard_ms = null, sent_at_ms } = conclusion;
    const isTimed = unheard_ms !== null || sent_at_ms !== null;
    const leftWithMs = this.#skewsMs.get(entry);
    const skew_ms = leftWithMs === undefined ? this.#service.serverInfo().skewMs : leftWithMs;
    this.lateChanges.concluded(entry, { outcome, unheard_ms, skew_ms });
    await this.#write({ type: 'outcome', entry, ...conclusion, ...(isTimed ? { skew_ms } : {}) });
  }

  /**
   * One more copy of the entry's request is about to leave: were this process killed now, the next run must wait for
   * this one and not for the first. The entry's own end takes the place of it. Gives why it is not on record, so that it
   * is not sent; null once it is.
   */
  async leavesAgain(entry: string): Promise<string | null> {
    const nowMs = this.#clock.now();
    this.#leaves(entry);
    await this.conclude(entry, {
      outcome: 'unknown',
      live_id: null,
      created_by: null,
      list_ids: null,
      message: 'sent again',
      sent_at_ms: nowMs,
      unheard_ms: nowMs,
    });
    return this.problem;
  }

  /** Remembers a live object as ours without having written it. */
  async sawAsDeclared(seen: Omit<SeenLine, Added>): Promise<void> {
    await this.#write({ type: 'seen', ...seen });
  }

  /** Remembers that a live object is protected, whatever becomes of its lines in the files, or no longer. */
  async protection(protection: Omit<ProtectionLine, Added | 'who'>): Promise<void> {
    await this.#write({ type: 'protection', who: this.#identity.who, ...protection });
  }

  async rewritten(rewrite: Omit<RewriteLine, Added>): Promise<void> {
    await this.#write({ type: 'rewrite', ...rewrite });
  }

  /** Why lines are missing from the ledger; null while all of them are on the disk. */
  get problem(): string | null {
    return this.#recorder.problem ?? this.#unread;
  }

  /** Why this run must begin nothing new; null to go on. */
  get halted(): string | null {
    return this.leaseLost ?? this.problem;
  }

  /** The file with the lines that the ledger misses; null if there is none. */
  get rescuedIn(): string | null {
    return this.#recorder.rescuedIn;
  }

  async close(): Promise<void> {
    await this.#writer.close();
  }

  async #open(type: 'intent' | 'act', parts: Intent | NewAct): Promise<string> {
    const entry = `${this.#identity.run}-${this.#numbers.next()}`;
    const skew_ms = this.#leaves(entry);
    const sent = { sent_at_ms: this.#clock.now(), skew_ms, who: this.#identity.who };
    // Before it is written, which can take long: the next run goes by the time in the line.
    this.#begun.set(entry, momentOf(this.#clock));
    await this.#announce({ type, ...parts, entry, ...sent });
    return entry;
  }

  /** Where the service's clock stands as far as it is known; a clock that is set later must not change that. */
  #leaves(entry: string): number | null {
    const { skewMs } = this.#service.serverInfo();
    this.#skewsMs.set(entry, skewMs);
    this.departs(entry);
    return skewMs;
  }

  /** Throws unless the line is in the ledger. */
  async #announce(parts: Readonly<Record<string, unknown>>): Promise<void> {
    if (await this.#recorder.announce(this.#line(parts))) return;
    if (this.leaseLost !== null) throw new LockLostError(this.leaseLost);
    throw new LedgerError(this.problem ?? '', this.#recorder.next);
  }

  async #write(parts: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#recorder.keep(this.#line(parts));
  }

  #line(given: Readonly<Record<string, unknown>>): string {
    const parts = this.#store.keepsTexts === false ? withoutTexts(given) : given;
    const at = new Date(this.#clock.now()).toISOString();
    const { skewMs, isSimulator } = this.#service.serverInfo();
    const origin = isSimulator ? { origin: this.#service.address } : {};
    const skew = skewMs === (parts['skew_ms'] ?? null) ? {} : { at_skew_ms: skewMs };
    const line = this.#order.textOf({ v: 1, at, ...skew, run: this.#identity.run, ...origin, ...parts });
    this.#written.push(line);
    return line;
  }
}
