import { canonical } from '../domain/digest.ts';
import type { Repository } from '../domain/git.ts';
import type { Address, ResolvedAccount } from '../domain/resource.ts';
import { markdownCode, markdownName } from '../render/markdown-escape.ts';
import { SELECTORS } from '../workspace/accounts.ts';
import type { Path } from '../workspace/findings.ts';
import { readYaml, type YamlSource } from '../workspace/yaml.ts';

/** Characters of the elements of one list. The settings themselves are always named. */
const LIST_MAX = { loosens: 4_000, tightens: 400 };

/** Characters of one value. A longer one is shown from where it begins to differ. */
const VALUE_MAX = 1_000;
const BEFORE_DIFFERENCE = 40;

/** What a reviewer has to know of `herald.yaml` first: settings and accounts that differ from those of the base commit. */
export async function workspaceNotices(
  repository: Repository,
  base: string,
  about: AccountsToReview,
): Promise<readonly string[]> {
  const file = await repository.fileAt(base, 'herald.yaml');
  if (file.kind === 'irregular') return [NOT_COMPARED, ...accountNotices(about.head, about)];
  const text = file.kind === 'regular' ? file.text : null;
  return [...settingsNotices(text, about.head), ...accountNotices(text, about)];
}

const NOT_COMPARED =
  '> **The settings and accounts of the workspace are not compared,** because `herald.yaml` of the base, or a folder above it, is a link or a submodule. The apply job will refuse this.';

function settingsNotices(base: string | null, head: string): readonly string[] {
  const changes = settingChanges(base, head);
  if (changes.length === 0) return [];
  return [
    [
      '> **This changes the settings of the workspace,** what may loosen a rule first:',
      ...changes.map(drawSettingChange),
    ].join('\n'),
  ];
}

function drawSettingChange({ path, removed, added, line, loosens }: SettingChange): string {
  const [before, after] = [removed[0], added[0]];
  const isOne = before !== undefined && after !== undefined && removed.length + added.length === 2;
  const space = loosens ? LIST_MAX.loosens : LIST_MAX.tightens;
  const words = isOne
    ? `from ${drawValue(before, after)} to ${drawValue(after, before)}`
    : [drawValues('removed', removed, space), drawValues('added', added, space)]
        .filter((part) => part !== '')
        .join('; ');
  return `> - ${markdownName(path)} ${words} (line ${line})`;
}

function drawValues(verb: string, values: readonly string[], space: number): string {
  if (values.length === 0) return '';
  let left = space;
  const named = values.filter((value) => (left -= Math.min(value.length, VALUE_MAX)) >= 0);
  const more = values.length - named.length;
  const words = named.map((value) => drawValue(value, '')).join(', ');
  return `${verb} ${words}${more === 0 ? '' : `${words === '' ? '' : ' and '}${more} more`}`;
}

function drawValue(value: string, other: string): string {
  if (value.length <= VALUE_MAX) return markdownCode(value);
  let same = 0;
  while (value[same] === other[same]) same += 1;
  const from = Math.max(0, same - BEFORE_DIFFERENCE);
  const shown = value.slice(from, from + VALUE_MAX);
  const begin = from === 0 ? '' : '… ';
  const end = from + VALUE_MAX < value.length ? ' …' : '';
  return `${begin}${markdownCode(shown)}${end} (${value.length} characters)`;
}

/** One setting of `herald.yaml` that a pull request changes. */
export interface SettingChange {
  /** Such as `policy.max_price_gross`. */
  readonly path: string;
  /** The old value, or the elements that a list does not have any more. As JSON. */
  readonly removed: readonly string[];
  /** The new value, or the elements that a list has now. */
  readonly added: readonly string[];
  /** In the new file, or in the old one for a setting that is gone. From 1. */
  readonly line: number;
  /** False only if it can forbid more, and never less. */
  readonly loosens: boolean;
}

/** Settings that decide where campaigns go and what may go out. A reviewer has to see a change of them first. */
const CALLED_OUT = ['service', 'policy', 'ci', 'allow', 'ignore', 'ownership', 'state'] as const;

/**
 * The settings about the service and the policy that differ between two texts of `herald.yaml`, element by element. Those that
 * may loosen something come first. A text is null without a file. A file that is not YAML has no settings here: it has errors
 * of its own.
 */
export function settingChanges(base: string | null, head: string | null): readonly SettingChange[] {
  const [was, is] = [readSource(base), readSource(head)];
  const changes = CALLED_OUT.flatMap((section) =>
    differences([section], member(was?.value, section), member(is?.value, section)),
  ).map(({ path, before, after, removed, added }) => ({
    path: path.join('.'),
    removed: removed.map(asText),
    added: added.map(asText),
    line: (after === undefined ? was : is)?.placeOf(path, 'key').line ?? 1,
    loosens: !onlyTightens({ path, before, removed, added }, was?.value),
  }));
  return changes.toSorted((one, two) => Number(two.loosens) - Number(one.loosens));
}

/**
 * | section            | a change that only tightens                                                      |
 * |--------------------|----------------------------------------------------------------------------------|
 * | `policy`, `ci`     | a new rule that has no default, and a new element of a list; not a level of warn |
 * | `allow`, `ignore`  | an element that is gone                                                          |
 * | `ownership`        | a prefix that is gone                                                            |
 * | anything else      | none                                                                             |
 */
function onlyTightens(
  { path: [section, rule = ''], before, removed, added }: Omit<Difference, 'after'>,
  base: unknown,
): boolean {
  if (section === 'policy' || section === 'ci') {
    const isNew = member(member(base, section), String(rule)) === undefined;
    const only = removed.length === 0 && !added.includes('warn') && rule !== 'max_changes';
    return only && (isNew || Array.isArray(before));
  }
  return (section === 'allow' || section === 'ignore' || section === 'ownership') && added.length === 0;
}

function readSource(text: string | null): YamlSource | null {
  return text === null ? null : readYaml('herald.yaml', text).source;
}

interface Difference {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
}

/** Down to single values, and to the elements of lists. The order of a list does not matter. */
function differences(path: Path, before: unknown, after: unknown): readonly Difference[] {
  if (isSection(before) || isSection(after)) {
    const [was, is] = [asSection(before, after), asSection(after, before)];
    return [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .toSorted()
      .flatMap((key) => differences(key === '' ? path : [...path, key], member(was, key), member(is, key)));
  }
  const [had, has] = [before, after].map((value) => (value === undefined ? [] : [value].flat()));
  const removed = without(had, has);
  const added = without(has, had);
  return removed.length + added.length === 0 ? [] : [{ path, before, after, removed, added }];
}

/** The short form of a rule as its long form: `max_changes: 20` is `{ limit: 20 }`. */
function asSection(value: unknown, other: unknown): Readonly<Record<string, unknown>> {
  if (isSection(value)) return value;
  if (value === undefined) return {};
  const alike = (one: unknown) => typeof one === typeof value && Array.isArray(one) === Array.isArray(value);
  const key = isSection(other) ? Object.keys(other).find((name) => alike(other[name])) : undefined;
  return { [key ?? '']: value };
}

function without(elements: readonly unknown[] = [], others: readonly unknown[] = []): readonly unknown[] {
  const known = new Set(others.map((one) => canonical(one)));
  return elements.filter((one) => !known.has(canonical(one)));
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of a YAML map that has the key itself. */
export function member(value: unknown, key: string): unknown {
  return isSection(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function asText(value: unknown): string {
  // An address may hold a password by mistake.
  return JSON.stringify(value).replace(/:\/\/[^/\s@"]*@/g, '://***@');
}

/** Aliases that a pull request leaves as they are, in one comment. Those that it changes are always named. */
const UNCHANGED_MAX = 200;

/** `herald.yaml` as it is checked out, and the changes and accounts of a plan. */
export interface AccountsToReview {
  readonly head: string;
  readonly changes: readonly { readonly address: Address }[];
  readonly resolved: readonly ResolvedAccount[];
}

/**
 * Which account each alias of the plan means, because an address names only the alias. First what the pull request does to the
 * aliases: what people know by an alias would follow it to another account. With the same text as base, nothing differs.
 */
export function accountNotices(
  base: string | null,
  { head, changes, resolved }: AccountsToReview,
): readonly string[] {
  const [was, is] = [accountsIn(base), accountsIn(head)];
  const lines = [
    ...[...is].flatMap(([alias, account]) => {
      const before = was.get(alias);
      if (before === account) return [];
      const what = before === undefined ? 'New alias' : `Moved from ${markdownName(before)}:`;
      const others = [...new Map([...was, ...is])].filter(
        ([name]) => name !== alias && [was, is].some((accounts) => accounts.get(name) === account),
      );
      const same = others.map(([name]) => `, the account of ${markdownName(name)}`).join('');
      return [`${what} ${markdownName(alias)} is ${markdownName(account)}${same}`];
    }),
    ...[...was].flatMap(([alias, account]) =>
      is.has(alias) ? [] : [`Removed: ${markdownName(alias)} was ${markdownName(account)}`],
    ),
  ];
  const ids = new Map(resolved.map(({ alias, accountId }) => [alias, accountId]));
  const about = [...new Set(changes.map(({ address }) => address.account))].toSorted();
  const listed = about
    .slice(0, UNCHANGED_MAX)
    .map((alias) => `${markdownName(alias)} is ${markdownName(ids.get(alias) ?? is.get(alias) ?? '?')}`);
  const more = about.length > listed.length ? `, and ${about.length - listed.length} more` : '';
  const changed = [
    '> **This changes which accounts the aliases mean.**',
    ...lines.map((line) => `> - ${line}.`),
  ];
  return [
    ...(lines.length === 0 ? [] : [changed.join('\n')]),
    ...(listed.length === 0 ? [] : [`> Accounts of this plan: ${listed.join(', ')}${more}.`]),
  ];
}

/** The account of each alias, as written: `101`, or `username ana`. */
function accountsIn(text: string | null): ReadonlyMap<string, string> {
  const accounts = member(text === null ? null : readYaml('herald.yaml', text).source?.value, 'accounts');
  return new Map(
    Object.entries(Object(accounts)).map(([alias, account]) => {
      const by = SELECTORS.find((one) => member(account, one) !== undefined) ?? 'id';
      const value = String(member(account, by));
      return [alias, by === 'id' ? value : `${by} ${value}`];
    }),
  );
}
