import type { DiagnosticCode } from '../domain/codes.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { textKey } from '../domain/text-key.ts';
import { TimeCheck } from './check-times.ts';
import { EVERYBODY } from './origins.ts';
import type { Passes } from './passes.ts';
import { rawLineOf, type RawLine } from './raw-lines.ts';
import type { Reduced } from './reduction.ts';
import { reductionsOf, settledBefore, type Settled } from './settled.ts';
import type { Survey } from './survey.ts';
import { unfinishedIn, type Unfinished } from './unfinished.ts';

/** How a ledger is. It can be relied on when no finding is an error. */
export interface LedgerHealth {
  readonly findings: readonly Diagnostic[];
  /** Requests whose end is not on record, oldest first. */
  readonly unfinished: readonly Unfinished[];
  /** The same of other simulators than the one that the workspace may work with. */
  readonly elsewhere: readonly Elsewhere[];
  readonly bytes: number;
  readonly lines: number;
  /** Live objects that something is known of. */
  readonly objects: number;
  /** Lines that a compaction would put away. */
  readonly settledLines: number;
}

/** What one of the other simulators that the ledger names was asked. */
interface Elsewhere {
  /** Its address. */
  readonly simulator: string;
  /** Lines that count for it alone. */
  readonly lines: number;
  readonly unfinished: readonly Unfinished[];
}

export interface CheckOptions {
  /** How the ledger is called. */
  readonly name: string;
  /** Of the ledger. */
  readonly bytes: number;
  readonly nowMs: number;
  /** Of the service that the workspace works with; null where that is not known: everything counts then. */
  readonly address: string | null;
  /** How long a request whose answer was lost may still be carried out. */
  readonly settleMs: number;
  /** What a compaction would keep, as an instant. */
  readonly compactBefore: string;
}

/** Below this a ledger is small enough, whatever stands in it. */
const LARGE_BYTES = 1_048_576;
/** From here on reading it takes longer than everything else that a plan of one campaign does. */
const SLOW_BYTES = 50_000_000;

/** Looks for everything that makes a ledger say less than it was told, or that waits for somebody. */
export function* checkLedger(options: CheckOptions): Passes<LedgerHealth> {
  const { address, bytes, name } = options;
  const unread: RawLine[] = [];
  const times = new TimeCheck(options.nowMs);
  const settled = yield* settledBefore(options.compactBefore, false, (raw) => {
    if (raw.line === null) unread.push(raw);
    else times.take(raw.line, raw.number);
  });
  const { survey, movedLines, repeatedLines } = settled;
  const entries = yield* entriesOf(survey, times);
  const own = yield* viewOf(settled, address);
  const unfinished = unfinishedIn(own, options);
  const elsewhere = address === null ? [] : elsewhereIn(settled, entries.linesOf, address, options);
  const findings = [
    ...unreadable(unread),
    ...lonely(entries),
    ...times.findings(),
    ...repeats(repeatedLines),
    ...unfinished.map(openFinding),
    ...elsewhere.map(elsewhereFinding),
    ...large(bytes, movedLines),
  ];
  return {
    findings: findings.map(({ line, ...found }) => ({
      ...found,
      file: name,
      ...(line === undefined ? {} : { line }),
    })),
    unfinished,
    elsewhere,
    bytes,
    lines: survey.lines + unread.filter(({ isTorn }) => isTorn).length,
    objects: own.knowledge.objects.size,
    settledLines: movedLines,
  };
}

/** What is known to whoever works with the service of that address; null where every line counts. */
function* viewOf({ survey, views }: Settled, address: string | null): Passes<Reduced> {
  const known = views.get(address ?? EVERYBODY) ?? views.get(EVERYBODY);
  if (known !== undefined && (address !== null || views.size === 1)) return known;
  const all = yield* reductionsOf(survey, [EVERYBODY], ({ origin: _origin, ...line }) => line);
  return all.get(EVERYBODY) as Reduced;
}

interface Entries {
  /** Numbers of ends without a begin. */
  readonly orphans: readonly number[];
  /** Numbers of begins that differ from another begin of their entry. */
  readonly conflicts: readonly number[];
  /** How many lines count for each simulator alone. */
  readonly linesOf: ReadonlyMap<string, number>;
}

/** Looks at the begins and ends of entries, now that the survey knows which are in an unusual order. */
function* entriesOf(survey: Survey, times: TimeCheck): Passes<Entries> {
  const begins = new Map<string, string>();
  const conflicts: number[] = [];
  if (survey.odd.size > 0)
    yield (text, number, isTorn) => {
      const line = rawLineOf(text, number, isTorn)?.line;
      if (line?.type !== 'intent' && line?.type !== 'act') return;
      if (!survey.odd.has(line.entry)) return;
      const key = textKey(text);
      if ((begins.get(line.entry) ?? key) !== key) conflicts.push(number);
      begins.set(line.entry, key);
      times.begin(line);
    };
  const orphans: number[] = [];
  const linesOf = new Map<string, number>();
  yield (text, number, isTorn) => {
    const raw = rawLineOf(text, number, isTorn)?.line;
    if (raw == null) return;
    const { origin } = survey.named(raw);
    if (origin !== undefined) linesOf.set(origin, (linesOf.get(origin) ?? 0) + 1);
    if (!('entry' in raw)) return;
    const isOdd = survey.odd.has(raw.entry);
    if (raw.type === 'intent' || raw.type === 'act') {
      if (!isOdd) times.begin(raw);
      return;
    }
    if (!survey.isBegun(raw.entry)) orphans.push(number);
    times.takeEnd(raw, number, isOdd);
  };
  return { orphans, conflicts, linesOf };
}

function finding(
  severity: Diagnostic['severity'],
  code: DiagnosticCode,
  message: string,
  line?: number,
): Diagnostic {
  return { severity, code, message, ...(line === undefined ? {} : { line }) };
}

function unreadable(raw: readonly RawLine[]): readonly Diagnostic[] {
  const later = raw.filter(({ isLater }) => isLater);
  const damaged = raw.filter(({ line, isLater, isTorn }) => line === null && !isLater && !isTorn);
  const torn = raw.filter(({ isTorn }) => isTorn);
  return [
    ...damaged.map(({ number, isMergeMark }) =>
      finding(
        'error',
        'ledger-damaged',
        isMergeMark
          ? 'this is a mark of a merge conflict. Take out the mark and keep the lines of both sides.'
          : 'this line cannot be read, so what it said is not known. Restore it from git or a backup; if there is none, read herald plan with care and take the line out.',
        number,
      ),
    ),
    ...torn.map(({ number }) =>
      finding(
        'warning',
        'ledger-torn',
        'a crash cut this last line short. The next run that changes something takes it out by itself.',
        number,
      ),
    ),
    ...several(
      later.map(({ number }) => number),
      (numbers) =>
        finding(
          'error',
          'ledger-later',
          `a later version of Herald wrote ${numbers}; this one passes over it. Update Herald before it changes anything here.`,
          later[0]?.number,
        ),
    ),
  ];
}

/** Ends without a begin, and begins that differ under one name: the file was edited, or lines of it are gone. */
function lonely({ orphans, conflicts }: Entries): readonly Diagnostic[] {
  return [
    ...several(orphans, (numbers) =>
      finding(
        'error',
        'ledger-orphan',
        `what ${numbers} tells the end of is missing, so what it made is not known. Restore the missing lines from git or a backup (a compaction's archive has the ones that it put away); herald ledger compact puts lines without a begin away.`,
        orphans[0],
      ),
    ),
    ...several(conflicts, (numbers) =>
      finding(
        'error',
        'ledger-conflict',
        `${numbers} begins an entry that another line begins differently. Lines of a ledger are never edited: restore the file from git.`,
        conflicts[0],
      ),
    ),
  ];
}

function repeats(repeated: number): readonly Diagnostic[] {
  if (repeated === 0) return [];
  const lines = repeated === 1 ? '1 line stands' : `${repeated} lines stand`;
  return [
    finding(
      'info',
      'ledger-repeated',
      `${lines} twice, as after a merge. That is harmless; herald ledger compact takes them out.`,
    ),
  ];
}

function openFinding({ what, sentAt, ageSec, who, isLate, advice, entry }: Unfinished): Diagnostic {
  // Nothing is asked of the service here, whose clock settles it.
  const age = `${ageWords(Math.abs(ageSec))} ${ageSec < 0 ? 'ahead of' : 'ago by'} this machine's clock`;
  const since = `${what}, sent by ${who} at ${sentAt} (${age}), has no end on record (entry ${entry}).`;
  return isLate
    ? finding('error', 'ledger-open', `${since} ${advice}`)
    : finding(
        'warning',
        'ledger-open',
        `${since} It may still be under way: wait, then look again. ${advice}`,
      );
}

/** What was asked of another simulator is judged by nothing here, and is never put away while it is open. */
function elsewhereIn(
  { views }: Settled,
  linesOf: ReadonlyMap<string, number>,
  address: string,
  options: CheckOptions,
): readonly Elsewhere[] {
  return [...views].flatMap(([name, reduced]) => {
    if (name === EVERYBODY || name === address) return [];
    const named = new Set(
      reduced.lines.flatMap((line) => ('entry' in line && line.origin === name ? [line.entry] : [])),
    );
    const unfinished = unfinishedIn(reduced, options).filter(({ entry }) => named.has(entry));
    return [{ simulator: name, lines: linesOf.get(name) ?? 0, unfinished }];
  });
}

function elsewhereFinding({ simulator, lines, unfinished }: Elsewhere): Diagnostic {
  const number = lines === 1 ? '1 line is' : `${lines} lines are`;
  const open = unfinished.map(({ what, entry }) => `${what} (entry ${entry})`).join('; ');
  const ends =
    open === ''
      ? ''
      : ` No end is on record of ${open}. Work with that simulator again to settle it, or, where it is gone for good: herald ledger close ${unfinished[0]?.entry ?? ''} --because "…".`;
  const message = `${number} about the simulator ${simulator}, and count${lines === 1 ? 's' : ''} for nobody else.${ends}`;
  return finding('info', 'ledger-elsewhere', message);
}

/** Every command reads all of it, so from a certain size on that is worth a warning. */
function large(bytes: number, settledLines: number): readonly Diagnostic[] {
  if (bytes >= SLOW_BYTES) {
    const size = `the ledger has ${Math.floor(bytes / 1e6)} MB, and every command reads all of it.`;
    const advice =
      settledLines > 0
        ? `${settledLines} settled lines can be put away: herald ledger compact.`
        : 'Nothing in it is old enough to be put away: herald ledger compact --keep 30d keeps fewer days.';
    return [finding('warning', 'ledger-large', `${size} ${advice}`)];
  }
  if (bytes < LARGE_BYTES || settledLines === 0) return [];
  const message = `${settledLines} settled lines could be put away: herald ledger compact.`;
  return [finding('info', 'ledger-large', message)];
}

/** `line 3`, `lines 3, 7 and 12`, `lines 3, 7, 12 and 40 more`. */
function several(found: readonly number[], say: (numbers: string) => Diagnostic): readonly Diagnostic[] {
  const [first, ...others] = found;
  if (first === undefined) return [];
  if (others.length === 0) return [say(`line ${first}`)];
  const shown = [first, ...others].slice(0, 5);
  const left = found.length - shown.length;
  const last = left > 0 ? `${left} more` : String(shown.pop() ?? '');
  return [say(`lines ${shown.join(', ')} and ${last}`)];
}

/** `5 s`, `12 min`, `3 h`, `40 days`. */
function ageWords(seconds: number): string {
  if (seconds < 120) return `${Math.max(0, Math.floor(seconds))} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
