import { hasCode } from '../domain/herald-error.ts';
import type { Circumstances } from '../library/describe-look.ts';
import type { Opened } from '../library/open.ts';
import { VERSION } from '../version.ts';
import type { Context } from './context.ts';
import { readAllowances } from './plan-flags.ts';

/** Variables of CI services with the commit that is checked out. On a person's machine the files may differ from every commit. */
const COMMIT_VARIABLES = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'BUILD_SOURCEVERSION'];

/** Where, when and by whom the plan of this command is made. `allow` has the values of `--allow`. */
export function readCircumstances(
  { workspace, identity, env, remotes }: Pick<Context, 'workspace' | 'identity' | 'env' | 'remotes'>,
  allow: readonly string[],
): Circumstances {
  const id = COMMIT_VARIABLES.map((name) => env[name] ?? '').find((value) => value !== '');
  const [subject, author] = [env['CI_COMMIT_TITLE'], env['CI_COMMIT_AUTHOR']];
  const about = {
    ...(subject === undefined ? {} : { subject }),
    ...(author === undefined ? {} : { author }),
  };
  return {
    workspace,
    who: identity.who,
    toolVersion: VERSION,
    repository: remotes(),
    commit: id === undefined ? null : { id, ...about },
    flags: readAllowances(allow, []),
  };
}

/**
 * Circumstances of a plan that is saved. Where no CI names the commit, it is the one that is checked out, if the files are as
 * that commit has them. Without git or a repository, none is named.
 */
export async function readCircumstancesToSave(
  context: Context,
  allow: readonly string[],
  files: Pick<Opened, 'workspace' | 'declared'>,
): Promise<Circumstances> {
  const circumstances = readCircumstances(context, allow);
  if (circumstances.commit !== null) return circumstances;
  try {
    const { checkedOutCommit } = await import('../ci/scope.ts');
    const id = await checkedOutCommit(context, await context.repository(), files);
    return id === null ? circumstances : { ...circumstances, commit: { id } };
  } catch (error) {
    if (hasCode(error, 'git-')) return circumstances;
    throw error;
  }
}
