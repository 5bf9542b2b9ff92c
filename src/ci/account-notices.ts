import type { Address, ResolvedAccount } from '../domain/resource.ts';
import { markdownName } from '../render/markdown-escape.ts';
import { SELECTORS } from '../workspace/accounts.ts';
import { readYaml } from '../workspace/yaml.ts';
import { member } from './setting-changes.ts';

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
