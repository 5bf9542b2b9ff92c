import { type Repository } from '../domain/git.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** What a pull request or a person says of the commits to compare. */
export interface Comparison {
  /** A commit or a branch. */
  readonly base: string;
  /** The last commit of the pull request; null if there is none, or it is not known. */
  readonly head: string | null;
}

/**
 * The commit that the checked-out files are compared with.
 *
 * | checked out                                        | compared with                                |
 * |----------------------------------------------------|----------------------------------------------|
 * | a merge of the pull request's head into its base   | the other parent: the base at that time      |
 * | anything else                                      | the last commit in common with the base      |
 */
export async function baseCommit(repository: Repository, { base, head }: Comparison): Promise<string> {
  const [first, ...merged] = await repository.parentsOf('HEAD');
  if (first !== undefined && head !== null && merged.includes(head)) {
    await repository.fetchCommit(first);
    return first;
  }
  const found = await repository.mergeBase('HEAD', await tipOf(repository, base));
  if (found !== null) return found;
  throw new HeraldError(
    'git-no-common-commit',
    `The checked-out files and ${base} have no commit in common.`,
    'Rebase the branch onto its base branch, then run the command again.',
  );
}

/** A branch may be here only as that of the remote. */
async function tipOf(repository: Repository, base: string): Promise<string> {
  for (const name of [base, `origin/${base}`]) {
    const found = await repository.commitOf(name);
    if (found !== null) return found;
  }
  await repository.fetchCommit(base);
  return base;
}
