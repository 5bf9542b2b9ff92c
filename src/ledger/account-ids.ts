import type { LedgerLine } from './lines.ts';
import { writtenAtMs } from './order.ts';

/** The id of the account that each alias stood for when it was last used, by what the lines say. */
export function lastAccountIds(lines: readonly LedgerLine[]): ReadonlyMap<string, string> {
  const last = new Map<string, { readonly atMs: number; readonly id: string }>();
  for (const line of lines) {
    const id = accountIdOf(line);
    if (id === null || !('account' in line)) continue;
    const [known, atMs] = [last.get(line.account), writtenAtMs(line)];
    if (known === undefined || known.atMs <= atMs) last.set(line.account, { atMs, id });
  }
  return new Map([...last].map(([alias, { id }]) => [alias, id]));
}

/** Null where a line does not say it: a payout of an account of which only the platform's id was known. */
function accountIdOf(line: LedgerLine): string | null {
  if (!('account_id' in line)) return null;
  if (line.type === 'act' && line.details['platform_account_id'] === line.account_id) return null;
  return line.account_id;
}
