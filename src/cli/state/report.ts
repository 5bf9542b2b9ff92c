import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { LeaseRecord } from '../../domain/lease.ts';
import type { SharedState } from '../../domain/ledger-store.ts';
import type { StateChange, StateReport } from '../../domain/reports.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { parseLine } from '../../ledger/parse.ts';
import { byteWords } from '../../render/byte-words.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';

const WRITERS_MAX = 5;

export interface StateReportParts {
  readonly findings?: readonly Diagnostic[];
  readonly change?: StateChange;
  /** Printed as text, in place of the report. */
  readonly words?: Visible;
}

/** Prints how a state is, as a document or in words. */
export async function reportState(
  context: Context,
  state: SharedState,
  { findings = [], change, words }: StateReportParts,
): Promise<void> {
  const format = chooseFormat(context, REPORT_FORMATS);
  if (format === 'text' && words !== undefined) return context.output.result(words);
  const report = { ...(await reportOf(state)), findings: [...findings], change: change ?? null };
  context.output.result(format === 'json' ? renderJson(report) : wordsOf(report));
}

/** Reads all lines, also of a ledger that was moved to another place. */
async function reportOf({ ledger, leases }: SharedState): Promise<StateReport> {
  const { transfer } = ledger;
  /** The last time of each writer. */
  const writers = new Map<string, string>();
  let lines = 0;
  let bytes = 0;
  for await (const page of transfer.lines())
    for (const text of page) {
      lines += 1;
      bytes += Buffer.byteLength(text) + 1;
      const line = parseLine(text);
      if (line !== null && 'who' in line) writers.set(line.who, line.at);
    }
  const newest = [...writers].toSorted(([, left], [, right]) => (left < right ? 1 : -1));
  const lease = await leases.record();
  const mark = await transfer.mark();
  return {
    schema: 'herald/state/1',
    place: ledger.name,
    lines,
    bytes,
    holder: lease === null || lease.life === 'dead' ? null : lease.words,
    lease: lease === null ? null : leaseOf(lease),
    writers: newest.slice(0, WRITERS_MAX).map(([who, last_at]) => ({ who, last_at })),
    moved_to: mark?.type === 'moved' ? mark.other.name : null,
    findings: [],
    change: null,
  };
}

function leaseOf({ words, since, until, life }: LeaseRecord): StateReport['lease'] {
  return { holder: words, since, until, life };
}

function wordsOf({ place, lines, bytes, lease, writers, moved_to: movedTo }: StateReport): Visible {
  return joined(
    [
      shown`Ledger: ${place}, ${count(lines, 'line')}, ${byteWords(bytes)}.`,
      ...(movedTo === null ? [] : [shown`It was moved to ${movedTo}, and is not used here.`]),
      leaseWords(lease),
      ...writers.map(({ who, last_at: at }) => shown`Last written by ${who} at ${at}.`),
    ],
    '\n',
  );
}

function leaseWords(lease: StateReport['lease']): Visible {
  if (lease === null) return shown`Lease: free.`;
  const { holder, until, life } = lease;
  if (life === 'dead')
    return shown`Lease: free. It was left by ${holder}${until === null ? '' : ` and ended at ${until}`}.`;
  return shown`Lease: ${holder}${until === null ? '' : `; it ends at ${until} unless it is renewed`}.`;
}
