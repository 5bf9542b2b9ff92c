import { renderTable } from '../../src/render/table.ts';
import { drive, type Result } from './drive.ts';
import { FAULT_NAMES } from './fault-rows.ts';
import { scenarioOf } from './scenario.ts';

/** `npm run chaos -- --runs 500 --seed 1`: scenario after scenario against the oracle. */
const HITS_MIN = 20;
/** Fewer runs than this are a replay, of which no count is asked. */
const RUNS_FOR_COUNTS = 500;

const runs = numberAfter('--runs', 500);
const seed = numberAfter('--seed', 1);
/** Says what happens as it happens. */
const isTraced = process.argv.includes('--trace');
const started = performance.now();
const total = { duplicates: 0, losses: 0, falseReports: 0, trespasses: 0, applies: 0 };
const hits = new Map<string, number>();
const ends = new Map<string, number>();
let firstFailure: number | null = null;

for (let run = 0; run < runs; run += 1) {
  const result = await drive(scenarioOf(seed + run), isTraced ? (line) => console.log(line) : undefined);
  add(result);
  const problems = [...result.duplicates, ...result.losses, ...result.falseReports, ...result.trespasses];
  if (problems.length === 0) continue;
  firstFailure ??= seed + run;
  console.error(`seed ${seed + run}:\n  ${problems.join('\n  ')}`);
}

const outcomes = [...new Set([...ends.keys()].map((key) => key.split(' → ')[1] ?? ''))].sort();
const names = [...new Set([...FAULT_NAMES, ...hits.keys()])].sort();
const columns = ['fault', 'hits', ...outcomes].map((header, index) => ({
  header,
  align: index === 0 ? ('left' as const) : ('right' as const),
}));
const rows = names.map((name) => [
  name,
  String(hits.get(name) ?? 0),
  ...outcomes.map((outcome) => String(ends.get(`${name} → ${outcome}`) ?? '')),
]);
console.log(renderTable(columns, rows, { colour: false, width: Number.POSITIVE_INFINITY }));
const minutes = (performance.now() - started) / 60_000;
console.log(
  `\n${runs} runs from seed ${seed}, ${total.applies} applies: ${total.duplicates} duplicates, ${total.losses} losses, ${total.falseReports} false reports, ${total.trespasses} trespasses in ${minutes.toFixed(1)} minutes`,
);
const rare = [...FAULT_NAMES].filter((name) => (hits.get(name) ?? 0) < HITS_MIN);
if (runs >= RUNS_FOR_COUNTS && rare.length > 0) {
  console.error(`hit fewer than ${HITS_MIN} times: ${rare.join('; ')}`);
  process.exitCode = 1;
}
if (firstFailure !== null) {
  console.error(`the first run that failed: npm run chaos -- --seed ${firstFailure} --runs 1`);
  process.exitCode = 1;
}

function add(result: Result): void {
  total.duplicates += result.duplicates.length;
  total.losses += result.losses.length;
  total.falseReports += result.falseReports.length;
  total.trespasses += result.trespasses.length;
  total.applies += result.applies;
  for (const [name, times] of result.hits) hits.set(name, (hits.get(name) ?? 0) + times);
  for (const [name, times] of result.ends) ends.set(name, (ends.get(name) ?? 0) + times);
}

function numberAfter(flag: string, otherwise: number): number {
  const place = process.argv.indexOf(flag);
  const value = place === -1 ? otherwise : Number(process.argv[place + 1]);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${flag} takes a whole number`);
  return value;
}
