import { GitError, type Repository } from '../../domain/git.ts';

/** What the changes of earlier heads are compared with. */
interface Heads {
  /** The tip of the base branch before the merge. */
  readonly base: string;
  readonly head: string;
}

/**
 * Which of these earlier heads changed exactly what the head changes: only the base moved since, by a merge of the base
 * or by a rebase. A commit that is gone, as after a force-push, is not one of them.
 */
export async function sameAsHead(
  repository: Repository,
  { base, head }: Heads,
  earlier: readonly string[],
): Promise<ReadonlySet<string>> {
  const same = new Set<string>();
  const others = [...new Set(earlier)].filter((commit) => commit !== head);
  if (others.length === 0) return same;
  const now = await changesOf(repository, base, head);
  for (const commit of others)
    if (now !== null && (await changesOf(repository, base, commit)) === now) same.add(commit);
  return same;
}

/** What a commit changes since it left the base branch. Null if git does not know. */
async function changesOf(repository: Repository, base: string, commit: string): Promise<string | null> {
  try {
    const start = await repository.mergeBase(base, commit);
    // A commit that the base has already would seem to change nothing, and so would every other one.
    return start === null || start === commit ? null : await repository.differenceOf(start, commit);
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
