import { HeraldError } from '../domain/herald-error.ts';
import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { gitRepository } from './git-remotes.ts';
import { followLinks, LINKS_MAX } from './links.ts';

/** The real path; throws `path-outside` if it is not allowed. */
export type Place = (path: string) => string;

/** The one folder with a dot in which Herald's own files are. */
export const OWN_FOLDER = '.herald';

/**
 * Paths from the files of a workspace. The author of those files must not choose other files to be read or written.
 * A link is followed only if it ends inside.
 *
 * | the path leads                                        | it is                       |
 * |-------------------------------------------------------|-----------------------------|
 * | inside the workspace                                  | accepted                    |
 * | outside, by itself or through a link                  | refused                     |
 * | below a folder that begins with a dot, such as .git   | refused                     |
 * | to a file that begins with a dot, through a link      | refused                     |
 * | below .herald, by its own text                        | accepted: Herald's own files |
 *
 * If .herald is a link, every path is refused. If the operator allows it (`isFree`), every path is accepted.
 */
export function confinedTo(directory: string, isFree = false): Place {
  if (isFree) return (path) => resolve(directory, path);
  /** The real path of each folder. Thousands of files are in few folders. */
  const folders = new Map<string, string>();
  const real = (folder: string): string => {
    const known = folders.get(folder) ?? followLinks(folder);
    folders.set(folder, known);
    return known;
  };
  const own = join(directory, OWN_FOLDER);
  return (path) => {
    const root = real(directory);
    const named = resolve(directory, path);
    const unfollowed = join(real(dirname(named)), basename(named));
    // Its folder is resolved already, and most files are not links.
    const place = isLink(unfollowed) ? followLinks(unfollowed) : unfollowed;
    const why = isLink(own)
      ? `${OWN_FOLDER} is a link to ${followLinks(own)}, but Herald's own files must be in a real folder`
      : whyRefused(root, place, path);
    if (why !== null) throw refusedPath(why);
    return place;
  };
}

/** Null for a place that the table above accepts. */
function whyRefused(root: string, place: string, path: string): string | null {
  if (!isBelow(root, place)) return `${path} leads to ${place}, which is outside the workspace`;
  const steps = relative(root, place).split(sep);
  const folders = basename(path).startsWith('.') ? steps.slice(0, -1) : steps;
  const hidden = folders.find((step) => step.startsWith('.'));
  const isOwn = hidden === OWN_FOLDER && steps[0] === OWN_FOLDER && path.startsWith(`${OWN_FOLDER}/`);
  return hidden === undefined || isOwn ? null : `${path} leads into ${hidden}, which begins with a dot`;
}

/**
 * Paths that a person typed, to write to. They may be anywhere. But a link in the workspace, or in its repository, is by
 * the author of the files, who must not choose where they lead: there, such a path is accepted as in the table above.
 */
export function typedTo(directory: string): Place {
  return (path) => {
    const named = resolve(directory, path);
    const place = followLinks(named);
    const workspace = followLinks(directory);
    for (const root of [workspace, gitRepository(directory)?.root ?? workspace]) {
      const link = linkIn(root, named);
      const why = link === null ? null : whyRefused(root, place, path);
      if (why !== null) throw refusedPath(`${why}, by the link ${link}`);
    }
    return place;
  };
}

/** The first link on the way to the path that is in the folder `root`. Null without one. */
function linkIn(root: string, path: string, links = LINKS_MAX): string | null {
  const parent = dirname(path);
  if (parent === path || links === 0) return null;
  const before = linkIn(root, parent, links);
  if (before !== null) return before;
  const here = join(followLinks(parent), basename(path));
  if (!isLink(here)) return null;
  return isBelow(root, here) ? here : linkIn(root, resolve(dirname(here), readlinkSync(here)), links - 1);
}

/** True for what is in the folder, at any depth. Both are real paths. */
function isBelow(root: string, place: string): boolean {
  const steps = relative(root, place).split(sep);
  return steps[0] !== '..' && resolve(root, ...steps) === place;
}

/** An unreadable path, such as one below a file, counts as not a link. Opening it gives the reason. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** A path leads to a place that Herald does not read or write: outside the workspace, in a folder such as .git, or a device. */
export function refusedPath(why: string): HeraldError {
  const hint =
    'Herald follows no link out of the workspace. Remove the link, or replace it by a file. If you trust its target, set HERALD_ALLOW_OUTSIDE=1.';
  return new HeraldError('path-outside', `${why}.`, hint);
}
