import { cpus, totalmem } from 'node:os';
import { renderTable } from '../src/render/table.ts';
import type { Comparison } from './pairs.ts';
import { PAIRS } from './pairs.ts';
import { benchParse } from './parse.ts';
import { benchStart } from './start.ts';

/** `npm run bench [-- name …] [--json]`: ratios against something measured in the same run. */
const BENCHES: Readonly<Record<string, () => Promise<readonly Comparison[]>>> = {
  start: benchStart,
  parse: benchParse,
};

const words = process.argv.slice(2);
const asked = words.filter((word) => !word.startsWith('--'));
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`there is no bench ${unknown.join(', ')}; choose from ${Object.keys(BENCHES).join(', ')}`);

const results: Comparison[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length === 0 || asked.includes(name)) results.push(...(await bench()));
}

const machine = `${cpus()[0]?.model ?? 'unknown processor'} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
if (words.includes('--json')) {
  console.log(JSON.stringify({ machine, pairs: PAIRS, results }, null, 2));
} else {
  const columns = ['what', 'against', 'ours', 'reference', 'ratio', 'budget', ''].map((header, index) => ({
    header,
    align: index > 1 && index < 6 ? ('right' as const) : ('left' as const),
  }));
  const rows = results.map((line) => [
    line.name,
    line.reference,
    `${line.oursMs.toFixed(1)} ms`,
    `${line.referenceMs.toFixed(1)} ms`,
    line.ratio.toFixed(2),
    line.budget === null ? '' : `≤ ${line.budget}`,
    line.note,
  ]);
  console.log(`${machine}; medians of ${PAIRS} pairs\n`);
  console.log(renderTable(columns, rows, { colour: false, width: Number.POSITIVE_INFINITY }));
}
