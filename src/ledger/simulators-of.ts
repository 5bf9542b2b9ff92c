import { LEDGER_BEGIN, type LedgerStore } from '../domain/ledger-store.ts';
import { isOfItsRun } from './origins.ts';
import { parseLine } from './parse.ts';

/** The simulators that an entry was asked of, as its lines say or the runs that wrote them. It holds no other line. */
export async function simulatorsOf(store: LedgerStore, entry: string): Promise<readonly string[]> {
  const lines = await store.open();
  const ofRun = new Map<string, string>();
  const named = new Set<string>();
  const bareRuns = new Set<string>();
  const take = (text: string) => {
    const line = parseLine(text);
    if (line === null) return;
    if (line.origin !== undefined && isOfItsRun(line)) ofRun.set(line.run, line.origin);
    if (!('entry' in line) || line.entry !== entry) return;
    if (line.origin === undefined) bareRuns.add(line.run);
    else named.add(line.origin);
  };
  try {
    await lines.read(LEDGER_BEGIN, take);
  } finally {
    await lines.close();
  }
  for (const run of bareRuns) {
    const origin = ofRun.get(run);
    if (origin !== undefined) named.add(origin);
  }
  return [...named].toSorted();
}
