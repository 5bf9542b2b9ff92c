import { chooseReviews, type ChosenReview } from './choose-review.ts';
import { CiError } from './ci-error.ts';
import { joinedTargets, targetsOfMarker } from './reviewed-scope.ts';
import { workspaceDigest } from './workspace-digest.ts';
import type { ReviewedChange } from '../domain/change.ts';
import type { Repository } from '../domain/git.ts';
import { KINDS } from '../domain/resource.ts';
import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { reviewOf, type Review } from '../plan/review.ts';
import type { SavedPlan } from '../plan/saved.ts';
import { EVERYTHING, type Targeting } from '../plan/targets.ts';
import { ProviderError } from '../provider/error.ts';
import type { Job } from '../provider/job.ts';
import type { Provider } from '../provider/provider.ts';

/** How the review is found. */
export interface FindFlags {
  /** A reviewed plan, in place of the one that the pull request names. */
  readonly plan: string | undefined;
  readonly allowUnreviewed: boolean;
}

/** What the search needs from its program. */
export interface FindPorts {
  readonly job: Job;
  /** Null for `generic`. */
  readonly provider: Provider | null;
  readonly repository: () => Promise<Repository>;
  /** Reads a saved plan in a file. Throws if it cannot be applied. */
  readonly readPlan: (path: string) => Promise<SavedPlan>;
  /** The same for the text of one. */
  readonly planInText: (text: string) => SavedPlan;
  /** Its name in the artifact. */
  readonly planFile: string;
  /** Plans have to be signed. */
  readonly needsSignature: boolean;
  readonly say: (text: Visible) => void;
}

/** The reviewed changes that may be applied, and the pull requests that get the outcome. */
export interface FoundReviews {
  /** Null for everything: nothing was reviewed, and that was allowed. */
  readonly review: Review | null;
  readonly targeting: Targeting;
  /** The reviewed plans, as far as they could be read. */
  readonly plans: readonly SavedPlan[];
  readonly chosen: readonly ChosenReview[];
  readonly provider: Provider | null;
  readonly repository: Repository | null;
  /** The commit that is applied. */
  readonly commit: string;
  /** The tip before the push; null if it is not known. */
  readonly before: string | null;
  readonly workspace: string;
}

/** Finds the reviewed plan: `--plan`, or those that the comments of the merged pull requests name. */
export async function findReviews(ports: FindPorts, flags: FindFlags): Promise<FoundReviews> {
  const { job, provider } = ports;
  const repository = await ports.repository().catch((error: unknown) => {
    if (provider === null) return null;
    throw error;
  });
  const commit = (await repository?.commitOf('HEAD')) ?? job.head ?? 'unknown';
  const place = {
    repository,
    provider,
    commit,
    before: commit === job.head ? job.base : null,
    workspace: workspaceDigest(repository?.folder ?? ''),
  };
  if (job.event === 'pull-request' || job.event === 'merge-queue')
    throw refused('This job is for a change that is not merged yet.', 'Run herald ci apply after the merge.');
  if (flags.plan !== undefined) {
    const saved = await ports.readPlan(flags.plan);
    return { ...place, ...together([{ saved, ...ofPlan(saved) }]), chosen: [] };
  }
  const chosen = await chosenOrNone(ports, flags, place);
  if (chosen.length === 0) return { ...place, review: null, targeting: EVERYTHING, plans: [], chosen };
  const read: ReadReview[] = [];
  for (const one of chosen) read.push(await readReview(ports, one));
  return { ...place, ...together(read), chosen };
}

/** Empty if the push may be applied without a review. */
async function chosenOrNone(
  { say }: FindPorts,
  { allowUnreviewed }: FindFlags,
  { provider, repository, ...merged }: Omit<FoundReviews, 'review' | 'targeting' | 'plans' | 'chosen'>,
): Promise<readonly ChosenReview[]> {
  try {
    if (provider === null || repository === null)
      throw refused(
        'Without a provider, Herald cannot find the plan that was reviewed.',
        'Name it: herald ci apply --plan herald-plan.json. To apply without a review: herald ci apply --allow-unreviewed',
      );
    const chosen = await chooseReviews(provider, repository, merged);
    if (chosen.length > 0) return chosen;
    throw refused(
      `No merged pull request has the commit ${merged.commit.slice(0, 12)}, so nothing was reviewed.`,
      'To apply a push without a review: herald ci apply --allow-unreviewed',
    );
  } catch (error) {
    if (!allowUnreviewed || !(error instanceof CiError) || !UNREVIEWED.includes(error.code)) throw error;
    say(shown`Applied without a review, as --allow-unreviewed says. ${visibleProse(error.message)}`);
    return [];
  }
}

/** What `--allow-unreviewed` is for. */
const UNREVIEWED: readonly string[] = ['ci-no-review', 'ci-stale-review'];

function refused(what: string, hint: string): CiError {
  return new CiError('ci-no-review', `${what} Nothing was changed.`, hint, 'refused');
}

interface ReadReview {
  readonly saved: SavedPlan | null;
  readonly changes: readonly ReviewedChange[];
  readonly targeting: Targeting;
}

function together(read: readonly ReadReview[]): Pick<FoundReviews, 'review' | 'targeting' | 'plans'> {
  return {
    review: { changes: read.flatMap(({ changes }) => changes) },
    targeting: joinedTargets(read.map(({ targeting }) => targeting)),
    plans: read.flatMap(({ saved }) => saved ?? []),
  };
}

function ofPlan(saved: SavedPlan): Pick<ReadReview, 'changes' | 'targeting'> {
  return { changes: reviewOf(saved.plan).changes, targeting: saved };
}

/**
 * The plan of the artifact that the comment names. If it is gone, the fingerprints of the comment are enough, unless plans
 * have to be signed: many people may edit a comment.
 */
async function readReview(
  { provider, planFile, planInText, needsSignature, say }: FindPorts,
  { marker, pullRequest }: ChosenReview,
): Promise<ReadReview> {
  const { run, artifact, changes } = marker;
  const what = `the plan of pull request ${pullRequest.number}`;
  try {
    if (provider === null || run === null)
      throw new ProviderError('provider-artifact', `The comment names no run with ${what}.`, null);
    const bytes = await provider.artifactFile({ run, name: artifact }, planFile, PLAN_BYTES_MAX);
    const saved = planInText(new TextDecoder().decode(bytes));
    if (saved.plan.fingerprint === marker.plan) return { saved, ...ofPlan(saved) };
    throw new CiError(
      'ci-stale-review',
      `The artifact ${artifact} of run ${run} has another plan than the comment of pull request ${pullRequest.number} names. Nothing was changed.`,
      'Run the plan job of its last commit again, then this job.',
      'refused',
    );
  } catch (error) {
    const isGone = error instanceof ProviderError && error.code === 'provider-artifact';
    if (!isGone || changes === undefined || needsSignature) throw error;
    say(
      shown`Using the fingerprints of the comment, because ${what} cannot be read: ${visibleProse(error.message)}`,
    );
    return { saved: null, changes: changesOf(changes), targeting: targetsOfMarker(marker) };
  }
}

/** A plan with the texts of many accounts is large, and a larger file is not a plan. */
const PLAN_BYTES_MAX = 256 * 1024 * 1024;

function changesOf(changes: Readonly<Record<string, readonly string[]>>): readonly ReviewedChange[] {
  return Object.entries(changes).flatMap(([text, fingerprints]) => {
    const [account = '', kindText, ...name] = text.split('/');
    const kind = KINDS.find((one) => one === kindText);
    if (kind === undefined) return [];
    const address = { account, kind, name: name.join('/') };
    return fingerprints.map((fingerprint) => ({ address, action: null, fingerprint }));
  });
}
