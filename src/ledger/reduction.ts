import type { KnowledgeOn } from '../domain/knowledge.ts';
import { AccountIds } from './account-ids.ts';
import { laterOf, leftBefore, leftOf } from './ages.ts';
import { Missed, type Careful } from './careful.ts';
import { effectsOf } from './effects.ts';
import { changeKeyOf, HeldEntries, type Held } from './held-entries.ts';
import { KnownObjects, type Said } from './known-objects.ts';
import type { ActLine, IntentLine, LedgerLine, OutcomeLine } from './lines.ts';
import { MediaInVaults } from './media-on-record.ts';
import { isOfItsRun, withOrigin, withOrigins } from './origins.ts';
import { timeOf, writtenAtMs, type Written } from './order.ts';
import { inOrderOfFile, type Placed } from './placed.ts';
import { bounds, isEnd, reduceLedger, sameChange } from './reduce.ts';
import { SeenNames } from './seen-names.ts';
import { isHandStop } from './stops.ts';

/** Which entries are needed whatever became of them, by their first lines. */
export type Keeps = (begin: IntentLine | ActLine) => boolean;

/** Only what a later line may still be about. */
export const keepsNothing: Keeps = () => false;

type EntryLine = Extract<LedgerLine, { readonly entry: string }>;

/** What the ledger says for one service. */
export interface Reduced {
  readonly knowledge: KnowledgeOn<'record'>;
  /** The id of the account that each alias stood for when it was last used. */
  readonly accountIds: ReadonlyMap<string, string>;
  /**
   * All lines of the entries that a later line may still be about: those without an end, those of which a copy may
   * still land, and those that the reader keeps. In the order of the file.
   */
  readonly lines: readonly LedgerLine[];
  /** The number of the line that has the last word on a field of an object, by `objectKey`; null where none has. */
  readonly lineOf: KnownObjects['lineOf'];
  readonly saidAtMs: KnownObjects['saidAtMs'];
  /** The begins of all stops by hand. */
  readonly stops: readonly IntentLine[];
  /** The time of the line that was written last; null where no line counts. */
  readonly last: Pick<Written, 'at' | 'at_skew_ms'> | null;
}

/**
 * Takes in a ledger line by line, and holds what is known instead of what was said: an entry is let go of with its end.
 * It comes to what `reduceLedger` makes of all lines at once. Where that depends on the order of the lines, it says so,
 * and a second reduction that is told of it from the start (`Careful`) comes to the same.
 *
 * | what stands out of order                           | the second reduction                                   |
 * |----------------------------------------------------|--------------------------------------------------------|
 * | words about one object                             | is not needed: each field has its time                 |
 * | an entry that begins or ends twice, or ends first  | keeps its lines to the end                             |
 * | a change without an end, and a later one before it | keeps the changes of that object to the end            |
 * | a run that names its simulator late                | knows it from the start                                |
 */
export class Reduction {
  readonly #address: string;
  readonly #keeps: Keeps;
  readonly #careful: Careful;
  readonly #missed: Missed;
  readonly #objects = new KnownObjects();
  readonly #accounts = new AccountIds();
  readonly #creators = new Set<string>();
  readonly #media = new MediaInVaults();
  readonly #stops: IntentLine[] = [];
  readonly #held = new HeldEntries(({ call, account_id, live_id, ...begin }) => {
    if (call === 'create') return false;
    return this.#objects.heardUntilMs({ call, account_id, live_id }) >= bounds(begin)[0];
  });
  /** Entries that were let go of. */
  readonly #ended = new SeenNames();
  /** Entries of which an end was seen and no begin. */
  readonly #orphans = new Set<string>();
  /** The simulator that each run has named last. */
  readonly #origins = new Map<string, string>();
  /** Runs with lines that name no simulator, and those that named another one after such a line. */
  readonly #bareRuns = new SeenNames();
  readonly #misnamed = new Set<string>();
  #lastBareRun: string | null = null;
  /** Lines of entries that are taken with care. */
  readonly #tangled: Placed[] = [];
  /** Changes that were heard of, where those are taken with care. */
  readonly #closers: Placed[] = [];
  #place = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #last: Written | null = null;

  constructor(address: string, keeps: Keeps, careful: Careful) {
    this.#address = address;
    this.#keeps = keeps;
    this.#careful = careful;
    this.#missed = new Missed(careful);
  }

  /** `number` is that of the line in its file. */
  take(written: LedgerLine, number = this.#place + 1): void {
    this.#place = number;
    const line = this.#ofItsRun(written);
    if ('entry' in line) this.#takeEntry(line);
    else if (this.#counts(line)) this.#takeOther(line, this.#note(line));
  }

  /** What a second reduction has to know from the start; null where this one is right. */
  missed(): Careful | null {
    for (const run of this.#misnamed) this.#missed.origin(run, this.#origins.get(run));
    for (const held of this.#held.all())
      if (held.isSuspect && isEndless(held)) this.#missed.change(changeKeyOf(held.begin));
    const ended = new Set(this.#tangled.flatMap(({ line }) => (isEnd(line) ? [line.entry] : [])));
    for (const { line } of this.#tangled)
      if (line.type === 'intent' && !ended.has(line.entry)) this.#missed.change(changeKeyOf(line));
    return this.#missed.next();
  }

  result(): Reduced {
    const tangled = this.#takeTangled();
    const held = this.#held.all();
    const endless = held.filter(isEndless).flatMap(({ lines }) => lines);
    const { open, creators } = reduceLedger(inOrderOfFile([...endless, ...this.#closers, ...tangled]));
    const stops = [...this.#stops, ...tangled.map(({ line }) => line).filter(isHandStop)];
    return {
      knowledge: {
        objects: this.#objects.snapshot(),
        creators: new Set([...this.#creators, ...creators]),
        open,
        media: this.#media.all(),
        handStops: new Set(stops.map(({ entry }) => entry)),
      },
      lineOf: (key, field) => this.#objects.lineOf(key, field),
      saidAtMs: (key, field) => this.#objects.saidAtMs(key, field),
      accountIds: this.#accounts.all(),
      lines: inOrderOfFile([...held.flatMap(({ lines }) => lines), ...tangled]),
      stops,
      last: this.#last === null ? null : timeOf(this.#last),
    };
  }

  #ofItsRun(line: LedgerLine): LedgerLine {
    if (!isOfItsRun(line)) return line;
    const { run, origin } = line;
    const isNewsOfIt = origin !== undefined || run !== this.#lastBareRun;
    if (!isNewsOfIt && this.#origins.size === 0 && this.#careful.origins.size === 0) return line;
    const known = this.#careful.origins.get(run) ?? this.#origins.get(run);
    if (origin !== undefined) {
      if (origin !== known && this.#bareRuns.has(run)) this.#misnamed.add(run);
      if (origin !== known) this.#origins.set(run, origin);
      return line;
    }
    if (run !== this.#lastBareRun) this.#bareRuns.add(run);
    this.#lastBareRun = run;
    return withOrigin(line, known);
  }

  #counts({ origin }: LedgerLine): boolean {
    return origin === undefined || origin === this.#address;
  }

  /** Everything that any line that counts tells by itself. */
  #note(line: LedgerLine): Said {
    const said = { ms: writtenAtMs(line), place: this.#place };
    if (this.#last === null || said.ms > this.#lastMs) {
      this.#last = line;
      this.#lastMs = said.ms;
    }
    this.#accounts.note(line, said);
    return said;
  }

  #takeOther(line: LedgerLine, said: Said): void {
    if (line.type === 'compacted') for (const creator of line.creators) this.#creators.add(creator);
    for (const effect of effectsOf(line, NO_INTENTS)) this.#objects.say(effect, said);
  }

  #takeEntry(line: EntryLine): void {
    const { entry } = line;
    if (this.#careful.entries.has(entry)) {
      this.#tangled.push({ line, place: this.#place });
      return;
    }
    const held = this.#held.get(entry);
    if (line.type === 'intent' || line.type === 'act') {
      const isKnown = held !== undefined || this.#ended.has(entry) || this.#orphans.has(entry);
      if (isKnown) this.#missed.entry(entry, line, ...(held === undefined ? [] : [held.begin]));
      else if (this.#counts(line)) this.#begin(line);
      return;
    }
    const named = withOrigin(line, held?.begin.origin);
    if (!this.#counts(named)) return;
    const said = this.#note(named);
    if (held !== undefined) this.#goOn(held, named, said);
    else if (!this.#ended.has(entry)) this.#orphans.add(entry);
    else if (saysMore(named)) this.#missed.entry(entry);
  }

  #begin(line: IntentLine | ActLine): void {
    const { place } = this.#note(line);
    this.#held.hold(line, place, this.#keeps(line));
    if (isHandStop(line)) this.#stops.push(line);
  }

  /** A line about an entry that was begun before it. */
  #goOn(held: Held, line: Exclude<EntryLine, IntentLine | ActLine>, said: Said): void {
    const { begin } = held;
    held.lines.push({ line, place: said.place });
    if (line.type === 'outcome' && line.outcome === 'unknown') {
      if (!held.isEnded) this.#sentAgain(held, line, said);
      return;
    }
    held.isEnded = true;
    this.#held.waitsNoMore(held);
    // What became of it, a later line may still say; or a copy of it may still land.
    if (line.type === 'acknowledged' || (isStatus(begin) && line.unheard_ms !== null)) held.stays = true;
    if (begin.type === 'act') this.#media.note(held.lines);
    else if (line.type === 'outcome') this.#heard(begin, line, said);
    if (held.stays) return;
    this.#held.drop(held);
    this.#ended.add(begin.entry);
  }

  #sentAgain(held: Held, { sent_at_ms, skew_ms }: OutcomeLine, { ms }: Said): void {
    if (ms < held.lastMs) this.#missed.change(changeKeyOf(held.begin));
    if (sent_at_ms !== null && !held.isOvertaken)
      held.left = laterOf(held.left ?? leftOf(held.begin), leftOf({ sent_at_ms, skew_ms }));
    held.lastMs = ms;
  }

  /** Applies the outcome of a change to its objects, and to earlier unconfirmed changes. */
  #heard(intent: IntentLine, line: OutcomeLine, said: Said): void {
    for (const effect of effectsOf(line, { get: () => intent })) this.#objects.say(effect, said);
    const liveId = line.live_id ?? intent.live_id;
    if ((line.outcome !== 'done' && line.outcome !== 'adopted') || liveId === null) return;
    if (intent.call === 'create') {
      // An object that was found and adopted may be another person's: only an answer tells who we are.
      if (line.outcome === 'done' && line.created_by !== null) this.#creators.add(line.created_by);
      return;
    }
    const { call, account_id, kind } = intent;
    const change = { call, account_id, live_id: liveId };
    this.#objects.heard(change, kind, bounds(intent)[1]);
    this.#overtake(sameChange(change), intent, line, said);
  }

  #overtake(key: string, intent: IntentLine, line: OutcomeLine, { ms, place }: Said): void {
    if (this.#careful.changes.has(key)) {
      this.#closers.push({ line: intent, place }, { line, place });
      return;
    }
    for (const earlier of this.#held.waitingFor(key)) {
      if (ms < earlier.lastMs) this.#missed.change(key);
      earlier.lastMs = ms;
      if (!leftBefore(earlier.left ?? leftOf(earlier.begin), leftOf(intent))) continue;
      earlier.isOvertaken = true;
      this.#held.waitsNoMore(earlier);
    }
  }

  /** What the entries that were taken with care say, now that all their lines are there. */
  #takeTangled(): readonly Placed[] {
    const named = withOrigins(this.#tangled.map(({ line }) => line));
    const own = this.#tangled.flatMap(({ place }, index): readonly Placed[] => {
      const line = named[index];
      return line === undefined || !this.#counts(line) ? [] : [{ line, place }];
    });
    const intents = new Map<string, IntentLine>();
    for (const { line } of own) if (line.type === 'intent') intents.set(line.entry, line);
    for (const { line, place } of own) {
      const said = { ms: writtenAtMs(line), place };
      this.#accounts.note(line, said);
      for (const effect of effectsOf(line, intents)) this.#objects.say(effect, said);
    }
    this.#media.note(own);
    return own;
  }
}

const NO_INTENTS: ReadonlyMap<string, IntentLine> = new Map();

function isEndless({ begin, isEnded, isOvertaken }: Held): boolean {
  return begin.type === 'intent' && !isEnded && !isOvertaken;
}

function isStatus(begin: IntentLine | ActLine): boolean {
  return begin.type === 'intent' && begin.call === 'status';
}

/** Whether a second end of an entry may tell something that the first one did not. */
function saysMore(line: EntryLine): boolean {
  if (line.type !== 'outcome') return false;
  const { outcome, for_good, unheard_ms } = line;
  return (
    outcome === 'done' || outcome === 'adopted' || for_good === true || (isEnd(line) && unheard_ms !== null)
  );
}
