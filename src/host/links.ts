import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** As many links in a row as Linux follows. */
const LINKS_MAX = 40;

/** The path with every link followed, also one to what is not there yet, which is taken as it is written. */
export function followed(path: string, links = LINKS_MAX): string {
  const parent = dirname(path);
  const real = orNull(() => realpathSync(path));
  if (real !== null || parent === path || links === 0) return real ?? path;
  const folder = followed(parent, links);
  const aim = orNull(() => readlinkSync(path));
  return aim === null ? join(folder, basename(path)) : followed(resolve(folder, aim), links - 1);
}

/** The first link on the way to the path that is in the folder `root`. Null without one. */
export function linkIn(root: string, path: string, links = LINKS_MAX): string | null {
  const parent = dirname(path);
  if (parent === path || links === 0) return null;
  const before = linkIn(root, parent, links);
  if (before !== null) return before;
  const here = join(followed(parent), basename(path));
  const aim = orNull(() => readlinkSync(here));
  if (aim === null) return null;
  return isBelow(root, here) ? here : linkIn(root, resolve(dirname(here), aim), links - 1);
}

/** True for what is in the folder, at any depth. Both are real paths. */
export function isBelow(root: string, place: string): boolean {
  const steps = relative(root, place).split(sep);
  return steps[0] !== '..' && resolve(root, ...steps) === place;
}

function orNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
