import { canonical } from '../domain/digest.ts';
import { isMembers, readMember } from '../domain/field-path.ts';
import type { Repository } from '../domain/ports.ts';
import type { Address, ResolvedAccount } from '../domain/resource.ts';
import { markdownName } from '../render/markdown-escape.ts';
import { readYaml } from '../workspace/yaml.ts';
import { SELECTORS } from '../workspace/workspace.ts';

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
  const texts = [file.kind === 'regular' ? file.text : '', about.head] as const;
  const settings = settingChanges(...texts);
  const few = settings.filter(({ path }) => !MANY.test(path));
  const many = settings.filter(({ path }) => MANY.test(path));
  const changes = [
    ...fitLines(few, SETTINGS_BYTES, 'settings'),
    ...fitLines(many, ACCOUNTS_BYTES, 'changes of groups and accounts'),
    ...fitLines(variableChanges(...texts), VARIABLES_BYTES, 'variables of accounts'),
  ];
  if (changes.length === 0) return accounts;
  const title = '> **This changes the settings of the workspace:**';
  return [[title, ...changes].join('\n'), ...accounts];
}

const NOT_COMPARED =
  '> **The settings and accounts of the workspace are not compared,** because `herald.yaml` of the base, or a folder above it, is a link or a submodule. The apply job will refuse this.';

/** What a comment has of each, so that no number of them pushes the plan out of it. */
const SETTINGS_BYTES = 14_000;
const ACCOUNTS_BYTES = 8_000;
const VARIABLES_BYTES = 8_000;
const ALIASES_BYTES = 5_000;

/** Settings of which a workspace may have any number. */
const MANY = /^(?:groups|accounts)\b/;

function fitLines(changes: readonly SettingChange[], bytesMax: number, noun: string): readonly string[] {
  const lines = changes.map(drawSettingChange);
  const fitting = fitTexts(lines, bytesMax);
  const more = lines.length - fitting.length;
  return more === 0 ? lines : [...fitting, `> - and ${more} more ${noun}`];
}

/** Those that fit, in their order. A long one hides no short one after it. */
function fitTexts(texts: readonly string[], bytesMax: number): readonly string[] {
  let left = bytesMax;
  return texts.filter((text) => {
    const bytes = Buffer.byteLength(text);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

function accountNotices({ head, changes, resolved }: AccountsToReview): readonly string[] {
  const ids = new Map(resolved.map(({ alias, accountId }) => [alias, accountId]));
  const written = Object(pickOfAccounts(readYaml('herald.yaml', head).source?.value, SELECTORS)) as object;
  const find = (alias: string) => {
    const [[by, value] = ['', '?']] = Object.entries(Object(readMember(written, alias)) as object);
    return ids.get(alias) ?? (by === 'id' || by === '' ? String(value) : `${by} ${String(value)}`);
  };
  const aliases = [...new Set(changes.map(({ address }) => address.account))].toSorted();
  if (aliases.length === 0) return [];
  const all = aliases.map((alias) => `${markdownName(alias)} is ${markdownName(find(alias))}`);
  const named = fitTexts(all, ALIASES_BYTES);
  const more = named.length < all.length ? `, and ${all.length - named.length} more` : '';
  return [`> Accounts of this plan: ${named.join(', ')}${more}.`];
}

/** One setting of `herald.yaml` that a pull request changes, such as `policy.max_price_gross`. */
interface SettingChange {
  readonly path: string;
  /** The old value, or the elements that a list does not have any more. As JSON. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * All settings: they decide what is declared, where it goes, what may go out and what is kept. A reviewer has to see a change of
 * them first. Groups and accounts are the last, because there may be many: the others have a few dozen keys at most, so nothing can
 * push a loosened rule out of sight.
 */
const CALLED_OUT = 'policy ci allow ignore ownership service state events files groups accounts'.split(' ');

/**
 * The settings of `CALLED_OUT` that differ between two texts of `herald.yaml`, element by element. A file that is absent or not YAML has
 * no settings here: it has errors of its own.
 */
function settingChanges(base: string, head: string): readonly SettingChange[] {
  const [was, is] = [base, head].map((text) => readYaml('herald.yaml', text).source?.value);
  const section = (file: unknown, name: string) =>
    name === 'accounts' ? pickOfAccounts(file, SELECTORS) : readMember(file, name);
  return CALLED_OUT.flatMap((name) => findDifferences(name, section(was, name), section(is, name)));
}

/** A plan shows only examples of the values of a variable, so each one that changes is here, while they fit. */
function variableChanges(base: string, head: string): readonly SettingChange[] {
  const [was, is] = [base, head].map((text) =>
    pickOfAccounts(readYaml('herald.yaml', text).source?.value, ['vars']),
  );
  return findDifferences('accounts', was, is);
}

/** These keys of each account. */
function pickOfAccounts(workspace: unknown, keys: readonly string[]): unknown {
  const accounts = readMember(workspace, 'accounts');
  if (!isMembers(accounts)) return undefined;
  const pick = (account: unknown) =>
    keys.flatMap((key) => {
      const value = readMember(account, key);
      return value === undefined ? [] : [[key, value] as const];
    });
  return Object.fromEntries(
    Object.entries(accounts).map(([alias, account]) => [alias, Object.fromEntries(pick(account))]),
  );
}

/** Down to single values, and to the elements of lists. The order of a list does not matter. What was there before comes first. */
function findDifferences(path: string, before: unknown, after: unknown): readonly SettingChange[] {
  if (isMembers(before) || isMembers(after)) {
    const [was, is] = [asSection(before, after), asSection(after, before)];
    return [...new Set([was, is].flatMap((members) => Object.keys(members).toSorted()))].flatMap((key) =>
      findDifferences(key === '' ? path : `${path}.${key}`, readMember(was, key), readMember(is, key)),
    );
  }
  const [removed, added] = [listOnlyIn(before, after), listOnlyIn(after, before)];
  return removed.length + added.length === 0 ? [] : [{ path, removed, added }];
}

/** The short form of a rule as its long form: `max_changes: 20` is `{ limit: 20 }`. */
function asSection(value: unknown, other: unknown): Readonly<Record<string, unknown>> {
  if (isMembers(value)) return value;
  if (value === undefined) return {};
  const alike = (one: unknown) => typeof one === typeof value && Array.isArray(one) === Array.isArray(value);
  const key = isMembers(other) ? Object.keys(other).find((name) => alike(other[name])) : undefined;
  return { [key ?? '']: value };
}

/** The elements of a value that another one does not have, as JSON. */
function listOnlyIn(value: unknown, other: unknown): readonly string[] {
  const [own = [], others] = [value, other].map((one) =>
    one === undefined ? [] : [one].flat().map(canonical),
  );
  const known = new Set(others);
  // An address may hold a password by mistake.
  return own.filter((one) => !known.has(one)).map((one) => one.replace(/:\/\/[^/\s@"]*@/g, '://***@'));
}

/** Bytes of the elements of one list, as they are drawn, and characters of one value. */
const LIST_BYTES = 4_000;
const VALUE_MAX = 600;

function drawSettingChange({ path, removed, added }: SettingChange): string {
  const lists = [drawList('removed', removed), drawList('added', added)].filter((part) => part !== '');
  return `> - ${markdownName(path)} ${lists.join('; ')}`;
}

function drawList(verb: string, values: readonly string[]): string {
  const named = fitTexts(values.map(drawValue), LIST_BYTES);
  const more = values.length - named.length;
  const parts = [...named, ...(more > 0 ? [`${more} more`] : [])];
  return parts.length === 0 ? '' : `${verb} ${parts.join(', ')}`;
}

function drawValue(value: string): string {
  if (value.length <= VALUE_MAX) return markdownName(value, Infinity);
  const ends = [value.slice(0, VALUE_MAX / 2), value.slice(-VALUE_MAX / 2)];
  return `${ends.map((end) => markdownName(end, Infinity)).join(' … ')} (${value.length} characters)`;
}
