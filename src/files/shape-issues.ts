import * as z from 'zod';
import { problem, type Finding, type Path } from './findings.ts';
import { keysAt } from './shape-keys.ts';
import { refusedKey } from './refused-keys.ts';
import { didYouMean } from './suggest.ts';

/** What a value turned out to be against its shape. */
export interface Checked<Value> {
  /** The value, without what was wrong where it can do without; null when it cannot. */
  readonly value: Value | null;
  readonly findings: readonly Finding[];
  /** What is missing from `value` because it was wrong. */
  readonly removed: readonly Path[];
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
  const issues = result.error.issues;
  return {
    ...salvage(shape, value, issues, standIns),
    findings: issues.flatMap((issue) => describeIssue(shape, issue)),
  };
}

/** Values for keys that must not be missing. */
type StandIns = Readonly<Record<string, unknown>>;

/** What rules say because something is not there; everything else is said about what is. */
const SAYS_ABSENCE: readonly string[] = [
  'account-selector',
  'audience-missing',
  'media-missing',
  'messages-missing',
  'missing-key',
  'paid-without-price',
  'price-without-paid',
  'rule-without-unsend',
  'schedule-missing',
  'service-missing',
  'settle-too-short',
  'text-missing',
  'timezone-missing',
  'timezone-without-time',
];

/** True for what a rule says only because something there, or beside it, was wrong and is gone. */
export function isEcho({ path, code }: Finding, removed: readonly Path[]): boolean {
  return removed.some((gone) => {
    if (startsWith(path, gone)) return true;
    if (!SAYS_ABSENCE.includes(code)) return false;
    const around = gone.slice(0, -1);
    if (around.length > 0) return startsWith(path, around);
    const [first, goneFirst] = [String(path[0]), String(gone[0])];
    return first === goneFirst || (first.startsWith('audience') && goneFirst.startsWith('audience'));
  });
}

/** Removing a wrong value can leave a required key missing, which removes what lies around it, and so on. */
const SALVAGE_ROUNDS_MAX = 8;

function salvage<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  firstIssues: readonly z.core.$ZodIssue[],
  standIns: StandIns,
): Omit<Checked<z.infer<Shape>>, 'findings'> {
  const copy: unknown = structuredClone(value);
  const removed: Path[] = [];
  let issues = firstIssues;
  for (let round = 0; round < SALVAGE_ROUNDS_MAX; round += 1) {
    const thisRound: Path[] = [];
    for (const path of issues.flatMap(wrongPaths)) {
      if (thisRound.some((gone) => startsWith(path, gone))) continue;
      const gone = remove(copy, path) ?? standIn(copy, path, standIns);
      if (gone === null) return { value: null, removed };
      thisRound.push(gone);
    }
    // A key that nobody knows leaves no hole.
    removed.push(...thisRound.filter((gone) => !isUnknownKey(firstIssues, gone)));
    const result = shape.safeParse(copy, { jitless: true });
    if (result.success) return { value: result.data, removed };
    issues = result.error.issues;
  }
  return { value: null, removed };
}

function wrongPaths(issue: z.core.$ZodIssue): Path[] {
  const path = pathOf(issue);
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
}

function isUnknownKey(issues: readonly z.core.$ZodIssue[], gone: Path): boolean {
  return issues.some(
    (issue) =>
      issue.code === 'unrecognized_keys' &&
      issue.path.length === gone.length - 1 &&
      startsWith(gone, pathOf(issue)) &&
      issue.keys.includes(String(gone.at(-1))),
  );
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

function startsWith(path: Path, start: Path): boolean {
  return start.every((step, index) => path[index] === step);
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

function pathOf(issue: z.core.$ZodIssue): (string | number)[] {
  return issue.path.filter((step) => typeof step !== 'symbol');
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
      return branchMeant(issue).flatMap((inner) =>
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
    return problem('missing-key', path, `"${key}" is missing: write one of ${issue.values.join(', ')}.`);
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
  if (issue.code === 'too_small' && isOwnWord(issue))
    return problem('invalid-value', path, `It is at least ${issue.minimum}.`);
  if (issue.code === 'too_big' && isOwnWord(issue))
    return problem('invalid-value', path, `It is at most ${issue.maximum}.`);
  return coded(issue.message, 'invalid-value', path);
}

/** Of a bound that its shape has no words for. */
function isOwnWord({ origin, message }: { readonly origin: string; readonly message: string }): boolean {
  return (origin === 'number' || origin === 'int') && message.startsWith('Too ');
}

/** Takes the code that a shape's message may begin with, as in `unquoted-id: An id is text…`. */
function coded(message: string, otherwise: string, path: Path, at: 'key' | 'value' = 'value'): Finding {
  const match = /^([a-z]+(?:-[a-z]+)+): (.*)$/s.exec(message);
  if (match !== null) return problem(match[1] ?? otherwise, path, match[2] ?? message, at);
  return problem(otherwise, path, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, at);
}
