import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import type { Plan } from '../../../src/domain/change.ts';
import { renderPlanPage } from '../../../src/page/page.tsx';
import {
  launchBrowser,
  type BrowserName,
  type BrowserSetting,
  type PageBrowser,
} from '../../helpers/page-browsers.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';
import { folderForFile } from '../../helpers/temporary-folder.ts';

/** A browser and all its pages, on a machine that may be busy. */
const SLOW_MS = 120_000;

type Options = Parameters<PageBrowser['open']>[1];

/** Starts one browser for the tests around it. The answer opens a plan in it, as a file, until the end of a test. */
export function inBrowser(name: BrowserName, setting: BrowserSetting) {
  vi.setConfig({ testTimeout: SLOW_MS, hookTimeout: SLOW_MS });
  let browser: PageBrowser;
  const folder = folderForFile();
  beforeAll(async () => {
    browser = await launchBrowser(name, setting);
  });
  afterAll(async () => {
    await browser.close();
    vi.resetConfig();
  });
  return async (plan: Plan = SAMPLE_PLAN, options?: Options) => {
    const file = join(folder, 'page.html');
    writeFileSync(file, renderPlanPage(plan));
    const page = await browser.open(file, options);
    onTestFinished(() => page.close());
    return page;
  };
}

/** Runs in the page. */
export function click(control: string): void {
  (document.querySelector(control) as HTMLElement).click();
}
