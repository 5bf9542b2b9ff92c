import type * as z from 'zod';

/** A value without the members that its shape does not know, and their paths. */
export interface KnownPart {
  readonly known: unknown;
  readonly unknown: readonly string[];
}

/** More rounds than a body has levels. */
const ROUNDS_MAX = 10;

/** Separates what a shape knows from members that the service may have added since. */
export function knownPart(shape: z.ZodType, value: unknown): KnownPart {
  const known = structuredClone(value);
  const unknown: string[] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const issues = shape.safeParse(known).error?.issues ?? [];
    const found = issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
    );
    if (found.length === 0) break;
    for (const path of found) {
      remove(known, path);
      unknown.push(path.map(String).join('.'));
    }
  }
  return { known, unknown };
}

function remove(root: unknown, path: readonly PropertyKey[]): void {
  let parent = root as Record<PropertyKey, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<PropertyKey, unknown>;
  const last = path.at(-1);
  if (last !== undefined) delete parent[last];
}
