import { renderPlanPage } from '../src/page/page.tsx';
import { generatedPlan } from './generated-plan.ts';
import { against } from './limits.ts';
import { benchPageInBrowsers } from './page-browser.ts';
import type { Comparison } from './pairs.ts';

const RUNS = 5;

/** What a page may cost, by the number of changes over sixty accounts. */
const BUDGETS = [
  { changes: 1_000, bytes: 1_500_000, cpuMs: 1_000 },
  { changes: 10_000, bytes: 12_000_000, cpuMs: 3_000 },
] as const;

/** Size and processor time of pages, and what a browser needs for them, against their budgets. */
export async function benchPlanPage(): Promise<readonly Comparison[]> {
  const rendered = BUDGETS.flatMap(({ changes, bytes, cpuMs }) => {
    const plan = generatedPlan(changes);
    const took: number[] = [];
    let html = '';
    for (let run = 0; run < RUNS; run += 1) {
      const before = process.cpuUsage();
      html = renderPlanPage(plan);
      const { user, system } = process.cpuUsage(before);
      took.push((user + system) / 1_000);
    }
    const median = took.toSorted((left, right) => left - right)[Math.floor(RUNS / 2)] ?? Infinity;
    const size = Buffer.byteLength(html);
    const told = { runs: RUNS, note: 'over 60 accounts' };
    return [
      against(`page of ${changes} changes`, 'ms CPU', median, cpuMs, told),
      against(`page of ${changes} changes, size`, 'MB', size / 1e6, bytes / 1e6, told),
    ];
  });
  return [...rendered, ...(await benchPageInBrowsers())];
}
