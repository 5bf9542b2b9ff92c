import { chromium, type Browser } from 'playwright-core';
import { packagedChromium } from './packaged-chromium.ts';

/** An installed Chromium; without it, the one of an npm package, so that the tests need nothing installed. */
const CHROMIUM_VARIABLE = 'HERALD_CHROMIUM';

/** Starts the browser that the tests of pages run in. */
export async function launchChromium(): Promise<Browser> {
  const installed = process.env[CHROMIUM_VARIABLE] ?? '';
  if (installed !== '')
    return chromium.launch({ executablePath: installed, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const { default: packaged } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packagedChromium(packaged),
    // In one process, the first closed page would end the browser.
    args: packaged.args.filter((arg) => arg !== '--single-process' && arg !== '--no-zygote'),
  });
}
