import {
  $ZodArray,
  $ZodLazy,
  $ZodNullable,
  $ZodObject,
  $ZodOptional,
  $ZodRecord,
  $ZodUnion,
  type $ZodIssue,
  type $ZodType,
} from 'zod/v4/core';
import type { Path } from './findings.ts';
import { refusedKey } from './refused-keys.ts';
import { nearest } from './suggest.ts';

/** The path of an issue. */
export function pathOf(issue: $ZodIssue): (string | number)[] {
  return issue.path.filter((step) => typeof step !== 'symbol');
}

/** Missing keys for which a similar unknown key exists. */
export function misspelledKeys(
  shape: $ZodType,
  value: unknown,
  issues: readonly $ZodIssue[],
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
export function keysAt(shape: $ZodType, path: Path): string[] {
  let current: unknown = inner(shape);
  for (const step of path) current = inner(below(current, step));
  return current instanceof $ZodObject ? Object.keys(current._zod.def.shape) : [];
}

function below(shape: unknown, step: string | number): unknown {
  if (shape instanceof $ZodArray) return shape._zod.def.element;
  if (shape instanceof $ZodRecord) return shape._zod.def.valueType;
  if (shape instanceof $ZodObject)
    return Object.entries(shape._zod.def.shape).find(([key]) => key === step)?.[1];
  return undefined;
}

function inner(shape: unknown): unknown {
  let current = shape;
  while (current instanceof $ZodOptional || current instanceof $ZodNullable || current instanceof $ZodLazy)
    current = current instanceof $ZodLazy ? current._zod.innerType : current._zod.def.innerType;
  // A union has its keys in one of its branches.
  if (current instanceof $ZodUnion)
    return current._zod.def.options.find((option) => option instanceof $ZodObject) ?? current;
  return current;
}
