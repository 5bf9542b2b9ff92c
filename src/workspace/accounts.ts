import type { SourcePlace } from '../domain/resource.ts';
import type { AccountSelector, WorkspaceAccount } from '../domain/workspace.ts';
import type { Findings, Path } from './findings.ts';
import type { WrittenAccount } from './schema.ts';
import { didYouMean } from './suggest.ts';

/** The accounts and groups that resource files can name. */
export interface AccountDirectory {
  /** Variables by alias. */
  readonly accounts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The accounts of each group, each once. Unknown ones are left out: they are reported where the group is. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

type WrittenAccounts = Readonly<Record<string, WrittenAccount>>;
type WrittenGroups = Readonly<Record<string, readonly string[]>>;

export function buildDirectory(accounts: WrittenAccounts, groups: WrittenGroups): AccountDirectory {
  const variables = Object.entries(accounts).map(
    ([alias, { vars = {} }]) => [alias, new Map(Object.entries(vars))] as const,
  );
  const isKnown = (alias: string) => Object.hasOwn(accounts, alias);
  const members = Object.entries(groups).map(
    ([name, aliases]) => [name, [...new Set(aliases)].filter(isKnown)] as const,
  );
  return { accounts: new Map(variables), groups: new Map(members) };
}

/** Resolves aliases and groups to distinct aliases, in the given order. */
export function selectAccounts(
  names: readonly string[],
  { accounts, groups }: AccountDirectory,
  found: Findings,
): readonly string[] {
  // Thousands of resources may name one group of thousands: they share its array.
  const [only = '', second] = names;
  const group = groups.get(only);
  if (second === undefined && group !== undefined) return group;
  const aliases = new Set<string>();
  for (const [index, name] of names.entries()) {
    const members = groups.get(name) ?? (accounts.has(name) ? [name] : null);
    for (const alias of members ?? []) aliases.add(alias);
    if (members !== null) continue;
    const known = [...accounts.keys(), ...groups.keys()];
    const message =
      name === 'all' || name === '*'
        ? '"all" is not supported, because it would include accounts added later. Write aliases or a group.'
        : `Unknown account or group "${name}".${didYouMean(name, known)} Known: ${known.join(', ')}. Add it to herald.yaml, or correct the name.`;
    found.error('unknown-account', ['accounts', index], message);
  }
  return [...aliases];
}

/** The keys that choose an account, the first one that is written. */
export const SELECTORS = ['id', 'username', 'custom_label', 'platform_account_id'] as const;

/**
 * The accounts with their selectors. Two equal selectors are an error, because one account would get everything
 * twice.
 */
export function readAccounts(
  accounts: WrittenAccounts,
  placeOf: (path: Path) => SourcePlace,
  found: Findings,
): readonly WorkspaceAccount[] {
  const read: WorkspaceAccount[] = [];
  const seen = new Map<string, string>();
  for (const [alias, account] of Object.entries(accounts)) {
    const path = ['accounts', alias];
    const selector = readSelector(account);
    if (selector === null) {
      const message = `Set exactly one of ${SELECTORS.join(', ')}. Only id and platform_account_id can be set together.`;
      found.error('account-selector', path, message, 'key');
      continue;
    }
    const key = `${selector.by} ${selector.value}`;
    const other = seen.get(key);
    if (other !== undefined) {
      const message = `"${alias}" and "${other}" are the same account. Remove one of them, or correct its ${selector.by}.`;
      found.error('duplicate-account', [...path, selector.by], message);
    }
    seen.set(key, other ?? alias);
    const { platform_account_id: platformAccountId, platform } = account;
    read.push({
      alias,
      selector,
      ...(platformAccountId === undefined || selector.by !== 'id' ? {} : { platformAccountId }),
      ...(platform === undefined ? {} : { platform }),
      source: placeOf(path),
    });
  }
  return read;
}

/** Both ids together are one account: the service's id finds it, and the platform's id is for lists of that platform. */
function readSelector(account: WrittenAccount): AccountSelector | null {
  const [by, second, third] = SELECTORS.filter((one) => account[one] !== undefined);
  const isPair = by === 'id' && second === 'platform_account_id' && third === undefined;
  if (by === undefined || (second !== undefined && !isPair)) return null;
  return { by, value: account[by] ?? '' };
}

/** Checks that groups name aliases, and that no group has the name of an alias. */
export function checkGroups(groups: WrittenGroups, accounts: WrittenAccounts, found: Findings): void {
  for (const [name, members] of Object.entries(groups)) {
    const path = ['groups', name];
    if (Object.hasOwn(accounts, name)) {
      const message = `"${name}" is already an account. Give the group another name.`;
      found.error('group-is-alias', path, message, 'key');
    }
    for (const [index, member] of members.entries()) {
      if (Object.hasOwn(accounts, member)) continue;
      const message = Object.hasOwn(groups, member)
        ? `"${member}" is a group. A group may contain aliases only.`
        : `Unknown account "${member}". Add it under \`accounts:\`, or correct the name.${didYouMean(member, Object.keys(accounts))}`;
      found.error('unknown-account', [...path, index], message);
    }
  }
}
