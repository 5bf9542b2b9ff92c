import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderPlanPage } from '../src/page/page.tsx';
import { launchChromium } from '../test/helpers/browsers.ts';
import { BROWSERS, launchBrowser } from '../test/helpers/page-browsers.ts';
import { generatedPlan } from './generated-plan.ts';
import { against } from './limits.ts';
import type { Comparison } from './pairs.ts';

const CHANGES = 10_000;
const RUNS = 3;
const FIRST_PAINT_MS = 1_500;
const TASK_MS = 200;
/** A busy machine counts less in processor time, and less again in relation to an empty page. */
const TASKS_OF_EMPTY_PAGE = 4;

/** What a large page costs a browser, against its limits. An empty page of the same size is measured with it. */
export async function benchPageInBrowsers(): Promise<readonly Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-page-'));
  try {
    const html = renderPlanPage(generatedPlan(CHANGES));
    const [page, empty] = [join(folder, 'page.html'), join(folder, 'empty.html')];
    writeFileSync(page, html);
    writeFileSync(empty, emptyPage(Buffer.byteLength(html)));
    return [...(await tasks(page, empty)), ...(await paints(page, empty))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same number of bytes, in one element that is not shown. */
function emptyPage(bytes: number): string {
  const [before, after] = [
    '<!doctype html><html lang="en"><title>Empty</title><p>Empty</p><script type="application/json">"',
    '"</script></html>',
  ];
  return `${before}${'x'.repeat(bytes - before.length - after.length)}${after}`;
}

/** In each browser: until the first text is on the screen. */
async function paints(page: string, empty: string): Promise<readonly Comparison[]> {
  const results: Comparison[] = [];
  for (const name of BROWSERS) {
    const browser = await launchBrowser(name, { colours: 'light', script: true });
    const measure = async (file: string) => {
      const opened = await browser.open(file);
      const paintMs = await opened.run(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
        null,
      );
      await opened.close();
      return { paintMs };
    };
    const [ours, theirs] = [await medians(() => measure(page)), await medians(() => measure(empty))];
    results.push(
      against(`page of ${CHANGES} changes in ${name}, first paint`, 'ms', ours.paintMs, FIRST_PAINT_MS, {
        runs: RUNS,
        note: `an empty page of its size: ${theirs.paintMs.toFixed(0)} ms`,
      }),
    );
    await browser.close();
  }
  return results;
}

/** What a page has of its browser, as far as it is used here. */
interface View {
  readonly scrollY: number;
  readonly innerHeight: number;
  readonly document: { readonly documentElement: { readonly scrollHeight: number } };
  scrollBy(options: { readonly top: number; readonly behavior: 'instant' }): void;
  requestAnimationFrame(take: (now: number) => void): void;
}

/** Runs in the page: scrolls to its end, half a window with each frame. */
async function scrollThrough(): Promise<void> {
  const view = globalThis as unknown as View;
  while (view.scrollY + view.innerHeight < view.document.documentElement.scrollHeight - 1) {
    view.scrollBy({ top: view.innerHeight / 2, behavior: 'instant' });
    await new Promise<number>((resolve) => {
      view.requestAnimationFrame(resolve);
    });
  }
}

async function medians<Figures extends Record<string, number>>(
  measure: () => Promise<Figures>,
): Promise<Figures> {
  const runs: Figures[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure());
  const [first] = runs;
  if (first === undefined) throw new Error('nothing was measured');
  const middle = (key: string) =>
    runs.map((figures) => figures[key] ?? NaN).toSorted((left, right) => left - right)[Math.floor(RUNS / 2)];
  return Object.fromEntries(Object.keys(first).map((key) => [key, middle(key)])) as Figures;
}

/** An event of Chromium's trace. Durations are in microseconds: by the clock, and of the processor. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
}

/** The mark between what is loaded and what is scrolled. */
const SCROLL_MARK = 'herald-scroll';

/** Only Chromium tells the processor time of a task. */
async function tasks(page: string, empty: string): Promise<readonly Comparison[]> {
  const browser = await launchChromium();
  const measure = async (file: string) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true });
    const opened = await context.newPage();
    await browser.startTracing(opened, { categories: ['toplevel', 'blink.user_timing'] });
    await opened.goto(pathToFileURL(file).href);
    await opened.evaluate((name) => performance.mark(name), SCROLL_MARK);
    await opened.evaluate(scrollThrough);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
      readonly traceEvents: readonly TraceEvent[];
    };
    await context.close();
    return longestTasks(traceEvents);
  };
  const [ours, theirs] = [await medians(() => measure(page)), await medians(() => measure(empty))];
  await browser.close();
  return (['load', 'scroll'] as const).map((phase) => ({
    name: `page of ${CHANGES} changes, longest task of a ${phase}`,
    reference: 'an empty page of its size, load',
    unit: 'ms CPU',
    ours: ours[phase],
    theirs: theirs.load,
    ratio: ours[phase] / theirs.load,
    budget: TASKS_OF_EMPTY_PAGE,
    runs: RUNS,
    note: `the limit is ${TASK_MS} ms`,
  }));
}

/** On the main thread of the page. */
function longestTasks(events: readonly TraceEvent[]): { readonly load: number; readonly scroll: number } {
  const mark = events.find(({ name }) => name === SCROLL_MARK);
  if (mark === undefined) throw new Error('the trace has no mark');
  const own = events.filter(
    ({ name, ph, pid, tid }) =>
      ph === 'X' && name.includes('RunTask') && pid === mark.pid && tid === mark.tid,
  );
  const longest = (some: readonly TraceEvent[]) => Math.max(0, ...some.map(({ tdur = 0 }) => tdur)) / 1_000;
  return {
    load: longest(own.filter(({ ts }) => ts < mark.ts)),
    scroll: longest(own.filter(({ ts }) => ts >= mark.ts)),
  };
}
