import type { Allowance } from '../domain/allowance.ts';
import { writes } from '../domain/change.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import type { Decision } from './decision.ts';
import { ownershipIn } from './ownership.ts';
import { pruneLimits } from './guards/prune-limits.ts';
import { renameKey, undeclaredChanges } from './guards/prune.ts';
import type { Scope } from './scope.ts';
import { selectionOf, type Targeting } from './targets.ts';

interface UndeclaredInput {
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
  readonly allow: ReadonlySet<Allowance>;
  readonly ownershipPrefix: string | null;
  readonly unmatched: readonly string[];
  readonly nowMs: number;
  readonly targeting: Targeting;
}

/** A live object that a blocked create looks like, under the name that files do not have any more. */
export interface Rename {
  readonly declared: Declared;
  readonly old: Observed;
}

/** What becomes of everything live that no file declares: listed, or retired with `--allow prune`. */
export function decideUndeclared(
  input: UndeclaredInput,
  scopes: readonly Scope[],
  renames: readonly Rename[],
): Decision {
  const { declared, observed, knowledge, allow, nowMs, unmatched } = input;
  const { selects, excludes, reaches } = selectionOf(input.targeting);
  const isWhole = declared.every(({ address, kind }) => reaches(address.account, kind));
  const ownershipOf = ownershipIn(scopes, knowledge, { prefix: input.ownershipPrefix, isWhole });
  const newNames = new Map(renames.map((one) => [renameKey(one.old), one.declared.address.name]));
  const the = { knowledge, ownershipOf, allow, renames: newNames, nowMs };
  // Its name in the files and its live name may differ: an exclusion of either one counts.
  const isExcluded = ({ account, kind, live }: Observed) =>
    excludes({ account, kind, name: live.name ?? '' });
  const changes = scopes
    .flatMap(({ unclaimed }) =>
      undeclaredChanges(
        unclaimed.filter((object) => !isExcluded(object)),
        the,
      ),
    )
    .filter(({ address }) => selects(address));
  const pruned = changes.filter(writes);
  const declaresNothing = declared.length === 0;
  const limits = { pruned, observed, knowledge, ownershipOf, allow, declaresNothing, unmatched };
  const diagnostics = pruneLimits(limits);
  return { changes, diagnostics };
}
