import * as z from 'zod/mini';
import { en } from 'zod/locales';
import type { DiagnosticCode } from '../domain/codes.ts';
import { splitCode } from '../domain/coded-message.ts';
import { error, type Finding, type Path } from './findings.ts';
import { PathSet } from './path-set.ts';
import { refusedKey } from './refused-keys.ts';
import { keepValidParts, type ValidParts, type Placeholders } from './valid-parts.ts';
import { keysAt, misspelledKeys, pathOf } from './shape-keys.ts';
import { didYouMean } from './suggest.ts';

/** The result of a shape check: the valid parts, if the value can do without the wrong ones. */
export interface Checked<Value> extends ValidParts<Value> {
  readonly findings: readonly Finding[];
}

/** The words where a shape has none. The small dialect of zod comes without, and a program may have set others. */
const { localeError: WORDS } = en();

/** Number of values from which compiling a shape is faster. Most workspaces have fewer. */
const WORTH_COMPILING = 500;
let checked = 0;

/**
 * Checks a value against its shape and reports all problems. A placeholder replaces a missing or wrong required key,
 * so that rules can check the rest.
 */
export function checkShape<Shape extends z.core.$ZodType>(
  shape: Shape,
  value: unknown,
  placeholders: Placeholders = {},
): Checked<z.infer<Shape>> {
  checked += 1;
  const result = z.safeParse(shape, value, {
    reportInput: true,
    jitless: checked < WORTH_COMPILING,
    error: WORDS,
  });
  if (result.success) return { value: result.data, findings: [], removed: [] };
  const issues = bestOfEach(result.error.issues);
  const { value: left, removed } = keepValidParts(shape, value, issues, placeholders);
  // The key exists with a typo, which is reported already.
  const misspelled = misspelledKeys(shape, value, issues);
  const there = new PathSet(misspelled);
  return {
    value: left,
    findings: issues
      .filter((issue) => issue.input !== undefined || !there.has(pathOf(issue)))
      .flatMap((issue) => describeIssue(shape, issue)),
    removed: [...removed, ...misspelled],
  };
}

/** Keeps the most useful issue for each path. A value of a wrong type also breaks its bounds. */
function bestOfEach(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const best = new Map<string, number>();
  const ranked = issues.map((issue) => {
    const place = JSON.stringify([
      issue.code === 'unrecognized_keys' || issue.code === 'invalid_key',
      issue.path,
    ]);
    const isVague = isBare(issue) || (issue.code === 'too_big' && issue.origin === 'int');
    const rank = issue.code === 'invalid_type' ? 0 : isVague ? 2 : 1;
    best.set(place, Math.min(rank, best.get(place) ?? rank));
    return { issue, place, rank };
  });
  return ranked.filter(({ place, rank }) => rank === best.get(place)).map(({ issue }) => issue);
}

function describeIssue(shape: z.core.$ZodType, issue: z.core.$ZodIssue): Finding[] {
  const path = pathOf(issue);
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

const FORM_ISSUES: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_value']);

/** The issues of the union branch that fits the value best: of its form, with the fewest issues. Or of the first one. */
function branchMeant(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] {
  const isOfForm = (issues: readonly z.core.$ZodIssue[]) =>
    !issues.some(({ code, path }) => FORM_ISSUES.has(code) && path.length === 0);
  const [best] = issue.errors.filter(isOfForm).toSorted((left, right) => left.length - right.length);
  return best ?? issue.errors[0] ?? [];
}

function unknownKey(shape: z.core.$ZodType, path: Path, key: string): Finding {
  const spot = [...path, key];
  const refused = refusedKey(path, key);
  if (refused !== undefined) return error(refused.code, spot, refused.message, 'key');
  const known = keysAt(shape, path);
  const choice = known.length === 0 ? '' : ` Known here: ${known.join(', ')}.`;
  return error('unknown-key', spot, `Unknown key "${key}".${didYouMean(key, known)}${choice}`, 'key');
}

function describeType(issue: z.core.$ZodIssueInvalidType, path: Path): Finding {
  const key = path.at(-1);
  if (issue.input === undefined && typeof key === 'string') {
    return error('missing-key', path, `"${key}" is missing. Add it.`);
  }
  if (!issue.message.startsWith('Invalid input')) return coded(issue.message, 'invalid-type', path);
  const wanted = WANTED[issue.expected] ?? issue.expected;
  const advice = issue.expected === 'string' && isScalar(issue.input) ? ' Put it in quotes.' : '';
  const subject = typeof key === 'string' ? `"${key}"` : 'This';
  return error(
    'invalid-type',
    path,
    `${subject} must be ${wanted}, but it is ${nameOf(issue.input)}.${advice}`,
  );
}

const WANTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a set of `key: value` lines',
  record: 'a set of `key: value` lines',
};

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a set of `key: value` lines';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'text';
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function describeChoice(issue: z.core.$ZodIssueInvalidValue, path: Path): Finding {
  const key = path.at(-1);
  if (issue.input === undefined && typeof key === 'string') {
    const choice = issue.values.length === 1 ? '' : 'one of ';
    return error('missing-key', path, `"${key}" is missing. Write ${choice}${issue.values.join(', ')}.`);
  }
  const values = issue.values.map(String);
  if (typeof issue.input === 'string' && values.includes(issue.input))
    return error(
      'invalid-value',
      path,
      `Unknown value ${JSON.stringify(issue.input)}. Write ${issue.input}, without quotes.`,
    );
  const hint = typeof issue.input === 'string' ? didYouMean(issue.input, values) : '';
  const choice = values.length === 1 ? `Write ${values.join('')}.` : `Write one of ${values.join(', ')}.`;
  return error('invalid-value', path, `Unknown value ${JSON.stringify(issue.input)}. ${choice}${hint}`);
}

function describeBound(issue: z.core.$ZodIssue, path: Path): Finding {
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.message.startsWith('Too small')) {
    return error('invalid-value', path, 'This is empty. Write a value, or remove the key.');
  }
  if (issue.code === 'too_big' && issue.origin === 'string') {
    return error('too-long', path, `This is longer than ${issue.maximum} characters. Shorten it.`);
  }
  if (issue.code === 'too_small' && isBare(issue))
    return error('invalid-value', path, `Write at least ${issue.minimum}.`);
  if (issue.code === 'too_big' && isBare(issue))
    return error('invalid-value', path, `Write at most ${issue.maximum}.`);
  return coded(issue.message, 'invalid-value', path);
}

/** True if the shape has no message for this bound. */
function isBare(issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return false;
  return (issue.origin === 'number' || issue.origin === 'int') && issue.message.startsWith('Too ');
}

/** Uses the code of the shape's message, if it has one. */
function coded(
  message: string,
  otherwise: DiagnosticCode,
  path: Path,
  at: 'key' | 'value' = 'value',
): Finding {
  const split = splitCode(message);
  if (split !== null) return error(split.code, path, split.text, at);
  return error(otherwise, path, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, at);
}
