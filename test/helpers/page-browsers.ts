import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser as Firefox } from 'puppeteer-core';
import type { Browser as Chromium } from 'playwright-core';
import { launchChromium } from './browsers.ts';

/** An installed Firefox. Without it, the pages are opened in Chromium only. */
const FIREFOX = process.env['HERALD_FIREFOX'] ?? '';

/** Where CI finds pictures of the pages. Tests compare their structure and no pixels. */
const PICTURES = process.env['HERALD_SCREENSHOTS'] ?? '';

export type BrowserName = 'chromium' | 'firefox';

/** The browsers of this machine. */
export const BROWSERS: readonly BrowserName[] = FIREFOX === '' ? ['chromium'] : ['chromium', 'firefox'];

/** How a browser is set up, for all its pages. */
export interface BrowserSetting {
  readonly colours: 'light' | 'dark';
  readonly script: boolean;
}

/** What the tests need of a browser, whichever it is. */
export interface PageBrowser {
  /** Opens a file from the disk. */
  open(file: string, options?: { readonly width?: number; readonly fragment?: string }): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  /** Runs the function in the page. */
  run<Value, Given>(work: (given: Given) => Value | Promise<Value>, given: Given): Promise<Value>;
  /** Runs a script in the page, whatever its policy allows. */
  load(script: string): Promise<void>;
  /** Makes the window wider or narrower, as a person does. */
  resize(width: number): Promise<void>;
  press(key: 'Tab' | 'Enter'): Promise<void>;
  /** Keeps a picture of the whole page for a person, if the variable HERALD_SCREENSHOTS names a folder. */
  picture(name: string): Promise<void>;
  /** What the page asked the network for, or complained about. */
  readonly trouble: readonly string[];
  close(): Promise<void>;
}

const HEIGHT = 900;
const WIDTH = 1280;
const ZONE = 'Europe/Berlin';

export async function launchBrowser(name: BrowserName, setting: BrowserSetting): Promise<PageBrowser> {
  return name === 'chromium' ? inChromium(await launchChromium(), setting) : inFirefox(setting);
}

/** What both drivers offer in the same way. */
interface DrivenPage {
  on(event: 'console', take: (message: { text(): string }) => void): unknown;
  on(event: 'pageerror', take: (error: unknown) => void): unknown;
  on(event: 'request', take: (request: { url(): string }) => void): unknown;
  goto(url: string): Promise<unknown>;
  evaluate(work: never, given?: never): Promise<never>;
  screenshot(options: { readonly path: `${string}.png`; readonly fullPage: boolean }): Promise<unknown>;
  readonly keyboard: { press(key: string): Promise<void> };
}

async function openFile(
  page: DrivenPage,
  url: string,
  { resize, close }: Pick<OpenPage, 'resize' | 'close'>,
): Promise<OpenPage> {
  const trouble: string[] = [];
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('request', (request) => {
    if (isOutside(request.url())) trouble.push(request.url());
  });
  await page.goto(url);
  return {
    run: async (work, given) => page.evaluate(work as never, given as never),
    load: async (source) => void (await page.evaluate(source as never)),
    press: (key) => page.keyboard.press(key),
    picture: async (name) => {
      if (PICTURES === '') return;
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: `${join(PICTURES, name)}.png`, fullPage: true });
    },
    trouble,
    resize,
    close,
  };
}

/** Everything but the file itself. */
function isOutside(url: string): boolean {
  return !/^(?:file|data|about):/.test(url);
}

function inChromium(browser: Chromium, { colours, script }: BrowserSetting): PageBrowser {
  return {
    open: async (file, { width = WIDTH, fragment = '' } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height: HEIGHT },
        offline: true,
        timezoneId: ZONE,
        colorScheme: colours,
        javaScriptEnabled: script,
      });
      const page = await context.newPage();
      return openFile(page as unknown as DrivenPage, `${pathToFileURL(file).href}${fragment}`, {
        resize: (to) => page.setViewportSize({ width: to, height: HEIGHT }),
        close: () => context.close(),
      });
    },
    close: () => browser.close(),
  };
}

/** By WebDriver BiDi. What it cannot switch for a page is a preference of the browser. */
async function inFirefox({ colours, script }: BrowserSetting): Promise<PageBrowser> {
  const { launch } = await import('puppeteer-core');
  const browser: Firefox = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    env: { ...process.env, TZ: ZONE },
    extraPrefsFirefox: {
      'layout.css.prefers-color-scheme.content-override': colours === 'dark' ? 0 : 1,
      'javascript.enabled': script,
    },
  });
  return {
    open: async (file, { width = WIDTH, fragment = '' } = {}) => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.setViewport({ width, height: HEIGHT });
      await page.setOfflineMode(true);
      return openFile(page as unknown as DrivenPage, `${pathToFileURL(file).href}${fragment}`, {
        resize: (to) => page.setViewport({ width: to, height: HEIGHT }),
        close: () => context.close(),
      });
    },
    close: () => browser.close(),
  };
}
