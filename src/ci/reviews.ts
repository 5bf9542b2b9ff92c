import type { ReviewedChange } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import type { Repository } from '../domain/git.ts';
import { escapeGlob } from '../domain/glob.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import { formatAddress, KINDS } from '../domain/resource.ts';
import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { EVERYTHING, type Targeting } from '../plan/facts.ts';
import { type Review, reviewPlan } from '../plan/review.ts';
import type { SavedPlan } from '../plan/saved.ts';
import { ProviderError } from '../provider/error.ts';
import type { Job } from '../provider/job.ts';
import type { Provider } from '../provider/provider.ts';
import { type ReviewMarker, workspaceDigest } from './comment.ts';
import {
  chooseReviews,
  type ChosenReview,
  type ChosenReviews,
  reviewOfPlan,
  type UnapprovedReview,
} from './merged-reviews.ts';

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

/** What one review allows. */
export interface ReadReview {
  /** Null if only the comment could be read. */
  readonly saved: SavedPlan | null;
  readonly changes: readonly ReviewedChange[];
  readonly targeting: Targeting;
}

/** The review of a plan that is at hand. */
function readNamed(saved: SavedPlan): ReadReview {
  return { saved, changes: reviewPlan(saved.plan).changes, targeting: saved };
}

/** What reading a review needs from its program. */
export interface ReadPorts {
  /** Null for `generic`. */
  readonly provider: Provider | null;
  /** Reads the text of a saved plan. Throws if it cannot be applied. */
  readonly planInText: (text: string) => SavedPlan;
  /** Its name in the artifact. */
  readonly planFile: string;
  /** Plans have to be signed. */
  readonly needsSignature: boolean;
  readonly say: (text: Visible) => void;
}

/**
 * The plan of the artifact that the comment names. If it is gone, the fingerprints of the comment are enough, unless plans
 * have to be signed: many people may edit a comment.
 */
async function readReview(ports: ReadPorts, review: ChosenReview): Promise<ReadReview> {
  const { provider, planFile, planInText, needsSignature, say } = ports;
  const { marker, pullRequest } = review;
  const { run, artifact, changes } = marker;
  const what = `the plan of pull request ${pullRequest.number}`;
  try {
    if (provider === null || run === null)
      throw new ProviderError('provider-artifact', `The comment names no run with ${what}.`, null);
    const bytes = await provider.artifactFile({ run, name: artifact }, planFile, PLAN_BYTES_MAX);
    const saved = planInText(new TextDecoder().decode(bytes));
    refuseOther(saved, review);
    return withoutWithdrawn(readNamed(saved), review);
  } catch (error) {
    const isGone = error instanceof ProviderError && error.code === 'provider-artifact';
    if (!isGone || changes === undefined || needsSignature) throw error;
    say(
      shown`Using the fingerprints of the comment, because ${what} cannot be read: ${visibleProse(error.message)}`,
    );
    const read = { saved: null, changes: listReviewedChanges(changes), targeting: targetsOfMarker(marker) };
    return withoutWithdrawn(read, review);
  }
}

/** A later pull request has changed the rest, so a repeated job must not apply what was reviewed before that. */
function withoutWithdrawn(read: ReadReview, { marker: { withdrawn = [] } }: ChosenReview): ReadReview {
  const changes = read.changes.filter(({ address }) => !withdrawn.includes(formatAddress(address)));
  return { ...read, changes };
}

/**
 * A person could edit the comment so that it names the artifact of another pull request, which has other approvals. The
 * plan itself says which commit it is for.
 */
function refuseOther({ plan }: SavedPlan, { marker, pullRequest }: ChosenReview): void {
  const { run, artifact, head } = marker;
  const isSame = plan.fingerprint === marker.plan && (plan.commit?.id ?? head) === head;
  if (isSame) return;
  throw new HeraldError(
    'ci-stale-review',
    `The artifact ${artifact} of run ${run ?? ''} has another plan than the comment of pull request ${pullRequest.number} names. Nothing was changed.`,
    'Run the plan job of its last commit again, then this job.',
    { exit: EXIT.blocked, details: { pull_requests: [pullRequest.number] } },
  );
}

/** A plan with the texts of many accounts is large, and a larger file is not a plan. */
const PLAN_BYTES_MAX = 256 * 1024 * 1024;

function listReviewedChanges(
  changes: Readonly<Record<string, readonly string[]>>,
): readonly ReviewedChange[] {
  return Object.entries(changes).flatMap(([text, fingerprints]) => {
    const [account = '', kindText, ...name] = text.split('/');
    const kind = KINDS.find((one) => one === kindText);
    if (kind === undefined) return [];
    const address = { account, kind, name: name.join('/') };
    return fingerprints.map((fingerprint) => ({ address, action: null, fingerprint }));
  });
}

/** Nothing at all. */
const NOTHING: Targeting = { target: [], exclude: ['*'] };

/** What several reviewed plans are about together. */
export function joinedTargets(plans: readonly Pick<Targeting, 'target' | 'exclude'>[]): Targeting {
  const [only, ...others] = plans;
  if (only !== undefined && others.length === 0) return { target: only.target, exclude: only.exclude };
  if (plans.some(({ target, exclude }) => target.length === 0 && exclude.length === 0)) return EVERYTHING;
  // One without a target excludes everything: no file of it differed.
  const target = [...new Set(plans.flatMap((plan) => plan.target))];
  return target.length === 0 ? NOTHING : { target, exclude: [] };
}

/** The addresses of a comment, where the plan itself is gone. */
function targetsOfMarker({ changes = {} }: ReviewMarker): Targeting {
  const target = Object.keys(changes).map(escapeGlob);
  return target.length === 0 ? NOTHING : { target, exclude: [] };
}
