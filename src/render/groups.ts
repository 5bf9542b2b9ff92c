import type { Change, FieldDifference, Plan, Step } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { escapePattern, matchValues } from '../domain/glob.ts';
import { groupBy } from '../domain/group-by.ts';
import { compareAddresses, type Address } from '../domain/resource.ts';
import { quoted } from '../domain/visible.ts';
import { fits } from './spans.ts';

/** Changes that a reader approves together, because they do the same. */
export interface ChangeGroup {
  /**
   * What all of them share. Of several, its texts have the names of variables (`{{first_name}}`) in place of their
   * values, its sentences name no id and no account, and its steps no object.
   */
  readonly shared: Change;
  /** Sorted by account, kind and name. */
  readonly changes: readonly [Change, ...Change[]];
  /** What differs by account: `{{first_name}}` in the shared fields, and `<id>` in the sentences. */
  readonly variables: readonly Variable[];
}

interface Variable {
  readonly name: string;
  readonly values: readonly { readonly value: string; readonly accounts: readonly string[] }[];
}

/** One change with its fields and sentences as they are on every account. */
interface Member {
  readonly change: Change;
  readonly fields: readonly FieldDifference[];
  readonly reasons: readonly string[];
  readonly undo: string;
  /** The ids that were replaced in its sentences. */
  readonly ids: readonly string[];
}

type Members = readonly [Member, ...Member[]];
type Variables = NonNullable<Plan['variables']>;

/** Groups changes with equal action, fields and reasons. With `expand`, each is on its own, as it is. */
export function groupChanges(
  changes: readonly Change[],
  { variables = {}, expand = false }: { readonly variables?: Variables; readonly expand?: boolean },
): readonly ChangeGroup[] {
  if (expand)
    return changes
      .map((change): ChangeGroup => ({ shared: change, changes: [change], variables: [] }))
      .toSorted(compareGroups);
  const replace = replaceValues(variables);
  const members = changes
    .toSorted((left, right) => compareAddresses(left.address, right.address))
    .map((change) => ({ change, fields: replace(change), ...replaceOwn(change) }));
  return [...groupBy(members, contentKey).values()]
    .map((some) => mergeMembers(some, variables))
    .toSorted(compareGroups);
}

/** Accounts of changes, each once, sorted. */
export function accountsIn(changes: readonly Pick<Change, 'address'>[]): readonly string[] {
  return [...new Set(changes.map(({ address }) => address.account))].toSorted(compareText);
}

/** Everything that a reader approves. Names differ only where the content is what matters. */
function contentKey({ change, fields, reasons, undo }: Member): string {
  const { address, action, cause = null, needs, reversible, dropped } = change;
  const steps = change.steps.map(withoutObject);
  const name = fields.length === 0 ? address.name : null;
  const form = [address.kind, action, cause, needs, reversible, reasons, undo, steps, dropped];
  return canonical([form, hasOwnMark(change), name, fields]);
}

/** A step of an existing object gets an empty id, because each change has its own object. */
function withoutObject(step: Step): Step {
  return step.live_id === null ? step : { ...step, live_id: '' };
}

function mergeMembers(members: Members, variables: Variables): ChangeGroup {
  const [first, ...others] = members;
  const { change, fields, reasons, undo } = first;
  const accounts = accountsIn(members.map((member) => member.change));
  const named = hasOwnMark(change) ? [] : listVariables(fields, accounts, variables);
  if (others.length === 0)
    return { shared: { ...change, fields: [...fields] }, changes: [change], variables: named };
  return {
    shared: {
      ...change,
      live_id: null,
      reasons: [...reasons],
      undo,
      fields: [...fields],
      steps: change.steps.map(withoutObject),
    },
    changes: [change, ...others.map((other) => other.change)],
    variables: [...named, ...listObjects(members)],
  };
}

/** The ids that the sentences name, as the values of `<id>`. */
function listObjects(members: Members): readonly Variable[] {
  const [{ ids }] = members;
  return ids.map((_, index) => ({
    name: ids.length === 1 ? '<id>' : `<id ${index + 1}>`,
    values: members.map(({ change, ids: own }) => ({
      value: own[index] ?? '-',
      accounts: [change.address.account],
    })),
  }));
}

/** Those of several accounts first, by kind and name; then the others by account, kind and name. */
function compareGroups(left: ChangeGroup, right: ChangeGroup): number {
  const [a, b] = [left.changes[0].address, right.changes[0].address];
  const [isSingle, isOtherSingle] = [left, right].map(({ changes }) => accountsIn(changes).length === 1);
  if (isSingle !== isOtherSingle) return isSingle === true ? 1 : -1;
  if (isSingle === true) return compareAddresses(a, b);
  return compareText(a.kind, b.kind) || compareText(a.name, b.name) || compareText(a.account, b.account);
}

/** Shorter values are not looked for in texts: they are parts of too many words. */
const VALUE_UNITS_MIN = 2;

/** Longer values stay in the texts, where every new word of them is shown. */
export const VALUE_COLUMNS_MAX = 160;

/**
 * The fields of a change, with the values of its account's variables as `{{first_name}}`, on both sides of a
 * difference. So the same edit reads the same on all accounts. With those values, a text is the one of its account
 * again.
 */
function replaceValues(variables: Variables): (change: Change) => readonly FieldDifference[] {
  const patterns = new Map(
    Object.entries(variables).map(([account, values]) => [account, patternFor(values)]),
  );
  return (change) => {
    const { address, fields } = change;
    const found = patterns.get(address.account);
    if (found == null || hasOwnMark(change)) return fields;
    return fields.map(({ path, old, new: wanted }) => {
      const replace = (value: unknown): unknown =>
        typeof value === 'string'
          ? value.replace(found.pattern, (text, at: number) =>
              isFilled(path, value.slice(Math.max(0, at - 2), at), value.slice(at + text.length))
                ? `{{${found.names.get(text) ?? ''}}}`
                : text,
            )
          : value;
      return { path, old: replace(old), new: replace(wanted) };
    });
  };
}

/**
 * Whether files may have a variable there. Elsewhere a value is a word of Herald, such as `everyone` or `paid`: by the name of a
 * variable, a reader would take another audience for the same.
 */
function isFilled(path: string, before: string, after: string): boolean {
  if (path.endsWith('.attachments')) return /(?:^|, |\n)$/.test(before) && after.startsWith(' ');
  if (path.startsWith('audience')) return /["(]$/.test(before) && /^[")]/.test(after);
  return /\.(?:text|tagged_platform_account_ids)$/.test(path);
}

/** A text with marks of its own could read like another one with a variable. */
function hasOwnMark({ fields }: Change): boolean {
  return fields.some((field) => hasMark(field.old) || hasMark(field.new));
}

function hasMark(value: unknown): boolean {
  return typeof value === 'string' && value.includes('{{');
}

function patternFor(values: Readonly<Record<string, string>>) {
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(values).toSorted(([left], [right]) => compareText(left, right)))
    if (value.trim().length >= VALUE_UNITS_MIN && fits(quoted(value), VALUE_COLUMNS_MAX) && !names.has(value))
      names.set(value, name);
  if (names.size === 0) return null;
  return { names, pattern: matchValues([...names.keys()]) };
}

/** The variables that these fields name, with their values by account. */
function listVariables(
  fields: readonly FieldDifference[],
  accounts: readonly string[],
  variables: Variables,
): ChangeGroup['variables'] {
  const texts = fields.flatMap(({ old, new: wanted }) => [old, wanted]).filter((text) => hasMark(text));
  const names = new Set(accounts.flatMap((account) => Object.keys(variables[account] ?? {})));
  return [...names]
    .filter((name) => texts.some((text) => String(text).includes(`{{${name}}}`)))
    .toSorted(compareText)
    .map((name) => {
      const byValue = groupBy(accounts, (account) => variables[account]?.[name] ?? '');
      return { name: `{{${name}}}`, values: [...byValue].map(([value, own]) => ({ value, accounts: own })) };
    });
}

/** How many sends of one object are queued. The entry of a group has the sum. */
const QUEUED = /about \d+ sends? (?:is|are) still queued \(\d+ targeted, \d+ sent\)/g;

/**
 * The sentences of a change without the ids of its objects, and without its account in commands and addresses. Equal
 * changes of several accounts have the same ones: `To keep <id>: herald import --update`.
 */
function replaceOwn(change: Change): Omit<Member, 'change' | 'fields'> {
  const { address, live_id: liveId, steps } = change;
  const all = [liveId, ...steps.map((step) => step.live_id)];
  const ids = [...new Set(all)].flatMap((id) => (id === null || id === '' ? [] : [id]));
  let isNamed = false;
  const replace = (text: string): string => {
    let words = text.replace(QUEUED, 'sends are still queued');
    for (const [index, id] of ids.entries()) {
      const mark = ids.length === 1 ? '<id>' : `<id ${index + 1}>`;
      const replaced = words.replace(
        new RegExp(String.raw`(?<![\w-])${escapePattern(id)}(?![\w-])`, 'g'),
        mark,
      );
      isNamed ||= replaced !== words;
      words = replaced;
    }
    return replaceAccount(words, address);
  };
  const [reasons, undo] = [change.reasons.map(replace), replace(change.undo)];
  return { reasons, undo, ids: isNamed ? ids : [] };
}

/** A sentence as it reads on every account: `herald plan --exclude <account>`. */
export function replaceAccount(text: string, { account, kind }: Address): string {
  if (!text.includes(account)) return text;
  const name = escapePattern(account);
  return text
    .replace(new RegExp(String.raw`(?<=(?:--[a-z]+|[Aa]ccount) )${name}(?![\w-])`, 'g'), '<account>')
    .replace(new RegExp(String.raw`(?<![\w-])${name}(?=/${kind}/)`, 'g'), '<account>');
}
