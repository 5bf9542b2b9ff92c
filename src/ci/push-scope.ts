import { hasCode } from '../domain/herald-error.ts';
import type { ApplyReport } from '../domain/change.ts';
import { type Repository } from '../domain/git.ts';
import { escapeGlob } from '../domain/glob.ts';
import { formatAddress } from '../domain/resource.ts';
import { EVERYTHING, type Targeting } from '../plan/facts.ts';
import { selectAddresses } from '../plan/targets.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { DeclaredFiles } from './changed-addresses.ts';
import type { FoundReviews } from './find-reviews.ts';
import { joinedTargets } from './reviewed-scope.ts';
import { scopeChanged, type ScopePorts } from './scope-changed.ts';

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
