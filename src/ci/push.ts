import { formatCommand } from '../domain/command-line.ts';
import type { Repository } from '../domain/ports.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { fingerprintPlan } from '../plan/review.ts';
import type { SavedPlan } from '../plan/saved.ts';
import { ProviderError } from '../provider/error.ts';
import type { Job } from '../provider/job.ts';
import type { Provider, PullRequest } from '../provider/provider.ts';
import { PLAN_FILE, type ReviewMarker, WorkspaceNames } from './workspace-names.ts';

interface FindPorts {
  readonly say: (text: Visible) => void;
  /** Reads a saved plan in a file. Throws if it cannot be applied. */
  readonly readPlan: (path: string) => Promise<SavedPlan>;
  /** Reads the text of a saved plan. Throws if it cannot be applied. */
  readonly planInText: (file: { readonly path: string; readonly text: string }) => SavedPlan;
}

export interface Reviewed {
  /** Null for a pull request that was merged without a plan: then no change of it is reviewed. */
  readonly saved: SavedPlan | null;
  /** Null for a plan of `--plan` that no provider tells of, or that was allowed without a review. */
  readonly pull: PullRequest | null;
}

/** Each commit is a call of the provider, and a token of GitHub Actions has 1,000 in an hour. */
const COMMITS_MAX = 250;

/** With the state on a branch, no person applies. */
const applyByHand = () =>
  `${formatCommand('plan', '--out', 'plan.json')}, then ${formatCommand('apply', 'plan.json')}. With the state on a branch, merge a pull request that adds ci: { scope: all } to herald.yaml instead.`;

/** A plan with the texts of many accounts is large, and a larger file is not a plan. */
const PLAN_BYTES_MAX = 256 * 1024 * 1024;

type UsableMarker = ReviewMarker & { readonly plan: string };

/** The push that this job applies. */
export class Push {
  /** Null for `generic`. */
  readonly provider: Provider | null;
  readonly repository: Repository;
  readonly commit: string;
  /** The tip before the push; null if it is not known. */
  readonly before: string | null;
  /** That was pushed; null if it is not known. */
  readonly branch: string | null;
  /** Of the workspace in the repository; empty at its top. */
  readonly folder: string;
  /** The page of the run; null if there is none. */
  readonly url: string | null;

  constructor(job: Job, provider: Provider | null, repository: Repository, checkedOut: string | null) {
    this.provider = provider;
    this.repository = repository;
    this.commit = checkedOut ?? job.head ?? 'unknown';
    this.before = this.commit === job.head ? job.base : null;
    this.branch = job.branch;
    this.folder = repository.folder;
    this.url = job.run?.url ?? null;
  }

  /**
   * The reviewed plans of this push: that of `--plan`, or those that the comments of the merged pull requests name. Empty if nothing
   * was reviewed and --allow-unreviewed says that this may be applied. Rejects without a pull request, or if it is not clear what was
   * reviewed in it.
   */
  async findReviews(
    ports: FindPorts,
    { plan: file, allowUnreviewed }: { readonly plan: string | undefined; readonly allowUnreviewed: boolean },
  ): Promise<readonly Reviewed[]> {
    const saved = file === undefined ? null : await ports.readPlan(file);
    try {
      if (saved !== null) return [await this.#findNamed(file ?? '', saved)];
      const merged = await this.#findMerged(ports);
      const unplanned = merged.flatMap(({ saved: plan, pull }) =>
        plan === null && pull !== null ? [pull] : [],
      );
      if (unplanned.length === 0) return merged;
      const why = `No plan: ${listPulls(unplanned)}. The plan job had no key, failed or did not run, or someone deleted its comment.`;
      if (allowUnreviewed) throw refuse('ci-no-review', why, '', unplanned);
      const next = `Run the plan job again, then this job. Or declare the same resources differently in a pull request that gets a plan, or all of them with ci: { scope: all }. ${UNREVIEWED}`;
      ports.say(
        shown`${visibleProse(why)} What was merged without a plan is planned now and blocked. ${visibleProse(next)}`,
      );
      return merged;
    } catch (error) {
      if (!allowUnreviewed || !hasCode(error, 'ci-no-review', 'ci-stale-review')) throw error;
      const why = error.message.replace(` ${UNCHANGED}`, '');
      ports.say(shown`Applied without a review, as --allow-unreviewed says. ${visibleProse(why)}`);
      return saved === null ? [] : [{ saved, pull: null }];
    }
  }

  /**
   * The base branch before this push. A job that is not of a push does not know it: then it is the base before the pull request, of
   * which a rebase puts several commits on the branch. Null if there is none. Rejects if it is further away than is looked.
   */
  async findBase(pulls: readonly PullRequest[]): Promise<string | null> {
    const { provider, repository, commit, before } = this;
    if (before !== null) return before;
    let at = commit;
    for (let left = COMMITS_MAX; left > 0; left -= 1) {
      await repository.fetchCommit(at);
      const [parent] = await repository.parentsOf(at);
      if (parent === undefined) return null;
      const around = pulls.length === 0 ? [] : ((await provider?.pullRequestsOf(parent)) ?? []);
      if (!around.some(({ number }) => pulls.some((one) => one.number === number))) return parent;
      at = parent;
    }
    throw refuse(
      'ci-unclear-review',
      `${listPulls(pulls)} has put more than ${COMMITS_MAX} commits on the branch, so Herald does not know whether the base before it has ci.require_approval.`,
      `Apply it by hand: ${applyByHand()}`,
      pulls,
    );
  }

  /** All pull requests that this push has merged, with their reviewed plans; several for one push of a merge queue. */
  async #findMerged(ports: FindPorts): Promise<readonly Reviewed[]> {
    const { provider, commit } = this;
    if (provider === null)
      throw refuse(
        'ci-no-review',
        'Without a provider, Herald cannot find the plan that was reviewed.',
        `Name it: add --plan herald-out/herald-plan.json. ${UNREVIEWED}`,
      );
    const pulls = new Map<number, PullRequest>();
    for (const [at, found] of await this.#findPulls()) {
      if (found.length > 1)
        throw refuse(
          'ci-unclear-review',
          `Several merged pull requests have the commit ${short(at)}: ${listPulls(found)}. Herald does not guess.`,
          'Get the reviewed plan from the artifact of the right one, and add --plan herald-plan.json.',
        );
      for (const pull of found) pulls.set(pull.number, pull);
    }
    if (pulls.size === 0)
      throw refuse(
        'ci-no-review',
        `No pull request that was merged into ${this.branch ?? 'this branch'} has the commit ${short(commit)}, so nothing was reviewed.`,
        UNREVIEWED,
      );
    const reviewed: Reviewed[] = [];
    for (const pull of pulls.values()) {
      const marker = await this.#readReviewMarker(pull);
      const saved = marker && (await this.#readReviewedPlan(ports, provider, pull, marker));
      reviewed.push({ pull, saved });
    }
    return reviewed;
  }

  /**
   * The plan of `--plan`. It has to be the one that was reviewed in a pull request of this push. Where no provider tells of pull
   * requests, it has to be of a commit that is applied.
   */
  async #findNamed(file: string, saved: SavedPlan): Promise<Reviewed> {
    if (this.provider === null) {
      await this.#refuseOtherHistory(file, saved);
      return { saved, pull: null };
    }
    const pulls = [...(await this.#findPulls()).values()].flat();
    let refusal: HeraldError | null = null;
    for (const pull of pulls) {
      try {
        const marker = await this.#readReviewMarker(pull);
        if (marker?.plan === fingerprintPlan(saved.plan)) return { saved, pull };
      } catch (error) {
        if (!hasCode(error, 'ci-')) throw error;
        refusal ??= error;
      }
    }
    const where = pulls.length === 0 ? 'a pull request of this push' : listPulls(pulls);
    throw (
      refusal ??
      refuse(
        'ci-stale-review',
        `${file} is not the plan that was reviewed in ${where}.`,
        'Name the plan of the artifact that the comment names. To apply this one without that review: add --allow-unreviewed',
        pulls,
      )
    );
  }

  /** A plan of another branch, of a commit that was thrown away, or of files that are in no commit was not reviewed for these files. */
  async #refuseOtherHistory(file: string, { plan }: SavedPlan): Promise<void> {
    const { repository, commit } = this;
    const planned = plan.commit?.id;
    if (planned !== undefined && (await isAncestor(repository, planned, commit))) return;
    const of = planned === undefined ? 'names no commit' : `was made for the commit ${short(planned)}`;
    throw refuse(
      'ci-stale-review',
      `${file} ${of}, and the commit of a reviewed plan has to be in the history of ${short(commit)}.`,
      `Make the plan in a clean checkout of a commit, and review it: ${formatCommand('plan', '--out', file)}. After a squash, or to apply this one anyway: add --allow-unreviewed`,
    );
  }

  /** The commits that a push added to the branch itself, each with its merged pull requests. What a merge brought in is not asked about. */
  async #findPulls() {
    const { provider, repository, commit, before, branch } = this;
    const found = before === null ? [] : await repository.commitsSince(before, commit, COMMITS_MAX + 1);
    const older = found[COMMITS_MAX];
    // What is left out of the search would be left out of the apply, too.
    if (older !== undefined)
      throw refuse(
        'ci-no-review',
        `This push has more than ${COMMITS_MAX} commits, and Herald looks for the reviews of no more. Not looked at: ${short(before ?? '')}..${short(older)}.`,
        `Review it by hand: ${applyByHand()} ${UNREVIEWED}`,
      );
    const pulls = new Map<string, readonly PullRequest[]>();
    // A branch that was set back has no new commits.
    for (const one of found.length === 0 ? [commit] : found) {
      const all = (await provider?.pullRequestsOf(one)) ?? [];
      // A review for another branch may be by other people, or by none.
      const merged = all.filter(({ state, into }) => state === 'merged' && into === (branch ?? into));
      const exact = merged.filter(({ mergeCommit }) => mergeCommit === one);
      pulls.set(one, exact.length > 0 ? exact : merged);
    }
    return pulls;
  }

  /** What our own comment says of the plan that was reviewed, if that is a plan of what was merged. Null without a plan. */
  async #readReviewMarker(pull: PullRequest): Promise<UsableMarker | null> {
    const names = new WorkspaceNames(this.folder);
    const name = listPulls([pull]);
    const refuseIt = (code: 'ci-no-review' | 'ci-stale-review', what: string) =>
      refuse(code, what, `Run the plan job of its last commit again, then this job. ${UNREVIEWED}`, [pull]);
    const comment = await this.provider?.findText({ pull: pull.number }, names.markerStart);
    if (comment == null) return null;
    const marker = names.readMarker(comment.body);
    if (marker === null)
      throw refuseIt(
        'ci-no-review',
        `The comment of ${name} was changed, or another version of Herald made it: ${comment.url}`,
      );
    const { plan, head } = marker;
    if (plan === null) return null;
    if (head !== pull.head && !(await this.#isEarlierCommit(pull, head)))
      throw refuseIt(
        'ci-stale-review',
        `The plan of ${name} was made for ${short(head)}, and the pull request was merged at ${short(pull.head)}, without that commit.`,
      );
    return { ...marker, plan };
  }

  /**
   * Whether the planned commit is an earlier one of this pull request that was merged with it. A branch that was pushed again with force
   * does not have its old commits any more. A commit of another pull request was reviewed there, not here.
   */
  async #isEarlierCommit({ number }: PullRequest, head: string): Promise<boolean> {
    if (!(await isAncestor(this.repository, head, this.commit))) return false;
    return ((await this.provider?.pullRequestsOf(head)) ?? []).some((one) => one.number === number);
  }

  /**
   * The plan of the artifact that the comment names. A person could edit the comment so that it names the run of another pull
   * request, which has other approvals. The plan itself says which commit it is for.
   */
  async #readReviewedPlan(
    { planInText }: FindPorts,
    provider: Provider,
    pull: PullRequest,
    { run, plan, head }: UsableMarker,
  ): Promise<SavedPlan> {
    if (run === null)
      throw new ProviderError('provider-artifact', `The comment of ${listPulls([pull])} names no run.`, null);
    const name = new WorkspaceNames(this.folder).artifact;
    const bytes = await provider.artifactFile({ run, name }, PLAN_FILE, PLAN_BYTES_MAX);
    const saved = planInText({ path: PLAN_FILE, text: new TextDecoder().decode(bytes) });
    if (fingerprintPlan(saved.plan) === plan && (saved.plan.commit?.id ?? head) === head) return saved;
    throw refuse(
      'ci-stale-review',
      `The artifact ${name} of run ${run} has another plan than the comment of ${listPulls([pull])} names.`,
      'Run the plan job of its last commit again, then this job.',
      [pull],
    );
  }
}

/** False also for a commit that git does not have. */
async function isAncestor(repository: Repository, older: string, newer: string): Promise<boolean> {
  try {
    return await repository.isAncestor(older, newer);
  } catch (error) {
    if (hasCode(error, 'git-')) return false;
    throw error;
  }
}

const UNCHANGED = 'Nothing was changed.';

function refuse(
  code: 'ci-no-review' | 'ci-stale-review' | 'ci-unclear-review',
  what: string,
  hint: string,
  pulls: readonly PullRequest[] = [],
): HeraldError {
  const details = pulls.length === 0 ? null : { pull_requests: pulls.map(({ number }) => number) };
  return new HeraldError(code, `${what} ${UNCHANGED}`, hint, { details });
}

/** Added to the command of the job, which has flags of its own. */
const UNREVIEWED = 'To apply it without a review: add --allow-unreviewed.';

function listPulls(pulls: readonly PullRequest[]): string {
  return pulls.map(({ number }) => `pull request ${number}`).join(', ');
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
