import { LEDGER_BEGIN } from '../../domain/ledger-store.ts';
import type { StateReport } from '../../domain/reports.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { parseLine } from '../../ledger/parse.ts';
import { byteWords } from '../../render/byte-words.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';

const WRITERS_MAX = 5;

/** `herald state show`: where the ledger and the lease are, and who uses them. Changes nothing. */
export async function stateShowCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const report = await reportOf(context);
  context.output.result(format === 'json' ? renderJson(report) : wordsOf(report));
  return EXIT.done;
}

async function reportOf({ state }: Context): Promise<StateReport> {
  const { ledger, leases } = state;
  const lines = await ledger.open();
  /** The last time of each writer. */
  const writers = new Map<string, string>();
  let lineCount = 0;
  try {
    await lines.read(LEDGER_BEGIN, (text) => {
      lineCount += 1;
      const line = parseLine(text);
      if (line !== null && 'who' in line) writers.set(line.who, line.at);
    });
    const newest = [...writers].toSorted(([, left], [, right]) => (left < right ? 1 : -1));
    return {
      schema: 'herald/state/1',
      place: ledger.name,
      lines: lineCount,
      bytes: await lines.size(),
      holder: (await leases.holder())?.words ?? null,
      writers: newest.slice(0, WRITERS_MAX).map(([who, last_at]) => ({ who, last_at })),
    };
  } finally {
    await lines.close();
  }
}

function wordsOf({ place, lines, bytes, holder, writers }: StateReport): Visible {
  return joined(
    [
      shown`Ledger: ${place}, ${count(lines, 'line')}, ${byteWords(bytes)}.`,
      holder === null ? shown`Lease: free.` : shown`Lease: ${holder}.`,
      ...writers.map(({ who, last_at: at }) => shown`Last written by ${who} at ${at}.`),
    ],
    '\n',
  );
}
