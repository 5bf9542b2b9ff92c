import type { ApplyReport } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Repository } from '../domain/git.ts';
import { escapeGlob, readLiteral } from '../domain/glob.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import type { Clock } from '../domain/ports.ts';
import { formatAddress } from '../domain/resource.ts';
import { elapsedMs, momentOf } from '../domain/time.ts';
import { EVERYTHING, type OutdatedGate, type Targeting } from '../plan/facts.ts';
import { selectAddresses } from '../plan/targets.ts';
import type { UnapprovedReview } from './merged-reviews.ts';
import { type FoundReviews, joinedTargets } from './reviews.ts';
import { type DeclaredFiles, fingerprintDeclared, loadAt, scopeChanged, type ScopePorts } from './scope.ts';

/** Each look of a run asks for the tip. The remote is asked again after so long. */
const TIP_SERVES_MS = 30_000;

/**
 * The tip of the branch decides: what it declares differently than the commit that is checked out is not carried out by this run,
 * which is that of an older merge. Asked under the lease, and again after a wait. Rejects if the tip cannot be read.
 */
export function outdatedAsk(
  ports: ScopePorts & { readonly clock: Clock },
  repository: Repository,
  branch: string | null,
): () => Promise<OutdatedGate> {
  let known: { readonly at: ReturnType<typeof momentOf>; readonly gate: OutdatedGate } | null = null;
  return async () => {
    if (known === null || elapsedMs(ports.clock, known.at) > TIP_SERVES_MS) {
      const at = momentOf(ports.clock);
      const isFirst = known === null;
      const gate = await outdatedNow(ports, repository, branch).catch((error: unknown): OutdatedGate => {
        // By now, changes may have been sent. The rest is blocked, and all of it is reported.
        if (isFirst || !hasCode(error, 'ci-')) throw error;
        return () => error.message;
      });
      known = { at, gate };
    }
    return known.gate;
  };
}

async function outdatedNow(
  ports: ScopePorts,
  repository: Repository,
  branch: string | null,
): Promise<OutdatedGate> {
  const tip = await repository.remoteTip(branch).catch((error: unknown) => {
    throw hasCode(error, 'git-') ? unread(error.message, error.hint ?? '') : error;
  });
  const head = (await repository.commitOf('HEAD')) ?? '';
  if (tip.commit === head) return () => null;
  const [newer, own] = [
    await contentsAt(ports, repository, tip.commit),
    await contentsAt(ports, repository, head),
  ];
  return (address) => {
    const name = formatAddress(address);
    if (newer.get(name) === own.get(name)) return null;
    const [tipId, headId] = [tip.commit.slice(0, 12), head.slice(0, 12)];
    const next = formatCommand('plan', '--target', escapeGlob(name));
    return `Outdated: the tip of ${tip.branch}, ${tipId}, does not declare this as ${headId} does, which this run applies. Run the apply job of ${tipId}. To see what it would do, check out ${tipId} and run: ${next}`;
  };
}

async function contentsAt(
  ports: ScopePorts,
  repository: Repository,
  commit: string,
): Promise<ReadonlyMap<string, string>> {
  const files = await loadAt(ports, repository, commit);
  if (typeof files !== 'string') return fingerprintDeclared(files);
  throw unread(
    `The commits cannot be compared, because ${files}.`,
    'Run the apply job of the newest commit.',
  );
}

function unread(why: string, next: string): HeraldError {
  const what = 'So Herald cannot see whether a newer commit declares something else. Nothing was applied.';
  return new HeraldError('git-failed', `${why} ${what}`, next);
}

/**
 * The targets of the reviewed plans, and whatever else the push has changed in the files: by a direct commit, or after the
 * plan of its pull request. It is planned as well, so that it is blocked and reported, and not left out without a word.
 */
export async function targetsOfPush(
  ports: ScopePorts,
  { repository, commit, before, found, targeting }: FoundReviews,
  head: DeclaredFiles,
): Promise<Targeting> {
  if (found.length === 0 || selectAddresses(targeting).isEverything) return targeting;
  const base = before ?? (await repository.parentsOf(commit))[0];
  if (base === undefined) return targeting;
  const changed = await changedSince(ports, repository, head, base);
  return joinedTargets([targeting, changed]);
}

async function changedSince(
  ports: ScopePorts,
  repository: Repository,
  head: DeclaredFiles,
  base: string,
): Promise<Targeting> {
  try {
    const scope = await scopeChanged(ports, repository, head, { base, head: null });
    return scope.kind === 'all' ? EVERYTHING : scope.targeting;
  } catch (error) {
    // The branch was replaced by another one.
    if (hasCode(error, 'git-') && error.code === 'git-no-common-commit') return EVERYTHING;
    throw error;
  }
}

/** As many names as fit into a line. */
const NAMED_MAX = 10;

/** What the push changed and no review is about, for people: which resources, which commits, and what to do. Null if nothing. */
export async function leftOfPush(found: FoundReviews, report: ApplyReport): Promise<string | null> {
  if (found.found.length === 0) return null;
  const { selects } = selectAddresses(found.targeting);
  const blocked = report.outcomes.filter(({ action, address }) => action === 'blocked' && !selects(address));
  const left = [...new Set(blocked.map(({ address }) => formatAddress(address)))];
  if (left.length === 0) return null;
  const direct = await changingCommits(found);
  const commits = direct.length === 1 ? 'the commit' : 'the commits';
  const because =
    direct.length === 0 ? '' : ` No merged pull request has ${commits} ${listed(direct)} of this push.`;
  const targets = left.length > NAMED_MAX ? [] : left.flatMap((name) => ['--target', escapeGlob(name)]);
  return `Not applied, because no review of this job has it: ${listed(left)}.${because} Review and apply it: ${formatCommand('plan', ...targets, '--out', 'plan.json')}, then ${formatCommand('apply', 'plan.json')}`;
}

/** The direct commits that change something in the folder of the workspace, or may do so. */
async function changingCommits({ repository, direct }: FoundReviews): Promise<readonly string[]> {
  const changing: string[] = [];
  for (const commit of direct) if (await mayChange(repository, commit)) changing.push(commit.slice(0, 12));
  return changing;
}

async function mayChange(repository: Repository, commit: string): Promise<boolean> {
  try {
    const [parent] = await repository.parentsOf(commit);
    if (parent === undefined) return true;
    await repository.fetchCommit(parent);
    return (await repository.differenceOf(parent, commit)) !== '';
  } catch (error) {
    // Everything is applied by now, so this only makes the message longer.
    if (hasCode(error, 'git-')) return true;
    throw error;
  }
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

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
    ...targeting.target.flatMap((pattern) => readLiteral(pattern) ?? []),
  ];
}
