import type { SourcePlace } from '../domain/resource.ts';
import type { AccountSelector, WorkspaceAccount } from '../domain/workspace.ts';
import { error, type Finding, type Path } from './findings.ts';
import type { WrittenAccount } from './setting-shapes.ts';
import { didYouMean } from './suggest.ts';

/** The accounts and groups that resource files can name, with their variables. */
export interface AccountDirectory {
  /** Variables by alias. */
  readonly accounts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The accounts of each group, each once. Unknown ones are left out: they are reported where the group is. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** False for a part that could not be read completely. Then no name is called unknown, and no variable unset. */
  readonly complete: { readonly names: boolean; readonly variables: boolean };
}

type WrittenAccounts = Readonly<Record<string, WrittenAccount>>;
type WrittenGroups = Readonly<Record<string, readonly string[]>>;

export function buildDirectory(
  accounts: WrittenAccounts,
  groups: WrittenGroups,
  complete: AccountDirectory['complete'],
): AccountDirectory {
  return {
    accounts: new Map(
      Object.entries(accounts).map(([alias, { vars = {} }]) => [alias, new Map(Object.entries(vars))]),
    ),
    groups: new Map(
      Object.entries(groups).map(([name, members]) => [
        name,
        [...new Set(members)].filter((alias) => Object.hasOwn(accounts, alias)),
      ]),
    ),
    complete,
  };
}

/** Resolves aliases and groups to distinct aliases, in the given order. */
export function selectAccounts(
  names: readonly string[],
  directory: AccountDirectory,
  path: Path,
): { aliases: readonly string[]; findings: Finding[] } {
  // Thousands of resources may name one group of thousands: they share its array.
  const [only = ''] = names;
  const group = directory.groups.get(only);
  if (names.length === 1 && group !== undefined) return { aliases: group, findings: [] };
  const aliases = new Set<string>();
  const findings: Finding[] = [];
  for (const [index, name] of names.entries()) {
    const members = directory.groups.get(name) ?? (directory.accounts.has(name) ? [name] : null);
    for (const alias of members ?? []) aliases.add(alias);
    if (members !== null || !directory.complete.names) continue;
    const known = [...directory.accounts.keys(), ...directory.groups.keys()];
    const message =
      name === 'all' || name === '*'
        ? '"all" is not supported, because it would include accounts added later. Write aliases or a group.'
        : `Unknown account or group "${name}".${didYouMean(name, known)} Known: ${known.join(', ')}. Add it to herald.yaml, or correct the name.`;
    findings.push(error('unknown-account', [...path, index], message));
  }
  return { aliases: [...aliases], findings };
}

/** The keys that choose an account, the first one that is written. */
export const SELECTORS = ['id', 'username', 'custom_label', 'platform_account_id'] as const;

export function isSelector(key: string | number | undefined): boolean {
  return SELECTORS.some((by) => by === key);
}

/**
 * The accounts with their selectors. Two equal selectors are an error, because one account would get everything
 * twice.
 */
export function readAccounts(
  accounts: WrittenAccounts,
  placeOf: (path: Path) => SourcePlace,
): { accounts: WorkspaceAccount[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const read: WorkspaceAccount[] = [];
  const seen = new Map<string, string>();
  for (const [alias, account] of Object.entries(accounts)) {
    const path = ['accounts', alias];
    const selector = readSelector(account);
    if (selector === null) {
      findings.push(error('account-selector', path, SELECTOR_ADVICE, 'key'));
      continue;
    }
    const key = `${selector.by} ${selector.value}`;
    const other = seen.get(key);
    if (other !== undefined) {
      const message = `"${alias}" and "${other}" are the same account. Remove one of them, or correct its ${selector.by}.`;
      findings.push(error('duplicate-account', [...path, selector.by], message));
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
  return { accounts: read, findings };
}

const SELECTOR_ADVICE = `Set exactly one of ${SELECTORS.join(', ')}. Only id and platform_account_id can be set together.`;

/** Both ids together are one account: the service's id finds it, and the platform's id is for lists of that platform. */
function readSelector(account: WrittenAccount): AccountSelector | null {
  const given = SELECTORS.flatMap((by): AccountSelector[] => {
    const value = account[by];
    return value === undefined ? [] : [{ by, value }];
  });
  const [first, second, ...others] = given;
  if (second === undefined || others.length > 0) return second === undefined ? (first ?? null) : null;
  return first?.by === 'id' && second.by === 'platform_account_id' ? first : null;
}

/** Checks that groups name aliases, and that no group has the name of an alias. */
export function checkGroups(groups: WrittenGroups, accounts: WrittenAccounts): Finding[] {
  return Object.entries(groups).flatMap(([name, members]) => {
    const path = ['groups', name];
    const findings: Finding[] = [];
    if (Object.hasOwn(accounts, name)) {
      findings.push(
        error('group-is-alias', path, `"${name}" is already an account. Give the group another name.`, 'key'),
      );
    }
    for (const [index, member] of members.entries()) {
      if (Object.hasOwn(accounts, member)) continue;
      const message = Object.hasOwn(groups, member)
        ? `"${member}" is a group. A group may contain aliases only.`
        : `Unknown account "${member}". Add it under \`accounts:\`, or correct the name.${didYouMean(member, Object.keys(accounts))}`;
      findings.push(error('unknown-account', [...path, index], message));
    }
    return findings;
  });
}
