import * as z from 'zod/mini';
import type { Path } from './findings.ts';
import { PathSet } from './path-set.ts';
import { pathOf } from './shape-keys.ts';

/** Placeholder values for required keys. */
export type Placeholders = Readonly<Record<string, unknown>>;

/** The valid parts of a value. Null if none are left. */
export interface ValidParts<Value> {
  readonly value: Value | null;
  /** Paths that were removed from `value` because they were wrong. */
  readonly removed: readonly Path[];
}

/** Limit of rounds. Removing a value can leave a required key missing, which removes its parent, and so on. */
const ROUNDS_MAX = 8;

/** Removes the wrong parts of a value, and adds placeholders for its missing top-level keys. */
export function keepValidParts<Shape extends z.core.$ZodType>(
  shape: Shape,
  value: unknown,
  firstIssues: readonly z.core.$ZodIssue[],
  placeholders: Placeholders,
): ValidParts<z.infer<Shape>> {
  const copy: unknown = structuredClone(value);
  // Removing an unknown key does not leave a gap.
  const unknown = new PathSet(firstIssues.filter(isAboutKeys).flatMap(wrongPaths));
  const removed: Path[] = [];
  let issues = firstIssues;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const thisRound = new PathSet();
    for (const path of issues.flatMap(wrongPaths)) {
      if (thisRound.covers(path)) continue;
      const gone = remove(copy, path) ?? addPlaceholder(copy, path, placeholders);
      if (gone === null) return { value: null, removed };
      thisRound.add(gone);
      if (!unknown.has(gone)) removed.push(gone);
    }
    const result = z.safeParse(shape, copy, { jitless: true });
    if (result.success) return { value: result.data, removed };
    issues = result.error.issues;
  }
  return { value: null, removed };
}

function isAboutKeys({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys';
}

function wrongPaths(issue: z.core.$ZodIssue): Path[] {
  const path = pathOf(issue);
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
}

/**
 * Deletes the nearest key at or above a path. List items are not deleted, because their places count. Null if there
 * is none.
 */
function remove(root: unknown, path: Path): Path | null {
  for (let length = path.length; length > 0; length -= 1) {
    let parent = root;
    for (const step of path.slice(0, length - 1)) parent = isRecord(parent) ? parent[step] : undefined;
    const last = path[length - 1];
    if (last === undefined || !isRecord(parent) || Array.isArray(parent) || !Object.hasOwn(parent, last))
      continue;
    delete parent[last];
    return path.slice(0, length);
  }
  return null;
}

/** Adds a placeholder for a missing key of the root. Null if there is none. */
function addPlaceholder(root: unknown, [key, ...below]: Path, placeholders: Placeholders): Path | null {
  if (typeof key !== 'string' || below.length > 0 || !isRecord(root) || Array.isArray(root)) return null;
  if (!Object.hasOwn(placeholders, key)) return null;
  root[key] = placeholders[key];
  return [key];
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
