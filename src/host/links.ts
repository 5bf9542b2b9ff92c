import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As many links in a row as Linux follows. */
export const LINKS_MAX = 40;

/** The path with every link followed, also one to what is not there yet, which is taken as it is written. */
export function followLinks(path: string, links = LINKS_MAX): string {
  const parent = dirname(path);
  const real = orNull(() => realpathSync(path));
  if (real !== null || parent === path || links === 0) return real ?? path;
  const folder = followLinks(parent, links);
  const aim = orNull(() => readlinkSync(path));
  return aim === null ? join(folder, basename(path)) : followLinks(resolve(folder, aim), links - 1);
}

function orNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
