import * as z from 'zod/mini';
import { $ZodObject } from 'zod/v4/core';
import { Findings, type Path } from './findings.ts';
import { didYouMean } from './suggest.ts';
import { splitCode } from '../domain/value-shapes.ts';

/** Number of values from which compiling a shape is faster. Most workspaces have fewer. */
const WORTH_COMPILING = 500;
let checked = 0;

/** The checked value. Null if it is not of its shape: then each problem of it is reported once. */
export function checkShape<Shape extends z.core.$ZodType>(
  shape: Shape,
  value: unknown,
  found: Findings = new Findings(() => undefined),
): z.infer<Shape> | null {
  checked += 1;
  const result = z.safeParse(shape, value, {
    reportInput: true,
    jitless: checked < WORTH_COMPILING,
    error: nameKnownKeys,
  });
  if (result.success) return result.data;
  for (const issue of bestOfEach(result.error.issues)) reportIssue(issue, [], found);
  return null;
}

/** The message of an issue if its shape has none of its own: the keys that may be there, or nothing. */
function nameKnownKeys({ code, inst }: z.core.$ZodRawIssue): string {
  if (code !== 'unrecognized_keys' || !(inst instanceof $ZodObject)) return '';
  return Object.keys(inst._zod.def.shape).join(', ');
}

/**
 * Keeps the most useful issue for each path. A value of a wrong type also breaks its bounds. Next to an unknown key, a missing one
 * is often the same key with a typo.
 */
function bestOfEach(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const best = new Map<string, number>();
  const withUnknown = new Set<string>();
  const ranked = issues.map((issue) => {
    const isAboutKeys = issue.code === 'unrecognized_keys' || issue.code === 'invalid_key';
    const place = JSON.stringify([isAboutKeys, issue.path]);
    if (issue.code === 'unrecognized_keys') withUnknown.add(JSON.stringify(issue.path));
    // The largest whole number that a program can hold is above every real bound.
    const isVague = issue.message === '' || (issue.code === 'too_big' && issue.origin === 'int');
    const rank = issue.code === 'invalid_type' ? 0 : 1 + Number(isVague);
    best.set(place, Math.min(rank, best.get(place) ?? rank));
    return { issue, place, rank };
  });
  const isTypo = ({ input, path }: z.core.$ZodIssue) =>
    input === undefined && withUnknown.has(JSON.stringify(path.slice(0, -1)));
  return ranked.flatMap(({ issue, place, rank }) =>
    rank === best.get(place) && !isTypo(issue) ? [issue] : [],
  );
}

/** `base` leads to the value of the union that the issue is from. */
function reportIssue(issue: z.core.$ZodIssue, base: Path, found: Findings): void {
  const path = [...base, ...issue.path.filter((step) => typeof step !== 'symbol')];
  const { code, message } = issue;
  const key = path.at(-1);
  // The shape's own message, with its code if it has one.
  const own = code === 'invalid_key' ? (issue.issues[0]?.message ?? '') : message;
  if (code === 'invalid_union')
    for (const inner of bestOfEach(branchMeant(issue))) reportIssue(inner, path, found);
  else if (code === 'unrecognized_keys')
    for (const unknown of issue.keys) {
      const choice = message === '' ? '' : ` Known here: ${message}.`;
      const advice = `${didYouMean(unknown, message.split(', '))}${choice}`;
      found.error('unknown-key', [...path, unknown], `Unknown key "${unknown}".${advice}`, 'key');
    }
  else if (code !== 'invalid_key' && issue.input === undefined && typeof key === 'string') {
    const choice = code === 'invalid_value' ? adviseValues(issue) : 'Add it.';
    found.error('missing-key', path, `"${key}" is missing. ${choice}`);
  } else if (own !== '') {
    const uncoded = `${own.charAt(0).toUpperCase()}${own.slice(1)}.`;
    const otherwise = code === 'invalid_type' ? 'invalid-type' : 'invalid-value';
    const { code: named, text } = splitCode(own) ?? { code: otherwise, text: uncoded };
    found.error(named, path, text, code === 'invalid_key' ? 'key' : 'value');
  } else if (code === 'invalid_type') reportType(issue, path, found);
  else if (code === 'invalid_format' && issue.format === 'datetime')
    found.error('invalid-date-time', path, 'Write a time with its zone, such as "2030-11-05T00:00:00Z".');
  else if (code === 'too_big' && issue.origin === 'string')
    found.error('too-long', path, `This is longer than ${issue.maximum} characters. Shorten it.`);
  else found.error('invalid-value', path, describeValue(issue));
}

function describeValue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return describeChoice(issue);
  if (issue.code === 'too_small' && issue.origin === 'string')
    return 'This is empty. Write a value, or remove the key.';
  if (issue.code === 'too_small') return `Write at least ${issue.minimum}.`;
  if (issue.code === 'too_big') return `Write at most ${issue.maximum}.`;
  return 'This value has the wrong form. Correct it.';
}

/** The issues of the union branch that fits the value best: of its form, with the fewest issues. Or of the first one. */
function branchMeant({ errors }: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] {
  const isOfForm = (issues: readonly z.core.$ZodIssue[]) =>
    !issues.some(
      ({ code, path }) => (code === 'invalid_type' || code === 'invalid_value') && path.length === 0,
    );
  const [best] = errors.filter(isOfForm).toSorted((left, right) => left.length - right.length);
  return best ?? errors[0] ?? [];
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

function reportType({ input, expected }: z.core.$ZodIssueInvalidType, path: Path, found: Findings): void {
  const key = path.at(-1);
  const subject = typeof key === 'string' ? `"${key}"` : 'This';
  const word = typeof input === 'string' ? input.toLowerCase() : '';
  const trimmed = word.replace(AROUND_NUMBER, '').replace(CENTS, '.');
  const isSmall = /^\d/.test(trimmed) && Number(trimmed) < 1e9;
  let advice = '';
  if (expected === 'string' && (typeof input === 'number' || typeof input === 'boolean'))
    advice = ' Put it in quotes.';
  if ((expected === 'number' || expected === 'int') && isSmall)
    advice = ` Write ${Number(trimmed)}, without quotes.`;
  if (expected === 'boolean' && ['true', 'yes', 'on'].includes(word)) advice = ' Write true, without quotes.';
  if (expected === 'boolean' && ['false', 'no', 'off'].includes(word))
    advice = ' Write false, without quotes.';
  if (word.includes('{{')) advice = ' Use variables only in texts and ids.';
  const message = `${subject} must be ${WANTED[expected] ?? expected}, but it is ${nameType(input)}.${advice}`;
  found.error('invalid-type', path, message);
}

/** Of `$9.99`, `9,99`, `9.99 USD` and `1_000`. `0x10` and `1e3` are numbers for JavaScript, too. */
const AROUND_NUMBER = /^\$ ?| ?(?:\$|usd)$|_/g;
const CENTS = /,(?=\d{1,2}$)/;

function nameType(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return KEY_VALUE_LINES;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'text';
}

function describeChoice(issue: z.core.$ZodIssueInvalidValue): string {
  const { input, values } = issue;
  const words = values.map(String);
  const isText = typeof input === 'string';
  const advice =
    isText && words.includes(input)
      ? `Write ${input}, without quotes.`
      : `${adviseValues(issue)}${isText ? didYouMean(input, words) : ''}`;
  return `Unknown value ${JSON.stringify(input)}. ${advice}`;
}

function adviseValues({ values }: z.core.$ZodIssueInvalidValue): string {
  return `Write ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}.`;
}
