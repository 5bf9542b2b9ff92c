import * as z from 'zod';
import type { DiagnosticCode } from '../domain/codes.ts';
import { splitCode } from '../domain/coded-message.ts';
import { problem, type Finding, type Path } from './findings.ts';
import { PathSet } from './path-set.ts';
import { refusedKey } from './refused-keys.ts';
import { salvage, type Salvaged, type StandIns } from './salvage.ts';
import { keysAt, misspelledKeys, pathOf } from './shape-keys.ts';
import { didYouMean } from './suggest.ts';

/** What a value turned out to be against its shape: without what was wrong, where it can do without. */
export interface Checked<Value> extends Salvaged<Value> {
  readonly findings: readonly Finding[];
}

/** Compiling the shapes takes as long as checking so many values without. Most workspaces have fewer. */
const WORTH_COMPILING = 500;
let checked = 0;

/**
 * Compares a value with its shape and says everything that is wrong with it. Where a key of its own is missing or wrong
 * and it cannot do without, a value of `standIns` takes its place, so that rules see the rest.
 */
export function checkShape<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  standIns: StandIns = {},
): Checked<z.infer<Shape>> {
  checked += 1;
  const result = shape.safeParse(value, { reportInput: true, jitless: checked < WORTH_COMPILING });
  if (result.success) return { value: result.data, findings: [], removed: [] };
  const issues = bestOfEach(result.error.issues);
  const { value: left, removed } = salvage(shape, value, issues, standIns);
  // Its key is there, in other letters: that is said already.
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

/** A value of a wrong kind is of a wrong length as well, and a number of no sane size breaks every bound. */
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

function describeIssue(shape: z.ZodType, issue: z.core.$ZodIssue): Finding[] {
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
        problem('invalid-date-time', path, 'Write a moment with its zone, such as "2030-11-05T00:00:00Z".'),
      ];
    default:
      return [describeBound(issue, path)];
  }
}

/** Of a value that may have several forms, what is wrong with the one that it has; of no form, the first. */
function branchMeant(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] {
  const hasForm = (issues: readonly z.core.$ZodIssue[]) =>
    !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
  return issue.errors.find(hasForm) ?? issue.errors[0] ?? [];
}

function unknownKey(shape: z.ZodType, path: Path, key: string): Finding {
  const spot = [...path, key];
  const refused = refusedKey(path, key);
  if (refused !== undefined) return problem(refused.code, spot, refused.message, 'key');
  const known = keysAt(shape, path);
  const choice = known.length === 0 ? '' : ` Known here: ${known.join(', ')}.`;
  return problem('unknown-key', spot, `"${key}" is not known here.${didYouMean(key, known)}${choice}`, 'key');
}

function describeType(issue: z.core.$ZodIssueInvalidType, path: Path): Finding {
  const key = path.at(-1);
  if (issue.input === undefined && typeof key === 'string') {
    return problem('missing-key', path, `"${key}" is missing: add it.`);
  }
  if (!issue.message.startsWith('Invalid input')) return coded(issue.message, 'invalid-type', path);
  const wanted = WANTED[issue.expected] ?? issue.expected;
  const advice = issue.expected === 'string' && isScalar(issue.input) ? ': put it in quotes.' : '.';
  return problem('invalid-type', path, `This should be ${wanted}, but it is ${nameOf(issue.input)}${advice}`);
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
    return problem('missing-key', path, `"${key}" is missing: write ${choice}${issue.values.join(', ')}.`);
  }
  const values = issue.values.map(String);
  if (typeof issue.input === 'string' && values.includes(issue.input))
    return problem(
      'invalid-value',
      path,
      `${JSON.stringify(issue.input)} is not known here. Write ${issue.input}, without quotes.`,
    );
  const hint = typeof issue.input === 'string' ? didYouMean(issue.input, values) : '';
  const choice = values.length === 1 ? `Write ${values.join('')}.` : `Write one of ${values.join(', ')}.`;
  return problem('invalid-value', path, `${JSON.stringify(issue.input)} is not known here. ${choice}${hint}`);
}

function describeBound(issue: z.core.$ZodIssue, path: Path): Finding {
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.message.startsWith('Too small')) {
    return problem('invalid-value', path, 'This is empty: write something or remove the key.');
  }
  if (issue.code === 'too_big' && issue.origin === 'string') {
    return problem('too-long', path, `This is longer than ${issue.maximum} characters: shorten it.`);
  }
  if (issue.code === 'too_small' && isBare(issue))
    return problem('invalid-value', path, `It is at least ${issue.minimum}.`);
  if (issue.code === 'too_big' && isBare(issue))
    return problem('invalid-value', path, `It is at most ${issue.maximum}.`);
  return coded(issue.message, 'invalid-value', path);
}

/** Of a bound that its shape has no words for. */
function isBare(issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return false;
  return (issue.origin === 'number' || issue.origin === 'int') && issue.message.startsWith('Too ');
}

/** A shape's message may have a code of its own. */
function coded(
  message: string,
  otherwise: DiagnosticCode,
  path: Path,
  at: 'key' | 'value' = 'value',
): Finding {
  const split = splitCode(message);
  if (split !== null) return problem(split.code, path, split.text, at);
  return problem(otherwise, path, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, at);
}
