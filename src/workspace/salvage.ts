import type * as z from 'zod';
import type { Path } from './findings.ts';
import { PathSet } from './path-set.ts';
import { pathOf } from './shape-keys.ts';

/** Values for keys that must not be missing. */
export type StandIns = Readonly<Record<string, unknown>>;

/** What is left of a value; null when nothing is. */
export interface Salvaged<Value> {
  readonly value: Value | null;
  /** What is missing from `value` because it was wrong. */
  readonly removed: readonly Path[];
}

/** Removing a wrong value can leave a required key missing, which removes what lies around it, and so on. */
const SALVAGE_ROUNDS_MAX = 8;

/** Takes out of a value what its shape finds wrong with it, and puts stand-ins where its own keys are missing. */
export function salvage<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  firstIssues: readonly z.core.$ZodIssue[],
  standIns: StandIns,
): Salvaged<z.infer<Shape>> {
  const copy: unknown = structuredClone(value);
  // A key that nobody knows leaves no hole.
  const unknown = new PathSet(firstIssues.filter(isAboutKeys).flatMap(wrongPaths));
  const removed: Path[] = [];
  let issues = firstIssues;
  for (let round = 0; round < SALVAGE_ROUNDS_MAX; round += 1) {
    const thisRound = new PathSet();
    for (const path of issues.flatMap(wrongPaths)) {
      if (thisRound.covers(path)) continue;
      const gone = remove(copy, path) ?? standIn(copy, path, standIns);
      if (gone === null) return { value: null, removed };
      thisRound.add(gone);
      if (!unknown.has(gone)) removed.push(gone);
    }
    const result = shape.safeParse(copy, { jitless: true });
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

/** Deletes the nearest key at or above a path, because places in lists are counted; null when there is none. */
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

/** Puts a value where a key of the root's own is missing; null when there is none for it. */
function standIn(root: unknown, [key, ...below]: Path, standIns: StandIns): Path | null {
  if (typeof key !== 'string' || below.length > 0 || !isRecord(root) || Array.isArray(root)) return null;
  if (!Object.hasOwn(standIns, key)) return null;
  root[key] = standIns[key];
  return [key];
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
