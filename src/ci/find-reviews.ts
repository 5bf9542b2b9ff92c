import {
  chooseReviews,
  reviewOfPlan,
  type ChosenReview,
  type ChosenReviews,
  type UnapprovedReview,
} from './choose-review.ts';
import { readNamed, readReview, type ReadPorts, type ReadReview } from './read-review.ts';
import { joinedTargets } from './reviewed-scope.ts';
import { workspaceDigest } from './workspace-digest.ts';
import { type Repository } from '../domain/git.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { Review } from '../plan/review.ts';
import type { SavedPlan } from '../plan/saved.ts';
import { EVERYTHING, type Targeting } from '../plan/facts.ts';
import type { Job } from '../provider/job.ts';
import type { Provider } from '../provider/provider.ts';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError, hasCode } from '../domain/herald-error.ts';
import { EXIT } from '../domain/exit-codes.ts';

/** How the review is found. */
export interface FindFlags {
  /** A reviewed plan, in place of the one that the pull request names. */
  readonly plan: string | undefined;
  readonly allowUnreviewed: boolean;
}

/** What the search needs from its program. */
export interface FindPorts extends ReadPorts {
  readonly job: Job;
  readonly repository: () => Promise<Repository>;
  /** Reads a saved plan in a file. Throws if it cannot be applied. */
  readonly readPlan: (path: string) => Promise<SavedPlan>;
}

/** What this job applies, and where it reports that. */
export interface ApplyPlace {
  readonly provider: Provider | null;
  readonly repository: Repository;
  /** The commit that is applied. */
  readonly commit: string;
  /** The tip before the push; null if it is not known. */
  readonly before: string | null;
  /** Of the workspace in the repository; empty at its top. */
  readonly folder: string;
  /** `workspaceDigest` of the folder. */
  readonly workspace: string;
}

/** A review of a pull request, with what it allows. */
export interface FoundReview extends ReadReview {
  readonly of: ChosenReview;
}

/** What may be applied. */
export interface FoundReviews extends ApplyPlace {
  /** Null for everything: nothing was reviewed, and that was allowed. */
  readonly review: Review | null;
  readonly targeting: Targeting;
  /** The reviewed plans, as far as they could be read. */
  readonly plans: readonly SavedPlan[];
  /** Empty for a plan without a pull request, too. */
  readonly found: readonly FoundReview[];
  /** Commits of this push that no merged pull request has. */
  readonly direct: readonly string[];
  /** What earlier jobs have not applied, because approvals were missing. */
  readonly unapproved: readonly UnapprovedReview[];
}

/** Where this job applies. */
export async function applyPlace({ job, provider, repository: open }: FindPorts): Promise<ApplyPlace> {
  const repository = await open();
  const commit = (await repository.commitOf('HEAD')) ?? job.head ?? 'unknown';
  const { folder } = repository;
  return {
    repository,
    provider,
    commit,
    before: commit === job.head ? job.base : null,
    folder,
    workspace: workspaceDigest(folder),
  };
}

/** Finds the reviewed plan: `--plan`, or those that the comments of the merged pull requests name. */
export async function findReviews(
  ports: FindPorts,
  flags: FindFlags,
  place: ApplyPlace,
): Promise<FoundReviews> {
  if (flags.plan !== undefined) return named(ports, flags, place, flags.plan);
  const { chosen, ...others } = await chosenOrNone(ports, flags, place);
  if (chosen.length === 0)
    return { ...place, ...others, review: null, targeting: EVERYTHING, plans: [], found: [] };
  const found: FoundReview[] = [];
  for (const of of chosen) found.push({ of, ...(await readReview(ports, of)) });
  return { ...place, ...others, ...together(found), found };
}

/** Empty if the push may be applied without a review. */
async function chosenOrNone(
  ports: FindPorts,
  flags: FindFlags,
  { provider, repository, ...merged }: ApplyPlace,
): Promise<ChosenReviews> {
  const none = { chosen: [], direct: [], unapproved: [] };
  return allowed(ports, flags, none, async () => {
    if (provider === null)
      throw refused(
        'Without a provider, Herald cannot find the plan that was reviewed.',
        `Name it: ${formatCommand('ci', 'apply', '--plan', 'herald-out/herald-plan.json')}. To apply without a review: ${formatCommand('ci', 'apply', '--allow-unreviewed')}`,
      );
    const chosen = await chooseReviews({ provider, repository, merged });
    if (chosen.chosen.length > 0) return chosen;
    throw refused(
      `No merged pull request has the commit ${merged.commit.slice(0, 12)}, so nothing was reviewed.`,
      `To apply a push without a review: ${formatCommand('ci', 'apply', '--allow-unreviewed')}`,
    );
  });
}

/**
 * The plan of `--plan`. It has to be the one that was reviewed in the pull request of this push. Where no provider tells of
 * pull requests, it has to be of a commit that is applied.
 */
async function named(
  ports: FindPorts,
  flags: FindFlags,
  place: ApplyPlace,
  file: string,
): Promise<FoundReviews> {
  const { provider, repository, ...merged } = place;
  const saved = await ports.readPlan(file);
  const read = readNamed(saved);
  const of = await allowed(ports, flags, null, async () => {
    if (provider !== null) {
      const fingerprint = saved.plan.fingerprint ?? null;
      return reviewOfPlan({ provider, repository, merged }, { name: file, fingerprint });
    }
    await refuseOtherHistory(place, saved, file);
    return null;
  });
  const found = of === null ? [] : [{ of, ...read }];
  return { ...place, ...together([read]), found, direct: [], unapproved: [] };
}

/**
 * A plan of another branch, of a commit that was thrown away, or of files that are in no commit, was not reviewed for these
 * files.
 */
async function refuseOtherHistory(
  { repository, commit }: ApplyPlace,
  { plan }: SavedPlan,
  file: string,
): Promise<void> {
  const planned = plan.commit?.id;
  if (planned === undefined)
    throw new HeraldError(
      'ci-stale-review',
      `${file} names no commit, so Herald cannot check that it was made for what is applied. Nothing was changed.`,
      `Make the plan in a clean checkout of a commit, and review it: ${formatCommand('plan', '--out', file)}. To apply this one anyway: add --allow-unreviewed`,
      { exit: EXIT.blocked },
    );
  const isMerged = await repository.isAncestor(planned, commit).catch((error: unknown) => {
    if (hasCode(error, 'git-')) return false;
    throw error;
  });
  if (isMerged) return;
  throw new HeraldError(
    'ci-stale-review',
    `${file} was made for the commit ${planned.slice(0, 12)}, which ${commit.slice(0, 12)} does not have in its history. Nothing was changed.`,
    'Make the plan of the merged commit, and review it. After a squash, or to apply this one anyway: add --allow-unreviewed',
    { exit: EXIT.blocked },
  );
}

/** What was found; or `otherwise`, if nothing was reviewed and --allow-unreviewed says that this may be applied. */
async function allowed<Result>(
  { say }: FindPorts,
  { allowUnreviewed }: FindFlags,
  otherwise: Result,
  find: () => Promise<Result>,
): Promise<Result> {
  try {
    return await find();
  } catch (error) {
    if (!allowUnreviewed || !hasCode(error, 'ci-') || !UNREVIEWED.includes(error.code)) throw error;
    say(shown`Applied without a review, as --allow-unreviewed says. ${visibleProse(error.message)}`);
    return otherwise;
  }
}

/** What `--allow-unreviewed` is for. */
const UNREVIEWED: readonly string[] = ['ci-no-review', 'ci-stale-review'];

function refused(what: string, hint: string): HeraldError {
  return new HeraldError('ci-no-review', `${what} Nothing was changed.`, hint, { exit: EXIT.blocked });
}

function together(read: readonly ReadReview[]): Pick<FoundReviews, 'review' | 'targeting' | 'plans'> {
  return {
    review: { changes: read.flatMap(({ changes }) => changes) },
    targeting: joinedTargets(read.map(({ targeting }) => targeting)),
    plans: read.flatMap(({ saved }) => saved ?? []),
  };
}
