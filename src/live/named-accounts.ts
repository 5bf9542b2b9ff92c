import type { AccountSelector, WorkspaceAccount, WorkspaceSettings } from '../domain/workspace.ts';
import { UnknownTargetError } from './unknown-target.ts';

/** An account that the user named: by an alias of the workspace, or by an id. */
export interface Named extends Pick<WorkspaceAccount, 'alias' | 'platform' | 'platformAccountId'> {
  readonly selector: AccountSelector | { readonly by: 'any_id'; readonly value: string };
}

/** The platform's id of an account, where it is known without the accounts list. */
export function platformIdOf({ selector, platformAccountId }: Named): string | undefined {
  return platformAccountId ?? (selector.by === 'platform_account_id' ? selector.value : undefined);
}

/**
 * The accounts that `--account` names: aliases, groups and ids; all of the workspace when none is named.
 * Throws `UnknownTargetError` when something is neither.
 */
export function namedAccounts(settings: WorkspaceSettings, given: readonly string[]): readonly Named[] {
  const { accounts, groups } = settings;
  if (given.length === 0) return accounts;
  const problems: string[] = [];
  const named = new Map<string, Named>();
  for (const name of given) {
    const members = Object.hasOwn(groups, name) ? (groups[name] ?? []) : [name];
    for (const member of members) {
      const known = accounts.find(({ alias }) => alias === member);
      if (known !== undefined) named.set(member, known);
      else if (/^\d{1,19}$/.test(member)) named.set(member, byId(settings, member));
      else problems.push(`No account, group or id is "${member}". The workspace has: ${namesOf(settings)}.`);
    }
  }
  if (problems.length > 0) throw new UnknownTargetError(problems);
  return [...named.values()];
}

/** The id of an account of the workspace names that account, with what the file says about it. */
function byId({ accounts }: WorkspaceSettings, id: string): Named {
  const stated = accounts.find(({ selector }) => selector.by === 'id' && selector.value === id);
  const isOther = accounts.some((account) => platformIdOf(account) === id);
  return stated !== undefined && !isOther
    ? { ...stated, alias: id }
    : { alias: id, selector: { by: 'any_id', value: id } };
}

function namesOf({ accounts, groups }: WorkspaceSettings): string {
  return [...accounts.map(({ alias }) => alias), ...Object.keys(groups)].join(', ') || 'none';
}
