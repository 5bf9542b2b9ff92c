import { formatCommand } from '../../domain/command-line.ts';
import type { Change } from '../../domain/change.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { Declared } from '../../domain/resource.ts';
import { blocked } from '../decision.ts';

/** What the key does not see: an account by its alias, or one list of it as `alias/kind`. With the reason. */
export type Unseen = ReadonlyMap<string, string>;

/** Nothing is created, started or called unchanged on a list that was not read. */
export function leaveUnseen(
  declared: readonly Declared[],
  unseen: Unseen = new Map(),
): {
  readonly seen: readonly Declared[];
  readonly changes: readonly Change[];
  readonly notes: readonly Diagnostic[];
} {
  const listOf = ({ address: { account, kind } }: Declared) => `${account}/${kind}`;
  const whyOf = (one: Declared) => unseen.get(listOf(one)) ?? unseen.get(one.address.account);
  const changes = declared.flatMap((one) => {
    const why = whyOf(one);
    return why === undefined ? [] : [blocked(one, unseenWords(one.address.account, why))];
  });
  // Where nothing is declared, Herald may have something live all the same.
  const isBlocked = new Set(declared.flatMap((one) => [one.address.account, listOf(one)]));
  const notes = [...unseen]
    .filter(([list]) => !isBlocked.has(list))
    .map(([list, why]): Diagnostic => ({
      severity: 'warning',
      code: 'account-not-seen',
      message: `Herald does not know what is live on ${list}. ${unseenWords(list, why)}`,
    }));
  return { seen: declared.filter((one) => whyOf(one) === undefined), changes, notes };
}

function unseenWords(list: string, why: string): string {
  return `${why} To leave it out: ${formatCommand('plan', '--exclude', list)}`;
}
