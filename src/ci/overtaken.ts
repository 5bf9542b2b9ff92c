import type { ApplyReport } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import type { FoundReviews } from './find-reviews.ts';

/** An unapproved pull request, and a later one that changed the same and was approved. */
export interface Overtaken {
  /** Of the unapproved one. */
  readonly number: number;
  readonly note: string;
}

/** Earlier pull requests without approvals, of which this run has applied an address as a later one was reviewed. */
export function overtakenBy(
  { unapproved, found }: Pick<FoundReviews, 'unapproved' | 'found'>,
  { outcomes }: Pick<ApplyReport, 'outcomes'>,
): readonly Overtaken[] {
  const done = new Set(
    outcomes
      .filter(({ outcome }) => outcome === 'applied' || outcome === 'adopted')
      .map(({ address }) => formatAddress(address)),
  );
  const later = found.map(({ of }) => `pull request ${of.pullRequest.number}`).join(', ');
  return unapproved.flatMap(({ pullRequest: { number }, addresses }) => {
    const names = addresses.filter((address) => done.has(address));
    if (names.length === 0) return [];
    const note = `Pull request ${number} is not approved and changed this, too: ${names.join(', ')}. It was applied as it was reviewed and approved in ${later}.`;
    return [{ number, note }];
  });
}
