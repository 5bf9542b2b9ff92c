import type { WorkspaceSettings } from '../domain/workspace.ts';

interface Found {
  readonly alias: string;
}

/**
 * Each account once. Two names of one account would count everything twice. An alias of the workspace wins over an id, and
 * otherwise the first name.
 */
export function eachOnce<One extends Found>(
  { accounts }: WorkspaceSettings,
  found: readonly One[],
  keyOf: (account: One) => string,
  onSame: ((sentence: string) => void) | undefined,
): readonly One[] {
  const isAlias = ({ alias }: Found) => accounts.some((account) => account.alias === alias);
  const kept = new Map<string, One>();
  for (const account of found) {
    const key = keyOf(account);
    const other = kept.get(key);
    if (other === undefined) {
      kept.set(key, account);
      continue;
    }
    const [stays, goes] = !isAlias(other) && isAlias(account) ? [account, other] : [other, account];
    kept.set(key, stays);
    if (isAlias(goes))
      onSame?.(
        `"${goes.alias}" and "${stays.alias}" are the same account (${key}). It is read once, as ${stays.alias}. Keep one alias in herald.yaml.`,
      );
  }
  return [...kept.values()];
}
