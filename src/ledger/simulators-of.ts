import type { Files } from '../domain/ports.ts';
import { eachLine } from './byte-lines.ts';
import { openLedger } from './ledger-file.ts';
import { isOfItsRun } from './origins.ts';
import { parseLine } from './parse.ts';

/** The simulators that an entry was asked of, as its lines say or the runs that wrote them. It holds no other line. */
export async function simulatorsOf(files: Files, entry: string): Promise<readonly string[]> {
  const file = await openLedger(files);
  if (file === null) return [];
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
    take(await eachLine(file.bytesFrom(0), take));
  } finally {
    await file.close();
  }
  for (const run of bareRuns) {
    const origin = ofRun.get(run);
    if (origin !== undefined) named.add(origin);
  }
  return [...named].toSorted();
}
