import { laterOf, sendTimeOf } from './ages.ts';
import { OutOfOrderFinder, type OutOfOrder } from './out-of-order.ts';
import { effectsOf } from './effects.ts';
import { changeKeyOf, type Held } from './held-entries.ts';
import type { LinePlace } from './object-times.ts';
import type { ActLine, IntentLine, LedgerLine, OutcomeLine } from './lines.ts';
import { isOfItsRun, withOrigin, withOrigins } from './origins.ts';
import { timeOf } from './order.ts';
import { inOrderOfFile, type Placed } from './placed.ts';
import type { QuickPair } from './quick-pair.ts';
import { bounds, isEnd, isOvertaken, reduceLedger, sameChange, saysMore } from './reduce.ts';
import type { Reduced } from './reduced.ts';
import { emptyState, type ReductionState } from './reduction-state.ts';
import { countAgain, handStopsIn, isHandStop } from './stops.ts';
import { saidIn, wordIn } from './word-times.ts';

/** Which entries are needed whatever became of them, by their first lines. */
export type KeepEntry = (begin: IntentLine | ActLine) => boolean;

/** Only what a later line may still be about. */
export const keepNoEntry: KeepEntry = () => false;

type EntryLine = Extract<LedgerLine, { readonly entry: string }>;

/**
 * Takes in a ledger line by line, and holds what is known instead of what was said: an entry is let go of with its end.
 * It comes to what `reduceLedger` makes of all lines at once. Where that depends on the order of the lines, it says so,
 * and a second reduction that knows it from the start (`OutOfOrder`) has the same result.
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
  readonly #keeps: KeepEntry;
  readonly #outOfOrder: OutOfOrder;
  readonly #finder: OutOfOrderFinder;
  readonly #state: ReductionState;
  /** So many of the lines that are taken with care a result has told already, as if no more of them came. */
  #toldTangled: number;

  /** `from`: what an earlier one came to with the lines before. */
  constructor(
    address: string,
    keeps: KeepEntry,
    outOfOrder: OutOfOrder,
    from: ReductionState = emptyState(),
  ) {
    this.#address = address;
    this.#keeps = keeps;
    this.#outOfOrder = outOfOrder;
    this.#finder = new OutOfOrderFinder(outOfOrder);
    this.#state = from;
    this.#toldTangled = from.tangled.length;
  }

  /** What another one has to know to go on from here. Only while this one has found nothing out of order. */
  get state(): ReductionState {
    return this.#state;
  }

  get outOfOrder(): OutOfOrder {
    return this.#outOfOrder;
  }

  /** `number` is that of the line in its file. */
  take(written: LedgerLine, number = this.#state.place + 1): void {
    this.#state.place = number;
    const line = this.#ofItsRun(written);
    if ('entry' in line) this.#takeEntry(line);
    else if (this.#counts(line)) this.#takeOther(line, this.#note(line));
  }

  /**
   * The same as `take` of both, which follow each other. It is faster where no other line was about the entry. Returns
   * false, and takes nothing, where the end may be about another simulator: then the entry is needed with all its parts.
   */
  takePair({ begin, end }: QuickPair, number: number): boolean {
    if (!this.#isNew(begin) || !this.#state.ended.add(begin.entry)) {
      if (begin.run !== end.run) return false;
      this.take(begin, number);
      this.take(end, number + 1);
      return true;
    }
    this.#state.held.fileNewest();
    this.#state.place = number;
    this.#note(this.#ofItsRun(begin));
    this.#state.place = number + 1;
    const said = this.#note(this.#ofItsRun(end));
    if (begin.type === 'intent') this.#heard(begin, end, said);
    return true;
  }

  /** What a second reduction has to know from the start; null where this one is right. */
  foundOutOfOrder(): OutOfOrder | null {
    for (const run of this.#state.misnamed) this.#finder.origin(run, this.#state.origins.get(run));
    for (const held of this.#state.held.all())
      if (held.isSuspect && isEndless(held)) this.#finder.change(changeKeyOf(held.begin));
    const ended = new Set(this.#state.tangled.flatMap(({ line }) => (isEnd(line) ? [line.entry] : [])));
    for (const { line } of this.#state.tangled)
      if (line.type === 'intent' && !ended.has(line.entry)) this.#finder.change(changeKeyOf(line));
    const isMoreTangled = this.#toldTangled > 0 && this.#state.tangled.length > this.#toldTangled;
    return this.#finder.next() ?? (isMoreTangled ? this.#outOfOrder : null);
  }

  result(): Reduced {
    const tangled = this.#takeTangled();
    const held = this.#state.held.all();
    const endless = held.filter(isEndless).flatMap(({ lines }) => lines);
    const { open, creators } = reduceLedger(inOrderOfFile([...endless, ...this.#state.closers, ...tangled]));
    const stops = [...this.#state.stops, ...handStopsIn(tangled.map(({ line }) => line))];
    return {
      knowledge: {
        objects: this.#state.objects.snapshot(),
        creators: new Set([...this.#state.creators, ...creators]),
        open,
        media: this.#state.media.all(),
        handStops: new Set(stops.map(({ entry }) => entry)),
      },
      lineOf: (key, field) => this.#state.objects.lineOf(key, field),
      saidAt: (key, field) => this.#state.objects.saidAt(key, field),
      accountIds: this.#state.accounts.all(),
      accountLineOf: (alias) => this.#state.accounts.lineOf(alias),
      lines: inOrderOfFile([...held.flatMap(({ lines }) => lines), ...tangled]),
      stops,
      answers: this.#state.answers.since(this.#state.lastMs),
      last: this.#state.last === null ? null : timeOf(this.#state.last),
    };
  }

  #ofItsRun(line: LedgerLine): LedgerLine {
    if (!isOfItsRun(line)) return line;
    const { run, origin } = line;
    const isNewsOfIt = origin !== undefined || run !== this.#state.lastBareRun;
    if (!isNewsOfIt && this.#state.origins.size === 0 && this.#outOfOrder.origins.size === 0) return line;
    const known = this.#outOfOrder.origins.get(run) ?? this.#state.origins.get(run);
    if (origin !== undefined) {
      if (origin !== known && this.#state.bareRuns.has(run)) this.#state.misnamed.add(run);
      if (origin !== known) this.#state.origins.set(run, origin);
      return line;
    }
    if (run !== this.#state.lastBareRun) this.#state.bareRuns.add(run);
    this.#state.lastBareRun = run;
    return withOrigin(line, known);
  }

  #counts({ origin }: LedgerLine): boolean {
    return origin === undefined || origin === this.#address;
  }

  /** Everything that any line that counts tells by itself. */
  #note(line: LedgerLine): LinePlace {
    const said = saidIn(line, this.#state.place);
    if (this.#state.last === null || said.ms > this.#state.lastMs) {
      this.#state.last = line;
      this.#state.lastMs = said.ms;
    }
    this.#state.accounts.note(line, said);
    return said;
  }

  #takeOther(line: LedgerLine, said: LinePlace): void {
    if (line.type === 'compacted') for (const creator of line.creators) this.#state.creators.add(creator);
    for (const effect of effectsOf(line, NO_INTENTS)) this.#state.objects.say(effect, said);
  }

  #takeEntry(line: EntryLine): void {
    const { entry } = line;
    // Most of these are empty, and a name costs more to look up than that.
    if (this.#outOfOrder.entries.size > 0 && this.#outOfOrder.entries.has(entry)) {
      this.#state.tangled.push({ line, place: this.#state.place });
      return;
    }
    const held = this.#state.held.get(entry);
    if (line.type === 'intent' || line.type === 'act') {
      const { ended, orphans } = this.#state;
      const isKnown = held !== undefined || ended.has(entry) || (orphans.size > 0 && orphans.has(entry));
      if (isKnown) this.#finder.entry(entry, line, ...(held === undefined ? [] : [held.begin]));
      else if (this.#counts(line)) this.#begin(line);
      return;
    }
    const named = withOrigin(line, held?.begin.origin);
    if (!this.#counts(named)) return;
    const said = this.#note(named);
    if (held !== undefined) this.#goOn(held, named, said);
    else if (!this.#state.ended.has(entry)) this.#state.orphans.add(entry);
    else if (saysMore(named)) this.#finder.entry(entry);
  }

  /** No line about it is held. For certain: not where lines are taken with care, or name simulators. */
  #isNew({ entry }: IntentLine | ActLine): boolean {
    const { held, orphans, origins } = this.#state;
    const { entries, origins: knownOrigins } = this.#outOfOrder;
    if (entries.size + orphans.size + origins.size + knownOrigins.size > 0) return false;
    return held.get(entry) === undefined;
  }

  #begin(line: IntentLine | ActLine): void {
    const { place } = this.#note(line);
    this.#state.held.hold(line, place, this.#keeps(line));
    if (isHandStop(line)) this.#state.stops.push(line);
  }

  /** A line about an entry that was begun before it. */
  #goOn(held: Held, line: Exclude<EntryLine, IntentLine | ActLine>, said: LinePlace): void {
    const { begin } = held;
    held.lines.push({ line, place: said.place });
    if (line.type === 'outcome' && line.outcome === 'unknown') {
      if (!held.isEnded) this.#sentAgain(held, line, said);
      return;
    }
    held.isEnded = true;
    this.#state.held.waitsNoMore(held);
    if (isHandStop(begin)) countAgain(this.#state.stops, begin, held.lines);
    // What became of it, a later line may still say; or a copy of it may still land.
    if (line.type === 'acknowledged' || (isStatus(begin) && line.unheard_ms !== null)) held.stays = true;
    if (begin.type === 'act') this.#state.media.note(held.lines);
    else if (line.type === 'outcome') this.#heard(begin, line, said);
    if (held.stays) return;
    this.#state.held.drop(held);
    this.#state.ended.add(begin.entry);
  }

  #sentAgain(held: Held, { sent_at_ms, skew_ms }: OutcomeLine, { ms }: LinePlace): void {
    if (ms < held.lastMs) this.#finder.change(changeKeyOf(held.begin));
    if (sent_at_ms !== null && !held.isOvertaken)
      held.left = laterOf(held.left ?? sendTimeOf(held.begin), sendTimeOf({ sent_at_ms, skew_ms }));
    held.lastMs = ms;
  }

  /** Applies the outcome of a change to its objects, and to earlier unconfirmed changes. */
  #heard(intent: IntentLine, line: OutcomeLine, said: LinePlace): void {
    const word = wordIn(line, intent, said);
    for (const effect of effectsOf(line, { get: () => intent })) this.#state.objects.say(effect, word);
    const liveId = line.live_id ?? intent.live_id;
    if ((line.outcome !== 'done' && line.outcome !== 'adopted') || liveId === null) return;
    if (intent.call === 'create') {
      // An object that was found and adopted may be another person's: only an answer tells who we are.
      if (line.outcome === 'done' && line.created_by !== null) this.#state.creators.add(line.created_by);
      return;
    }
    const { call, account_id, kind } = intent;
    const change = { call, account_id, live_id: liveId };
    this.#state.objects.heard(change, kind, bounds(intent)[1]);
    this.#state.answers.note(line, intent, said, this.#state.lastMs);
    this.#overtake(sameChange(change), intent, line, said);
  }

  #overtake(key: string, intent: IntentLine, line: OutcomeLine, { ms, place }: LinePlace): void {
    if (this.#outOfOrder.changes.size > 0 && this.#outOfOrder.changes.has(key)) {
      this.#state.closers.push({ line: intent, place }, { line, place });
      return;
    }
    for (const earlier of this.#state.held.waitingFor(key)) {
      if (ms < earlier.lastMs) this.#finder.change(key);
      earlier.lastMs = ms;
      const { begin, left } = earlier;
      if (begin.type === 'act' || !isOvertaken(begin, left ?? sendTimeOf(begin), intent)) continue;
      earlier.isOvertaken = true;
      this.#state.held.waitsNoMore(earlier);
    }
  }

  /** What the entries that were taken with care say, now that all their lines are there. */
  #takeTangled(): readonly Placed[] {
    const named = withOrigins(this.#state.tangled.map(({ line }) => line));
    const own = this.#state.tangled.flatMap(({ place }, index): readonly Placed[] => {
      const line = named[index];
      return line === undefined || !this.#counts(line) ? [] : [{ line, place }];
    });
    const intents = new Map<string, IntentLine>();
    for (const { line } of own) if (line.type === 'intent') intents.set(line.entry, line);
    for (const { line, place } of own) {
      const said = saidIn(line, place);
      this.#state.accounts.note(line, said);
      const intent = 'entry' in line ? intents.get(line.entry) : undefined;
      const word = wordIn(line, intent, said);
      for (const effect of effectsOf(line, intents)) this.#state.objects.say(effect, word);
      this.#state.answers.note(line, intent, said, this.#state.lastMs);
    }
    this.#state.media.note(own);
    this.#toldTangled = this.#state.tangled.length;
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
