import type { Allowance } from '../../domain/allowance.ts';
import type { Change } from '../../domain/change.ts';
import { compareText, type Diagnostic } from '../../domain/diagnostic.ts';
import type { Knowledge } from '../../domain/knowledge.ts';
import type { Observed } from '../../domain/resource.ts';
import type { OwnershipOf } from '../ownership.ts';
import { isAlive } from './prune.ts';

/** More than this share of an account's owned objects is never retired without `--allow large`. */
const SHARE_MAX_PERCENT = 30;

export interface LimitsCase {
  /** What a prune would retire, as it stands in the plan. */
  readonly pruned: readonly Change[];
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
  readonly ownershipOf: OwnershipOf;
  readonly allow: ReadonlySet<Allowance>;
  /** Whether the files declare nothing at all. */
  readonly declaresNothing: boolean;
  /** Patterns of `files:` that match nothing. */
  readonly unmatched: readonly string[];
}

/**
 * What holds back a whole run that prunes: files that declare nothing (a wrong directory, a pattern that
 * matches nothing), one pattern of several that matches nothing, and a large part of an account
 * at once.
 */
export function pruneLimits(the: LimitsCase): readonly Diagnostic[] {
  const { pruned, allow, declaresNothing, unmatched } = the;
  if (pruned.length === 0) return [];
  if (declaresNothing) {
    const what = pruned.length === 1 ? 'the 1 owned object' : `all ${pruned.length} owned objects`;
    const message = `No resources found, so --allow prune would stop ${what}. Nothing was done. Check -C and files:. To stop a resource, set status: archived or paused.`;
    return [{ severity: 'error', code: 'prune-everything', message }];
  }
  return [...unmatched.map(missingFiles), ...(allow.has('large') ? [] : largeShares(the))];
}

function missingFiles(pattern: string): Diagnostic {
  const message = `No file matches the pattern "${pattern}" of files:, so its resources would look removed. Nothing was done. Correct the pattern, or remove it.`;
  return { severity: 'error', code: 'prune-missing-files', message };
}

function largeShares({ pruned, observed, knowledge, ownershipOf }: LimitsCase): readonly Diagnostic[] {
  const retired = countByAccount(pruned.map(({ address }) => address.account));
  const owned = countByAccount(
    observed
      .filter((object) => isAlive(object, knowledge) && ownershipOf(object) !== null)
      .map(({ account }) => account),
  );
  return [...retired]
    .toSorted(([left], [right]) => compareText(left, right))
    .flatMap(([account, count]): readonly Diagnostic[] => {
      const all = Math.max(owned.get(account) ?? 0, count);
      if (count * 100 <= all * SHARE_MAX_PERCENT) return [];
      const share = Math.round((count * 100) / all);
      const message = `${count} of ${all} owned object${all === 1 ? '' : 's'} on account ${account} would be stopped: ${share} %, more than ${SHARE_MAX_PERCENT} %. Review them, then use --allow large.`;
      return [{ severity: 'error', code: 'prune-large', message }];
    });
}

function countByAccount(accounts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const account of accounts) counts.set(account, (counts.get(account) ?? 0) + 1);
  return counts;
}
