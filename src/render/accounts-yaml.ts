import { stringify } from 'yaml';
import { harmless, type Visible } from '../domain/visible.ts';
import type { Part } from './rows.ts';

interface VisibleAccount {
  readonly id: string;
  readonly username?: string | null | undefined;
  /** Its alias in `herald.yaml`. */
  readonly alias?: string | undefined;
}

/** The block `accounts:` of `herald.yaml`, with its aliases. */
export function makeAccounts(accounts: readonly VisibleAccount[]) {
  const ids = chooseAliases(accounts);
  // A name such as "yes" is quoted.
  const lines = [...ids].map(
    ([alias, id]) => `  ${stringify(alias).trimEnd()}: { id: ${JSON.stringify(id)} }\n`,
  );
  const text = `# Files name an account by its alias, which you may change. Ids are quoted, so that no digit is lost.
accounts:
${lines.join('')}`;
  return { aliases: [...ids.keys()], text: ids.size === 0 ? NO_ACCOUNTS : text };
}

const NO_ACCOUNTS =
  '# Add yours, as in: alice: { id: "101" }. `herald accounts list` shows them. Ids are quoted, so that no digit is lost.\naccounts: {}\n';

/** An id by each alias: the one that is declared, or the username, as far as an alias can have its characters. */
function chooseAliases(accounts: readonly VisibleAccount[]): ReadonlyMap<string, string> {
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

/** Accounts of a list as that block. */
export function drawAccounts({ items }: Part): Visible {
  const readWord = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const accounts = items.map(({ id, username, alias }) => ({
    id: String(id),
    username: readWord(username),
    alias: readWord(alias),
  }));
  return harmless(makeAccounts(accounts).text);
}
