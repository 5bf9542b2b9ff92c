import type { DiagnosticCode } from '../domain/codes.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { textKey } from '../domain/text-key.ts';
import { TimeCheck } from './check-times.ts';
import { ALL_SERVICES } from './origins.ts';
import type { Passes } from './passes.ts';
import { rawLineOf, type RawLine } from './raw-lines.ts';
import type { Reduced } from './reduced.ts';
import { reductionsOf, planCompaction, type CompactionPlan } from './compaction-plan.ts';
import type { FirstPass } from './first-pass.ts';
import { unfinishedIn, type Unfinished } from './unfinished.ts';

/** How a ledger is. It can be relied on when no finding is an error. */
export interface LedgerHealth {
  readonly findings: readonly Diagnostic[];
  /** Unconfirmed requests, oldest first. */
  readonly unfinished: readonly Unfinished[];
  /** The same of other simulators than the one that the workspace may work with. */
  readonly elsewhere: readonly Elsewhere[];
  readonly bytes: number;
  readonly lines: number;
  /** Live objects that something is known of. */
  readonly objects: number;
  /** Lines that a compaction would put away. */
  readonly finishedLines: number;
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
  /** The ledger's name in messages. */
  readonly name: string;
  /** Of the ledger. */
  readonly bytes: number;
  readonly nowMs: number;
  /** Of the service that the workspace works with; null where that is not known: everything counts then. */
  readonly address: string | null;
  /** How long an unconfirmed request may still succeed. */
  readonly settleMs: number;
  /** What a compaction would keep, as an instant. */
  readonly compactBefore: string;
}

/** A smaller ledger needs no compaction. */
const LARGE_BYTES = 1_048_576;
/** Reading a larger one takes longer than the rest of a plan of one campaign. */
const SLOW_BYTES = 50_000_000;

/** Finds damage, doubtful times, and unconfirmed requests that need a person. */
export function* checkLedger(options: CheckOptions): Passes<LedgerHealth> {
  const { address, bytes, name } = options;
  const unread: RawLine[] = [];
  const times = new TimeCheck(options.nowMs);
  const plan = yield* planCompaction(options.compactBefore, null, (raw) => {
    if (raw.line === null) unread.push(raw);
    else times.take(raw.line, raw.number);
  });
  const { firstPass, movedLines, repeatedLines } = plan;
  const entries = yield* entriesOf(firstPass, times);
  const own = yield* viewOf(plan, address);
  const unfinished = unfinishedIn(own, options);
  const elsewhere = address === null ? [] : elsewhereIn(plan, entries.linesOf, address, options);
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
    lines: firstPass.lines + unread.filter(({ isTorn }) => isTorn).length,
    objects: own.knowledge.objects.size,
    finishedLines: movedLines,
  };
}

/** The view of a run that works with the service of that address. With null, every line counts. */
function* viewOf({ firstPass, views }: CompactionPlan, address: string | null): Passes<Reduced> {
  const known = views.get(address ?? ALL_SERVICES) ?? views.get(ALL_SERVICES);
  if (known !== undefined && (address !== null || views.size === 1)) return known;
  const all = yield* reductionsOf(firstPass, [ALL_SERVICES], ({ origin: _origin, ...line }) => line);
  return all.get(ALL_SERVICES) as Reduced;
}

interface Entries {
  /** Numbers of ends without a begin. */
  readonly orphans: readonly number[];
  /** Numbers of begins that differ from another begin of their entry. */
  readonly conflicts: readonly number[];
  /** How many lines count for each simulator alone. */
  readonly linesOf: ReadonlyMap<string, number>;
}

/** Looks at the begins and ends of entries, now that the first pass knows which are in an unusual order. */
function* entriesOf(firstPass: FirstPass, times: TimeCheck): Passes<Entries> {
  const begins = new Map<string, string>();
  const conflicts: number[] = [];
  if (firstPass.odd.size > 0)
    yield (text, number) => {
      const line = rawLineOf(text, number)?.line;
      if (line?.type !== 'intent' && line?.type !== 'act') return;
      if (!firstPass.odd.has(line.entry)) return;
      const key = textKey(text);
      if ((begins.get(line.entry) ?? key) !== key) conflicts.push(number);
      begins.set(line.entry, key);
      times.begin(line);
    };
  const orphans: number[] = [];
  const linesOf = new Map<string, number>();
  yield (text, number) => {
    const raw = rawLineOf(text, number)?.line;
    if (raw == null) return;
    const { origin } = firstPass.named(raw);
    if (origin !== undefined) linesOf.set(origin, (linesOf.get(origin) ?? 0) + 1);
    if (!('entry' in raw)) return;
    const isOdd = firstPass.odd.has(raw.entry);
    if (raw.type === 'intent' || raw.type === 'act') {
      if (!isOdd) times.begin(raw);
      return;
    }
    if (!firstPass.isBegun(raw.entry)) orphans.push(number);
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
          ? 'This is the mark of a merge conflict. Delete the mark, and keep the lines of both sides.'
          : `This line cannot be read. Restore it from git or a backup. Until then, nothing new is created or started. Without a backup: check on the service that nothing in ${formatCommand('plan')} would go out twice, then delete the line.`,
        number,
      ),
    ),
    ...torn.map(({ number }) =>
      finding(
        'warning',
        'ledger-torn',
        `A crash cut off this line before its request was sent, and it is ignored. To remove it: ${formatCommand('ledger', 'compact')}`,
        number,
      ),
    ),
    ...several(
      later.map(({ number }) => number),
      (numbers) =>
        finding(
          'error',
          'ledger-later',
          `A later version of Herald wrote ${numbers}, and this version ignores that. Update Herald before you change anything with it.`,
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
        `The request that ${numbers} belongs to is missing. Restore the missing lines from git, a backup, or the archive of a compaction. If they are lost: ${formatCommand('ledger', 'compact')} moves lines without a request to an archive.`,
        orphans[0],
      ),
    ),
    ...several(conflicts, (numbers) =>
      finding(
        'error',
        'ledger-conflict',
        `Two requests have the same entry: see ${numbers}. A ledger must not be edited. Restore the file from git.`,
        conflicts[0],
      ),
    ),
  ];
}

function repeats(repeated: number): readonly Diagnostic[] {
  if (repeated === 0) return [];
  const lines = repeated === 1 ? '1 line is' : `${repeated} lines are`;
  return [
    finding(
      'info',
      'ledger-repeated',
      `${lines} in the ledger twice, as after a merge. That is harmless. To remove the copies: ${formatCommand('ledger', 'compact')}`,
    ),
  ];
}

function openFinding({ what, sentAt, ageSec, who, isLate, advice, entry }: Unfinished): Diagnostic {
  // This check does not call the service, so it cannot use the service's clock, which decides.
  const age = `${ageWords(Math.abs(ageSec))} ${ageSec < 0 ? 'ahead of' : 'ago by'} this machine's clock`;
  const since = `Unconfirmed: ${what}, sent by ${who} at ${sentAt}, ${age} (entry ${entry}).`;
  return isLate
    ? finding('error', 'ledger-open', `${since} ${advice}`)
    : finding('warning', 'ledger-open', `${since} It may still succeed: wait, then check again. ${advice}`);
}

/** Requests to another simulator. This check does not judge them, and no compaction moves the unconfirmed ones. */
function elsewhereIn(
  { views }: CompactionPlan,
  linesOf: ReadonlyMap<string, number>,
  address: string,
  options: CheckOptions,
): readonly Elsewhere[] {
  return [...views].flatMap(([name, reduced]) => {
    if (name === ALL_SERVICES || name === address) return [];
    const named = new Set(
      reduced.lines.flatMap((line) => ('entry' in line && line.origin === name ? [line.entry] : [])),
    );
    const unfinished = unfinishedIn(reduced, options).filter(({ entry }) => named.has(entry));
    return [{ simulator: name, lines: linesOf.get(name) ?? 0, unfinished }];
  });
}

function elsewhereFinding({ simulator, lines, unfinished }: Elsewhere): Diagnostic {
  const number = lines === 1 ? '1 line belongs' : `${lines} lines belong`;
  const open = unfinished.map(({ what, entry }) => `${what} (entry ${entry})`).join('; ');
  const ends =
    open === ''
      ? ''
      : ` Unconfirmed there: ${open}. To find out what happened, run ${formatCommand('apply')} with that simulator. If the simulator no longer exists: ${formatCommand('ledger', 'close', unfinished[0]?.entry ?? 'ENTRY', '--because', '…')}`;
  const message = `${number} to the simulator ${simulator} and ${lines === 1 ? 'has' : 'have'} no effect here.${ends}`;
  return finding('info', 'ledger-elsewhere', message);
}

/** Every command reads all of it, so from a certain size on that is worth a warning. */
function large(bytes: number, finishedLines: number): readonly Diagnostic[] {
  if (bytes >= SLOW_BYTES) {
    const size = `The ledger has ${Math.floor(bytes / 1e6)} MB, and every command reads all of it.`;
    const advice =
      finishedLines > 0
        ? `To move ${finishedLines} finished lines to an archive: ${formatCommand('ledger', 'compact')}`
        : `No finished line is old enough to be moved to an archive. To keep fewer days: ${formatCommand('ledger', 'compact', '--keep', '30d')}`;
    return [finding('warning', 'ledger-large', `${size} ${advice}`)];
  }
  if (bytes < LARGE_BYTES || finishedLines === 0) return [];
  const message = `To move ${finishedLines} finished lines to an archive: ${formatCommand('ledger', 'compact')}`;
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
