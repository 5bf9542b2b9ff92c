import type { SourcePlace } from '../domain/resource.ts';
import type { AccountSelector, WorkspaceAccount } from '../domain/workspace.ts';
import { problem, type Finding, type Path } from './findings.ts';
import type { WrittenAccount } from './schema.ts';
import { didYouMean } from './suggest.ts';

/** Whom resource files can name, and what their variables stand for. */
export interface AccountDirectory {
  /** Variables by alias. */
  readonly accounts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** What could be read: of names that could not, nobody is called unknown, and no variable unset. */
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
    groups: new Map(Object.entries(groups)),
    complete,
  };
}

/** Aliases and groups as aliases, each once, in the order in which they are named. */
export function selectAccounts(
  names: readonly string[],
  directory: AccountDirectory,
  path: Path,
): { aliases: string[]; findings: Finding[] } {
  const aliases = new Set<string>();
  const findings: Finding[] = [];
  for (const [index, name] of names.entries()) {
    const members = directory.groups.get(name) ?? (directory.accounts.has(name) ? [name] : []);
    for (const alias of members) if (directory.accounts.has(alias)) aliases.add(alias);
    if (members.length > 0 || !directory.complete.names) continue;
    const known = [...directory.accounts.keys(), ...directory.groups.keys()];
    const message =
      name === 'all' || name === '*'
        ? 'There is no "all": an account added later would be messaged unasked. Name aliases or a group.'
        : `No account or group is called "${name}": add it to the workspace, or correct it.${didYouMean(name, known)}`;
    findings.push(problem('unknown-account', [...path, index], message));
  }
  return { aliases: [...aliases], findings };
}

const SELECTORS = ['id', 'username', 'custom_label', 'platform_account_id'] as const;

export function isSelector(key: string | number | undefined): boolean {
  return SELECTORS.some((by) => by === key);
}

/** The accounts with how each is found; two that are found alike would both be messaged. */
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
      findings.push(
        problem(
          'account-selector',
          path,
          `Say by exactly one of ${SELECTORS.join(', ')} which account it is.`,
          'key',
        ),
      );
      continue;
    }
    const key = `${selector.by} ${selector.value}`;
    const other = seen.get(key);
    if (other !== undefined) {
      const message = `"${alias}" and "${other}" are one account: remove one of them, or correct its ${selector.by}.`;
      findings.push(problem('duplicate-account', [...path, selector.by], message));
    }
    seen.set(key, other ?? alias);
    read.push({ alias, selector, source: placeOf(path) });
  }
  return { accounts: read, findings };
}

function readSelector(account: WrittenAccount): AccountSelector | null {
  const given = SELECTORS.flatMap((by): AccountSelector[] => {
    const value = account[by];
    return value === undefined ? [] : [{ by, value }];
  });
  return given.length === 1 ? (given[0] ?? null) : null;
}

/** Groups name aliases, and never share a name with one. */
export function checkGroups(groups: WrittenGroups, accounts: WrittenAccounts): Finding[] {
  return Object.entries(groups).flatMap(([name, members]) => {
    const path = ['groups', name];
    const findings: Finding[] = [];
    if (Object.hasOwn(accounts, name)) {
      findings.push(
        problem(
          'group-is-alias',
          path,
          `"${name}" is an account already: give the group another name.`,
          'key',
        ),
      );
    }
    for (const [index, member] of members.entries()) {
      if (Object.hasOwn(accounts, member)) continue;
      const message = Object.hasOwn(groups, member)
        ? `"${member}" is a group: a group holds aliases only.`
        : `No account is called "${member}": add it, or correct it.${didYouMean(member, Object.keys(accounts))}`;
      findings.push(problem('unknown-account', [...path, index], message));
    }
    return findings;
  });
}
