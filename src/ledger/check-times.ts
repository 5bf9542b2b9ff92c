import type { DiagnosticCode } from '../domain/codes.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { writtenAtMs } from './order.ts';
import type { RawLine } from './raw-lines.ts';

/** Clocks differ by a little everywhere. */
const CLOCK_MARGIN_MS = 30_000;

/**
 * Times that cannot be: lines are put in order by them. How long a lost answer may still commit is judged by the
 * service's clock. Lines that merely stand in another order are what a merge leaves, and harm nothing.
 */
export function ordersAndTimes(raw: readonly RawLine[], nowMs: number): readonly Diagnostic[] {
  return [...timeless(raw), ...fromTheFuture(raw, nowMs), ...endedBeforeBegun(raw), ...outOfOrder(raw)];
}

function timeless(raw: readonly RawLine[]): readonly Diagnostic[] {
  const found = raw.filter(({ line }) => line !== null && Number.isNaN(Date.parse(line.at)));
  return found.map(({ number }) => ({
    severity: 'error',
    code: 'ledger-time',
    message: 'this line bears no time, so its place among the others is not known. Restore it from git.',
    line: number,
  }));
}

function fromTheFuture(raw: readonly RawLine[], nowMs: number): readonly Diagnostic[] {
  const found = raw.filter(({ line }) => line !== null && writtenAtMs(line) > nowMs + CLOCK_MARGIN_MS);
  const [first] = found;
  if (first === undefined) return [];
  return [
    warning(
      first,
      'ledger-future',
      `${counted(found)} a time to come: the clock of the machine that wrote there was ahead, or this one's is behind. Set the clocks: lines are put in order by them.`,
    ),
  ];
}

/** The end of a request stands in the same file and bears an earlier time than its begin. */
function endedBeforeBegun(raw: readonly RawLine[]): readonly Diagnostic[] {
  const begun = new Map<string, number>();
  for (const { line } of raw)
    if (line?.type === 'intent' || line?.type === 'act') begun.set(line.entry, writtenAtMs(line));
  const found = raw.filter(
    ({ line }) => line?.type === 'outcome' && writtenAtMs(line) < (begun.get(line.entry) ?? -Infinity),
  );
  const [first] = found;
  if (first === undefined) return [];
  return [
    warning(
      first,
      'ledger-backwards',
      `${counted(found)} an earlier time than the request that it ends: a clock was set back in between, or two machines' clocks differ. Set the clocks.`,
    ),
  ];
}

function outOfOrder(raw: readonly RawLine[]): readonly Diagnostic[] {
  const timed = raw.flatMap((one) => (one.line === null ? [] : [{ ...one, ms: writtenAtMs(one.line) }]));
  const found = timed.filter(({ ms }, index) => ms < (timed[index - 1]?.ms ?? -Infinity));
  const [first] = found;
  if (first === undefined) return [];
  const times = found.length === 1 ? 'once' : `${found.length} times`;
  return [
    {
      severity: 'info',
      code: 'ledger-order',
      message: `from here on, ${times}, lines stand behind later ones, as after a merge. They are read in the order of their times.`,
      line: first.number,
    },
  ];
}

function warning({ number }: RawLine, code: DiagnosticCode, message: string): Diagnostic {
  return { severity: 'warning', code, message, line: number };
}

function counted(found: readonly RawLine[]): string {
  return found.length === 1 ? 'this line bears' : `this line and ${found.length - 1} more bear`;
}
