import type { Circumstances } from '../../library/describe-look.ts';
import type { Opened } from '../../library/open.ts';
import { VERSION } from '../../version.ts';
import type { Context } from '../context.ts';
import { allowancesOf } from './allowances.ts';
import { hasCode } from '../../domain/herald-error.ts';

/** Where, when and by whom the plan of this command is made. `flags` are the values of `--allow`. */
export function circumstancesOf(
  { workspace, identity, env, remotes }: Pick<Context, 'workspace' | 'identity' | 'env' | 'remotes'>,
  flags: readonly string[],
): Circumstances {
  return {
    workspace,
    who: identity.who,
    toolVersion: VERSION,
    repository: remotes(),
    commit: commitOf(env),
    flags: allowancesOf(flags, []),
  };
}

/**
 * The same for a plan that is saved. Where no CI names the commit, it is the one that is checked out, if the files are as that
 * commit has them. Without git or a repository, none is named.
 */
export async function circumstancesToSave(
  context: Context,
  flags: readonly string[],
  files: Pick<Opened, 'workspace' | 'declared'>,
): Promise<Circumstances> {
  const circumstances = circumstancesOf(context, flags);
  if (circumstances.commit !== null) return circumstances;
  try {
    const { checkedOutCommit } = await import('../../ci/checked-out-commit.ts');
    const id = await checkedOutCommit(context, await context.repository(), files);
    return id === null ? circumstances : { ...circumstances, commit: { id } };
  } catch (error) {
    if (hasCode(error, 'git-')) return circumstances;
    throw error;
  }
}

/** Variables of CI services with the commit that is checked out. */
const COMMIT_VARIABLES = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'BUILD_SOURCEVERSION'];

/** The commit of a CI job. On a person's machine the files may differ from every commit. */
function commitOf(env: Context['env']): Circumstances['commit'] {
  const id = COMMIT_VARIABLES.map((name) => env[name] ?? '').find((value) => value !== '');
  if (id === undefined) return null;
  const [subject, author] = [env['CI_COMMIT_TITLE'], env['CI_COMMIT_AUTHOR']];
  return { id, ...(subject === undefined ? {} : { subject }), ...(author === undefined ? {} : { author }) };
}
