import { stringify } from 'yaml';
import { harmless, type Visible } from '../domain/visible.ts';
import type { Part } from './rows.ts';

interface VisibleAccount {
  readonly id: string;
  readonly username?: string | null | undefined;
  /** Its alias in `herald.yaml`. */
  readonly alias?: string | undefined;
}

/** An id by each alias: the one that is declared, or the username, as far as an alias can have its characters. */
export function chooseAliases(accounts: readonly VisibleAccount[]): ReadonlyMap<string, string> {
  const declared = new Set(accounts.flatMap(({ alias }) => alias ?? []));
  const aliases = new Map<string, string>();
  for (const { id, username, alias } of accounts) {
    const word = (username ?? '').replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z]+/, '');
    const name = word === '' ? `account-${id}` : word;
    const isTaken = aliases.has(name) || declared.has(name);
    aliases.set(alias ?? (isTaken ? `${name}-${id}` : name), id);
  }
  return aliases;
}

/** The block `accounts:` of `herald.yaml`. */
export function accountsText(accounts: ReadonlyMap<string, string>): string {
  if (accounts.size === 0)
    return '# Add yours, as in: alice: { id: "101" }. `herald accounts list` shows them. Ids are quoted, so that no digit is lost.\naccounts: {}\n';
  // A name such as "yes" is quoted.
  const lines = [...accounts].map(
    ([alias, id]) => `  ${stringify(alias).trimEnd()}: { id: ${JSON.stringify(id)} }\n`,
  );
  return `# Files name an account by its alias, which you may change. Ids are quoted, so that no digit is lost.
accounts:
${lines.join('')}`;
}

/** Accounts of a list as that block. */
export function drawAccounts({ items }: Part): Visible {
  const readWord = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const accounts = items.map(({ id, username, alias }) => ({
    id: String(id),
    username: readWord(username),
    alias: readWord(alias),
  }));
  return harmless(accountsText(chooseAliases(accounts)));
}
