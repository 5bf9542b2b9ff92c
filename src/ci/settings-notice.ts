import { canonical } from '../domain/digest.ts';
import type { Repository } from '../domain/git.ts';
import type { Address, ResolvedAccount } from '../domain/resource.ts';
import { markdownCode, markdownName } from '../render/markdown-escape.ts';
import { SELECTORS } from '../workspace/accounts.ts';
import type { Path } from '../workspace/findings.ts';
import { readYaml } from '../workspace/yaml.ts';

/** `herald.yaml` as it is checked out, and the changes and accounts of a plan. */
interface AccountsToReview {
  readonly head: string;
  readonly changes: readonly { readonly address: Address }[];
  readonly resolved: readonly ResolvedAccount[];
}

/**
 * What a reviewer has to know of `herald.yaml` first: settings and accounts that differ from those of the base commit, and which
 * account each alias of the plan means, because an address names only the alias. Without a base, nothing is compared.
 */
export async function workspaceNotices(
  base: { readonly repository: Repository; readonly commit: string } | null,
  about: AccountsToReview,
): Promise<readonly string[]> {
  const accounts = accountNotices(about);
  if (base === null) return accounts;
  const file = await base.repository.fileAt(base.commit, 'herald.yaml');
  if (file.kind === 'irregular') return [NOT_COMPARED, ...accounts];
  const changes = settingChanges(file.kind === 'regular' ? file.text : null, about.head);
  if (changes.length === 0) return accounts;
  const title = '> **This changes the settings of the workspace,** what may loosen a rule first:';
  return [[title, ...changes.map(drawSettingChange)].join('\n'), ...accounts];
}

const NOT_COMPARED =
  '> **The settings and accounts of the workspace are not compared,** because `herald.yaml` of the base, or a folder above it, is a link or a submodule. The apply job will refuse this.';

/** Aliases of one plan that a comment names. */
const ALIASES_MAX = 200;

function accountNotices({ head, changes, resolved }: AccountsToReview): readonly string[] {
  const ids = new Map(resolved.map(({ alias, accountId }) => [alias, accountId]));
  const written = Object(pickSelectors(readYaml('herald.yaml', head).source?.value)) as object;
  const find = (alias: string) => {
    const [[by, value] = ['', '?']] = Object.entries(Object(member(written, alias)) as object);
    return ids.get(alias) ?? (by === 'id' || by === '' ? String(value) : `${by} ${String(value)}`);
  };
  const aliases = [...new Set(changes.map(({ address }) => address.account))].toSorted();
  if (aliases.length === 0) return [];
  const named = aliases
    .slice(0, ALIASES_MAX)
    .map((alias) => `${markdownName(alias)} is ${markdownName(find(alias))}`);
  const more = aliases.length > ALIASES_MAX ? `, and ${aliases.length - ALIASES_MAX} more` : '';
  return [`> Accounts of this plan: ${named.join(', ')}${more}.`];
}

/** One setting of `herald.yaml` that a pull request changes. */
interface SettingChange {
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
const CALLED_OUT = ['accounts', 'service', 'policy', 'ci', 'allow', 'ignore', 'ownership', 'state'] as const;

/**
 * The settings about accounts, the service and the policy that differ between two texts of `herald.yaml`, element by element. Those that
 * may loosen something come first. A text is null without a file. A file that is not YAML has no settings here: it has errors
 * of its own.
 */
export function settingChanges(base: string | null, head: string | null): readonly SettingChange[] {
  const [was, is] = [base, head].map((text) => (text === null ? null : readYaml('herald.yaml', text).source));
  const section = (source: typeof was, name: (typeof CALLED_OUT)[number]) =>
    name === 'accounts' ? pickSelectors(source?.value) : member(source?.value, name);
  const changes = CALLED_OUT.flatMap((name) =>
    findDifferences([name], section(was, name), section(is, name)),
  ).map((difference) => ({
    path: difference.path.join('.'),
    removed: difference.removed.map(asText),
    added: difference.added.map(asText),
    line: (difference.after === undefined ? was : is)?.placeOf(difference.path, 'key').line ?? 1,
    loosens: !onlyTightens(difference, was?.value),
  }));
  return changes.toSorted((one, two) => Number(two.loosens) - Number(one.loosens));
}

/** Of each account, what says which one it is. */
function pickSelectors(workspace: unknown): unknown {
  const accounts = member(workspace, 'accounts');
  if (!isSection(accounts)) return undefined;
  const pick = (account: unknown) =>
    SELECTORS.flatMap((by) => {
      const value = member(account, by);
      return value === undefined ? [] : [[by, value] as const];
    });
  return Object.fromEntries(
    Object.entries(accounts).map(([alias, account]) => [alias, Object.fromEntries(pick(account))]),
  );
}

interface Difference {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
}

/**
 * | section            | a change that only tightens                                                      |
 * |--------------------|----------------------------------------------------------------------------------|
 * | `policy`, `ci`     | a new rule that has no default, and a new element of a list; not a level of warn |
 * | `allow`, `ignore`  | an element that is gone                                                          |
 * | `ownership`        | a prefix that is gone                                                            |
 * | anything else      | none                                                                             |
 */
function onlyTightens({ path: [section, rule = ''], ...change }: Difference, base: unknown): boolean {
  const { before, removed, added } = change;
  if (section === 'policy' || section === 'ci') {
    const isNew = member(member(base, section), String(rule)) === undefined;
    const only = removed.length === 0 && !added.includes('warn') && rule !== 'max_changes';
    return only && (isNew || Array.isArray(before));
  }
  return (section === 'allow' || section === 'ignore' || section === 'ownership') && added.length === 0;
}

/** Down to single values, and to the elements of lists. The order of a list does not matter. */
function findDifferences(path: Path, before: unknown, after: unknown): readonly Difference[] {
  if (isSection(before) || isSection(after)) {
    const [was, is] = [asSection(before, after), asSection(after, before)];
    return [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .toSorted()
      .flatMap((key) =>
        findDifferences(key === '' ? path : [...path, key], member(was, key), member(is, key)),
      );
  }
  const [had = [], has = []] = [before, after].map((value) => (value === undefined ? [] : [value].flat()));
  const [removed, added] = [without(had, has), without(has, had)];
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

function without(elements: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
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

/** Characters of the elements of one list. The settings themselves are always named. */
const LIST_MAX = { loosens: 4_000, tightens: 400 };

function drawSettingChange({ path, removed, added, line, loosens }: SettingChange): string {
  const [before, after] = [removed[0], added[0]];
  const space = loosens ? LIST_MAX.loosens : LIST_MAX.tightens;
  const lists = [drawList('removed', removed, space), drawList('added', added, space)];
  const words =
    before !== undefined && after !== undefined && removed.length + added.length === 2
      ? `from ${drawValue(before, after)} to ${drawValue(after, before)}`
      : lists.filter((part) => part !== '').join('; ');
  return `> - ${markdownName(path)} ${words} (line ${line})`;
}

function drawList(verb: string, values: readonly string[], space: number): string {
  let left = space;
  const named = values.filter((value) => (left -= Math.min(value.length, VALUE_MAX)) >= 0);
  const more = values.length - named.length;
  const parts = [...named.map((value) => drawValue(value, '')), ...(more > 0 ? [`${more} more`] : [])];
  return parts.length === 0 ? '' : `${verb} ${parts.join(', ')}`;
}

/** Characters of one value. A longer one is shown from where it begins to differ. */
const VALUE_MAX = 1_000;
const BEFORE_DIFFERENCE = 40;

function drawValue(value: string, other: string): string {
  if (value.length <= VALUE_MAX) return markdownCode(value);
  let same = 0;
  while (value[same] === other[same]) same += 1;
  const from = Math.max(0, same - BEFORE_DIFFERENCE);
  const end = from + VALUE_MAX < value.length ? ' …' : '';
  const shown = markdownCode(value.slice(from, from + VALUE_MAX));
  return `${from === 0 ? '' : '… '}${shown}${end} (${value.length} characters)`;
}
