import * as z from 'zod/mini';
import { en } from 'zod/locales';
import {
  $ZodArray,
  $ZodLazy,
  $ZodNullable,
  $ZodObject,
  $ZodOptional,
  $ZodRecord,
  $ZodUnion,
  type $ZodIssue,
  type $ZodIssueInvalidType,
  type $ZodIssueInvalidUnion,
  type $ZodIssueInvalidValue,
  type $ZodType,
} from 'zod/v4/core';
import type { DiagnosticCode } from '../domain/codes.ts';
import { splitCode } from '../domain/coded-message.ts';
import type { Finding, Path, Spot } from './findings.ts';
import { didYouMean } from './suggest.ts';

/** The checked value, or why it is not one. */
export interface Checked<Value> {
  readonly value: Value | null;
  readonly findings: readonly Finding[];
}

/** The words where a shape has none. The small dialect of zod comes without, and a program may have set others. */
const { localeError: WORDS } = en();

/** Number of values from which compiling a shape is faster. Most workspaces have fewer. */
const WORTH_COMPILING = 500;
let checked = 0;

/** Checks a value against its shape, and reports all problems of the shape, each once. */
export function checkShape<Shape extends $ZodType>(shape: Shape, value: unknown): Checked<z.infer<Shape>> {
  checked += 1;
  const result = z.safeParse(shape, value, {
    reportInput: true,
    jitless: checked < WORTH_COMPILING,
    error: WORDS,
  });
  if (result.success) return { value: result.data, findings: [] };
  const issues = bestOfEach(result.error.issues);
  // Next to an unknown key, a missing one is often the same key with a typo.
  const withUnknown = new Set(
    issues.flatMap(({ code, path }) => (code === 'unrecognized_keys' ? [JSON.stringify(path)] : [])),
  );
  return {
    value: null,
    findings: issues
      .filter(({ input, path }) => input !== undefined || !withUnknown.has(JSON.stringify(path.slice(0, -1))))
      .flatMap((issue) => describeIssue(shape, issue)),
  };
}

function error(code: DiagnosticCode, path: Path, message: string, at: Spot = 'value'): Finding {
  return { severity: 'error', code, message, path, at };
}

/** Keeps the most useful issue for each path. A value of a wrong type also breaks its bounds. */
function bestOfEach(issues: readonly $ZodIssue[]): readonly $ZodIssue[] {
  const best = new Map<string, number>();
  const ranked = issues.map((issue) => {
    const isAboutKeys = issue.code === 'unrecognized_keys' || issue.code === 'invalid_key';
    const place = JSON.stringify([isAboutKeys, issue.path]);
    const isVague = isBare(issue) || (issue.code === 'too_big' && issue.origin === 'int');
    const rank = issue.code === 'invalid_type' ? 0 : isVague ? 2 : 1;
    best.set(place, Math.min(rank, best.get(place) ?? rank));
    return { issue, place, rank };
  });
  return ranked.filter(({ place, rank }) => rank === best.get(place)).map(({ issue }) => issue);
}

/** The keys that a shape knows at a path. Empty if any key is allowed there. */
function keysAt(shape: $ZodType, path: Path): string[] {
  let current: unknown = unwrap(shape);
  for (const step of path) current = unwrap(findChild(current, step));
  return current instanceof $ZodObject ? Object.keys(current._zod.def.shape) : [];
}

function findChild(shape: unknown, step: string | number): unknown {
  if (shape instanceof $ZodArray) return shape._zod.def.element;
  if (shape instanceof $ZodRecord) return shape._zod.def.valueType;
  if (shape instanceof $ZodObject) return new Map(Object.entries(shape._zod.def.shape)).get(String(step));
  return undefined;
}

function unwrap(shape: unknown): unknown {
  let current = shape;
  while (current instanceof $ZodOptional || current instanceof $ZodNullable || current instanceof $ZodLazy)
    current = current instanceof $ZodLazy ? current._zod.innerType : current._zod.def.innerType;
  // A union has its keys in one of its branches.
  if (current instanceof $ZodUnion)
    return current._zod.def.options.find((option) => option instanceof $ZodObject) ?? current;
  return current;
}

function readPath(issue: $ZodIssue): (string | number)[] {
  return issue.path.filter((step) => typeof step !== 'symbol');
}

function describeIssue(shape: $ZodType, issue: $ZodIssue): Finding[] {
  const path = readPath(issue);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(shape, path, key));
    case 'invalid_key':
      return [coded(issue.issues[0]?.message ?? issue.message, 'invalid-value', path, 'key')];
    case 'invalid_type':
      return [describeType(issue, path)];
    case 'invalid_value':
      return [describeChoice(issue, path)];
    case 'invalid_union':
      return bestOfEach(branchMeant(issue)).flatMap((inner) =>
        describeIssue(shape, { ...inner, path: [...path, ...inner.path] }),
      );
    case 'invalid_format':
      if (issue.format !== 'datetime') return [coded(issue.message, 'invalid-value', path)];
      return [
        error('invalid-date-time', path, 'Write a time with its zone, such as "2030-11-05T00:00:00Z".'),
      ];
    default:
      return [describeBound(issue, path)];
  }
}

/** The issues of the union branch that fits the value best: of its form, with the fewest issues. Or of the first one. */
function branchMeant({ errors }: $ZodIssueInvalidUnion): readonly $ZodIssue[] {
  const isOfForm = (issues: readonly $ZodIssue[]) =>
    !issues.some(
      ({ code, path }) => (code === 'invalid_type' || code === 'invalid_value') && path.length === 0,
    );
  const [best] = errors.filter(isOfForm).toSorted((left, right) => left.length - right.length);
  return best ?? errors[0] ?? [];
}

function unknownKey(shape: $ZodType, path: Path, key: string): Finding {
  const known = keysAt(shape, path);
  const choice = known.length === 0 ? '' : ` Known here: ${known.join(', ')}.`;
  const message = `Unknown key "${key}".${didYouMean(key, known)}${choice}`;
  return error('unknown-key', [...path, key], message, 'key');
}

const KEY_VALUE_LINES = 'a set of `key: value` lines';

const WANTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: KEY_VALUE_LINES,
  record: KEY_VALUE_LINES,
};

function describeType(issue: $ZodIssueInvalidType, path: Path): Finding {
  const { input, expected } = issue;
  const key = path.at(-1);
  if (input === undefined && typeof key === 'string')
    return error('missing-key', path, `"${key}" is missing. Add it.`);
  if (!issue.message.startsWith('Invalid input')) return coded(issue.message, 'invalid-type', path);
  const isBareWord = typeof input === 'number' || typeof input === 'boolean';
  const isQuoted = typeof input === 'string' && PLAIN_NUMBER.test(input);
  const advice =
    expected === 'string' && isBareWord
      ? ' Put it in quotes.'
      : (expected === 'number' || expected === 'int') && isQuoted
        ? ` Write ${input}, without quotes.`
        : '';
  const subject = typeof key === 'string' ? `"${key}"` : 'This';
  return error(
    'invalid-type',
    path,
    `${subject} must be ${WANTED[expected] ?? expected}, but it is ${nameType(input)}.${advice}`,
  );
}

const PLAIN_NUMBER = /^\d+(?:\.\d{1,2})?$/;

function nameType(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return KEY_VALUE_LINES;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'text';
}

function describeChoice({ input, values }: $ZodIssueInvalidValue, path: Path): Finding {
  const key = path.at(-1);
  const words = values.map(String);
  const choice = `Write ${words.length === 1 ? '' : 'one of '}${words.join(', ')}.`;
  if (input === undefined && typeof key === 'string')
    return error('missing-key', path, `"${key}" is missing. ${choice}`);
  const isText = typeof input === 'string';
  const advice =
    isText && words.includes(input)
      ? `Write ${input}, without quotes.`
      : `${choice}${isText ? didYouMean(input, words) : ''}`;
  return error('invalid-value', path, `Unknown value ${JSON.stringify(input)}. ${advice}`);
}

function describeBound(issue: $ZodIssue, path: Path): Finding {
  if (issue.code === 'too_big' && issue.origin === 'string')
    return error('too-long', path, `This is longer than ${issue.maximum} characters. Shorten it.`);
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.message.startsWith('Too small'))
    return error('invalid-value', path, 'This is empty. Write a value, or remove the key.');
  if (issue.code === 'too_small' && isBare(issue))
    return error('invalid-value', path, `Write at least ${issue.minimum}.`);
  if (issue.code === 'too_big' && isBare(issue))
    return error('invalid-value', path, `Write at most ${issue.maximum}.`);
  return coded(issue.message, 'invalid-value', path);
}

/** True if the shape has no message for this bound of a number. */
function isBare(issue: $ZodIssue): boolean {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return false;
  return (issue.origin === 'number' || issue.origin === 'int') && issue.message.startsWith('Too ');
}

/** Uses the code of the shape's message, if it has one. */
function coded(message: string, otherwise: DiagnosticCode, path: Path, at: Spot = 'value'): Finding {
  const split = splitCode(message);
  if (split !== null) return error(split.code, path, split.text, at);
  return error(otherwise, path, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, at);
}
