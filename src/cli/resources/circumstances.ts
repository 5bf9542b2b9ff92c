import type { Circumstances } from '../../reconcile/described.ts';
import { VERSION } from '../../version.ts';
import type { Context } from '../context.ts';
import { allowancesOf } from './allowances.ts';

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

/** Variables of CI services with the commit that is checked out. */
const COMMIT_VARIABLES = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'BUILD_SOURCEVERSION'];

/**
 * The commit of a CI job. On a person's machine the files may differ from every commit, so none is named there.
 */
function commitOf(env: Context['env']): Circumstances['commit'] {
  const id = COMMIT_VARIABLES.map((name) => env[name] ?? '').find((value) => value !== '');
  if (id === undefined) return null;
  const [subject, author] = [env['CI_COMMIT_TITLE'], env['CI_COMMIT_AUTHOR']];
  return { id, ...(subject === undefined ? {} : { subject }), ...(author === undefined ? {} : { author }) };
}
