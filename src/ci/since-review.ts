import { formatCommand } from '../domain/command-line.ts';
import type { Repository } from '../domain/git.ts';
import { escapeGlob } from '../domain/glob.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import type { Clock } from '../domain/ports.ts';
import { formatAddress } from '../domain/resource.ts';
import { elapsedMs, momentOf } from '../domain/time.ts';
import { EVERYTHING, type OutdatedGate, type Targeting } from '../plan/facts.ts';
import { selectAddresses } from '../plan/targets.ts';
import { type ApplyPlace, joinReviews, joinTargets, type Reviewed } from './reviews.ts';
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
        if (isFirst || !hasCode(error, 'git-')) throw error;
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
  const newer = await contentsAt(ports, repository, tip.commit);
  const own = await contentsAt(ports, repository, head);
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
 * The targets of the reviewed plans, and whatever else the push has changed in the files: by a direct commit, or after the plan of its
 * pull request. It is planned as well, so that it is blocked and reported, and not left out without a word.
 */
export async function targetsOfPush(
  ports: ScopePorts,
  { repository, commit, before }: ApplyPlace,
  all: readonly Reviewed[],
  head: DeclaredFiles,
): Promise<Targeting> {
  const reviewed = joinReviews(all).targeting;
  if (all.every(({ pull }) => pull === null) || selectAddresses(reviewed).isEverything) return reviewed;
  const base = before ?? (await repository.parentsOf(commit))[0];
  if (base === undefined) return reviewed;
  try {
    const scope = await scopeChanged(ports, repository, head, { base, head: null });
    return scope.because === null ? joinTargets([reviewed, scope.targeting]) : EVERYTHING;
  } catch (error) {
    // The branch was replaced by another one.
    if (hasCode(error, 'git-no-common-commit')) return EVERYTHING;
    throw error;
  }
}
