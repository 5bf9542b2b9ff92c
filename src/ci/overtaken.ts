import type { ApplyReport } from '../domain/change.ts';
import { literalOf } from '../domain/glob.ts';
import { formatAddress } from '../domain/resource.ts';
import type { UnapprovedReview } from './choose-review.ts';
import type { FoundReviews } from './find-reviews.ts';

/** An unapproved pull request, and what a later one has changed again. */
export interface Overtaken {
  readonly of: UnapprovedReview;
  readonly addresses: readonly string[];
  readonly note: string;
}

/**
 * Earlier pull requests without approvals, of which this push is about the same addresses. They do not apply these any more:
 * the files say something else by now, be it a revert.
 */
export function overtakenBy(
  { unapproved, found }: Pick<FoundReviews, 'unapproved' | 'found'>,
  { outcomes }: Pick<ApplyReport, 'outcomes'>,
): readonly Overtaken[] {
  const done = new Set(
    outcomes
      .filter(({ outcome }) => outcome === 'applied' || outcome === 'adopted')
      .map(({ address }) => formatAddress(address)),
  );
  const named = new Set(found.flatMap(namesIn));
  const later = found.map(({ of }) => `pull request ${of.pullRequest.number}`).join(', ');
  return unapproved.flatMap((of) => {
    const addresses = of.addresses.filter((address) => named.has(address));
    if (addresses.length === 0) return [];
    const applied = addresses.filter((address) => done.has(address));
    const { number } = of.pullRequest;
    const note =
      applied.length > 0
        ? `Pull request ${number} is not approved and changed this, too: ${applied.join(', ')}. It was applied as it was reviewed and approved in ${later}.`
        : `Pull request ${number} does not apply this any more, because it was changed again in ${later}: ${addresses.join(', ')}.`;
    return [{ of, addresses, note }];
  });
}

/** What a review changes, and what it has compared and leaves as it is. */
function namesIn({ changes, targeting }: FoundReviews['found'][number]): readonly string[] {
  return [
    ...changes.map(({ address }) => formatAddress(address)),
    ...targeting.target.flatMap((pattern) => literalOf(pattern) ?? []),
  ];
}
