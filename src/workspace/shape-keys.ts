import * as z from 'zod';
import type { Path } from './findings.ts';
import { refusedKey } from './refused-keys.ts';
import { nearest } from './suggest.ts';

/** The path of an issue. */
export function pathOf(issue: z.core.$ZodIssue): (string | number)[] {
  return issue.path.filter((step) => typeof step !== 'symbol');
}

/** Missing keys for which a similar unknown key exists. */
export function misspelledKeys(
  shape: z.ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): readonly Path[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [];
    const path = pathOf(issue);
    const known = keysAt(shape, path);
    const written = Object.keys(Object(valueAt(value, path)));
    return issue.keys.flatMap((key) => {
      const meant = refusedKey(path, key) === undefined ? nearest(key, known) : undefined;
      return meant === undefined || written.includes(meant) ? [] : [[...path, meant]];
    });
  });
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => Reflect.get(Object(value), step), root);
}

/** The keys that a shape knows at a path. Empty if any key is allowed there. */
export function keysAt(shape: z.ZodType, path: Path): string[] {
  let current: unknown = inner(shape);
  for (const step of path) current = inner(below(current, step));
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

function below(shape: unknown, step: string | number): unknown {
  if (shape instanceof z.ZodArray) return shape.element;
  if (shape instanceof z.ZodRecord) return shape.valueType;
  if (shape instanceof z.ZodObject) return Object.entries(shape.shape).find(([key]) => key === step)?.[1];
  return undefined;
}

function inner(shape: unknown): unknown {
  let current = shape;
  while (current instanceof z.ZodOptional || current instanceof z.ZodNullable) current = current.unwrap();
  // A union has its keys in one of its branches.
  if (current instanceof z.ZodUnion)
    return current.options.find((option) => option instanceof z.ZodObject) ?? current;
  return current;
}
