import * as z from 'zod/mini';
import {
  $ZodObject,
  type $ZodIssue,
  type $ZodIssueInvalidType,
  type $ZodIssueInvalidUnion,
  type $ZodIssueInvalidValue,
  type $ZodRawIssue,
  type $ZodType,
} from 'zod/v4/core';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { Finding, Path, Spot } from './findings.ts';
import { didYouMean } from './suggest.ts';
import { splitCode } from '../domain/value-shapes.ts';

/** The checked value, or why it is not one. */
export interface Checked<Value> {
  readonly value: Value | null;
  readonly findings: readonly Finding[];
}

/** Number of values from which compiling a shape is faster. Most workspaces have fewer. */
const WORTH_COMPILING = 500;
let checked = 0;

/** Checks a value against its shape, and reports all problems of the shape, each once. */
export function checkShape<Shape extends $ZodType>(shape: Shape, value: unknown): Checked<z.infer<Shape>> {
  checked += 1;
  const result = z.safeParse(shape, value, {
    reportInput: true,
    jitless: checked < WORTH_COMPILING,
    error: nameKnownKeys,
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
      .flatMap((issue) => describeIssue(issue, [])),
  };
}

/** The message of an issue if its shape has none of its own: the keys that may be there, or nothing. */
function nameKnownKeys({ code, inst }: $ZodRawIssue): string {
  if (code !== 'unrecognized_keys' || !(inst instanceof $ZodObject)) return '';
  return Object.keys(inst._zod.def.shape).join(', ');
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
    // The largest whole number that a program can hold is above every real bound.
    const isVague = issue.message === '' || (issue.code === 'too_big' && issue.origin === 'int');
    const rank = issue.code === 'invalid_type' ? 0 : 1 + Number(isVague);
    best.set(place, Math.min(rank, best.get(place) ?? rank));
    return { issue, place, rank };
  });
  return ranked.filter(({ place, rank }) => rank === best.get(place)).map(({ issue }) => issue);
}

/** What is wrong, at a path from the root. `base` leads to the value of the union that the issue is from. */
function describeIssue(issue: $ZodIssue, base: Path): Finding[] {
  const path = [...base, ...issue.path.filter((step) => typeof step !== 'symbol')];
  const { code, message } = issue;
  if (code === 'invalid_union')
    return bestOfEach(branchMeant(issue)).flatMap((inner) => describeIssue(inner, path));
  if (code === 'unrecognized_keys') return issue.keys.map((key) => describeUnknownKey(key, path, message));
  if (code === 'invalid_key')
    return [describeOwn(issue.issues[0]?.message ?? '', 'invalid-value', path, 'key')];
  const key = path.at(-1);
  if (issue.input === undefined && typeof key === 'string') {
    const choice = code === 'invalid_value' ? adviseValues(issue) : 'Add it.';
    return [error('missing-key', path, `"${key}" is missing. ${choice}`)];
  }
  if (message !== '')
    return [describeOwn(message, code === 'invalid_type' ? 'invalid-type' : 'invalid-value', path)];
  if (code === 'invalid_type') return [describeType(issue, path)];
  if (code === 'invalid_format' && issue.format === 'datetime')
    return [error('invalid-date-time', path, 'Write a time with its zone, such as "2030-11-05T00:00:00Z".')];
  if (code === 'too_big' && issue.origin === 'string')
    return [error('too-long', path, `This is longer than ${issue.maximum} characters. Shorten it.`)];
  return [error('invalid-value', path, describeValue(issue))];
}

function describeValue(issue: $ZodIssue): string {
  if (issue.code === 'invalid_value') return describeChoice(issue);
  if (issue.code === 'too_small' && issue.origin === 'string')
    return 'This is empty. Write a value, or remove the key.';
  if (issue.code === 'too_small') return `Write at least ${issue.minimum}.`;
  if (issue.code === 'too_big') return `Write at most ${issue.maximum}.`;
  return 'This value has the wrong form. Correct it.';
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

function describeUnknownKey(key: string, path: Path, known: string): Finding {
  const choice = known === '' ? '' : ` Known here: ${known}.`;
  const message = `Unknown key "${key}".${didYouMean(key, known.split(', '))}${choice}`;
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

function describeType({ input, expected }: $ZodIssueInvalidType, path: Path): Finding {
  const key = path.at(-1);
  const subject = typeof key === 'string' ? `"${key}"` : 'This';
  const isBareWord = typeof input === 'number' || typeof input === 'boolean';
  const [, whole, fraction] = (typeof input === 'string' ? WRITTEN_NUMBER.exec(input) : null) ?? [];
  const number = fraction === undefined ? whole : `${whole}.${fraction}`;
  let advice = '';
  if (expected === 'string' && isBareWord) advice = ' Put it in quotes.';
  if ((expected === 'number' || expected === 'int') && number !== undefined)
    advice = ` Write ${number}, without quotes.`;
  const message = `${subject} must be ${WANTED[expected] ?? expected}, but it is ${nameType(input)}.${advice}`;
  return error('invalid-type', path, message);
}

/** `9.99`, `9,99`, `$9.99` and `9.99 USD`. */
const WRITTEN_NUMBER = /^\$? ?(\d+)(?:[.,](\d{1,2}))?(?: ?(?:\$|USD))?$/;

function nameType(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return KEY_VALUE_LINES;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'text';
}

function describeChoice(issue: $ZodIssueInvalidValue): string {
  const { input, values } = issue;
  const words = values.map(String);
  const isText = typeof input === 'string';
  const advice =
    isText && words.includes(input)
      ? `Write ${input}, without quotes.`
      : `${adviseValues(issue)}${isText ? didYouMean(input, words) : ''}`;
  return `Unknown value ${JSON.stringify(input)}. ${advice}`;
}

function adviseValues({ values }: $ZodIssueInvalidValue): string {
  return `Write ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}.`;
}

/** The shape's own message, and its code if it has one. */
function describeOwn(message: string, otherwise: DiagnosticCode, path: Path, at: Spot = 'value'): Finding {
  const split = splitCode(message);
  if (split !== null) return error(split.code, path, split.text, at);
  return error(otherwise, path, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, at);
}
