import { cpus, totalmem } from 'node:os';
import { renderTable } from '../src/render/table.ts';
import { benchContention } from './contention.ts';
import { benchEvents } from './events.ts';
import { benchOneFile } from './one-file.ts';
import { benchPace } from './pace.ts';
import type { Comparison, Unit } from './pairs.ts';
import { benchParse } from './parse.ts';
import { benchPlanPage } from './plan-page.ts';
import { benchScale } from './scale.ts';
import { benchSharedPace } from './shared-pace.ts';
import { benchStart } from './start.ts';
import { benchRecords } from './state-records.ts';
import { benchStream } from './stream.ts';
import { benchUpload } from './upload.ts';
import { optionsOrExit } from '../test/helpers/options-or-exit.ts';

/** `npm run bench [-- name …] [--json]`: ratios against something measured in the same run; 1 when one is over. */
const BENCHES: Readonly<Record<string, readonly (() => Promise<readonly Comparison[]>)[]>> = {
  start: [benchStart],
  parse: [benchParse],
  scale: [benchScale],
  'one-file': [benchOneFile],
  stream: [benchStream],
  upload: [benchUpload],
  pace: [benchPace],
  contention: [benchContention],
  page: [benchPlanPage],
  state: [benchRecords, benchSharedPace],
  events: [benchEvents],
};

const words = optionsOrExit(checked);
const asked = words.filter((word) => !word.startsWith('--'));

const started = performance.now();
const results: Comparison[] = [];
const failed: string[] = [];
const chosen = Object.entries(BENCHES).filter(([name]) => asked.length === 0 || asked.includes(name));
for (const [name, bench] of chosen.flatMap(([name, parts]) => parts.map((part) => [name, part] as const))) {
  console.error(`${name} …`);
  try {
    const lines = await bench();
    results.push(...lines);
    // A full run takes half an hour: what is known is shown, whatever becomes of the rest.
    for (const line of lines) console.error(`  ${cells(line).join('  ')}`);
  } catch (error) {
    failed.push(name);
    console.error(error);
  }
}
const tookSec = Math.round((performance.now() - started) / 1000);
if (results.some(isOver) || failed.length > 0) process.exitCode = 1;

const machine = `${cpus()[0]?.model ?? 'unknown processor'} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
if (words.includes('--json')) {
  console.log(JSON.stringify({ machine, tookSec, results, failed }, null, 2));
} else {
  console.log(`${machine}; medians, in ${tookSec} s\n`);
  console.log(table());
  if (failed.length > 0) console.log(`\nFailed, see above: ${failed.join(', ')}`);
}

/** The names and flags that were asked for. */
function checked(args: readonly string[]): readonly string[] {
  const known = [...Object.keys(BENCHES), '--json'];
  const unknown = args.filter((word) => !known.includes(word));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Choose from ${known.join(', ')}.`);
  return args;
}

function isOver({ ratio, budget }: Comparison): boolean {
  return budget !== null && !(ratio <= budget);
}

function table(): string {
  const headers = ['what', 'against', 'ours', 'reference', 'ratio', 'budget', 'runs', ''];
  const columns = headers.map((header, index) => ({
    header,
    align: index > 1 && index < 7 ? ('right' as const) : ('left' as const),
  }));
  return renderTable(columns, results.map(cells), { colour: false, width: Number.POSITIVE_INFINITY });
}

function cells(line: Comparison): readonly string[] {
  return [
    line.name,
    line.reference,
    inUnit(line.ours, line.unit),
    inUnit(line.theirs, line.unit),
    line.ratio.toFixed(2),
    line.budget === null ? '' : `≤ ${line.budget}`,
    String(line.runs),
    [isOver(line) ? 'OVER' : '', line.note].filter((word) => word !== '').join(' · '),
  ];
}

function inUnit(value: number, unit: Unit): string {
  return `${value.toFixed(unit === 'MB' ? 0 : 1)} ${unit}`;
}
