import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type chromium from '@sparticuz/chromium';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/**
 * The Chromium of the npm package, unpacked once for each checkout. The package unpacks into the temporary folder of the
 * system, where several test files would write it at the same time, and where a cleaner removes parts of it.
 */
export async function packagedChromium(packaged: typeof chromium): Promise<string> {
  const folder = join(CACHE, 'chromium');
  const executable = join(folder, 'chromium');
  if (existsSync(executable)) return executable;
  await mkdir(CACHE, { recursive: true });
  const fresh = await mkdtemp(join(CACHE, 'chromium-'));
  await inFolder(fresh, () => packaged.executablePath());
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
