import { hasCode } from '../domain/herald-error.ts';
import type { Plan } from '../domain/change.ts';
import type { Look } from '../engine/look.ts';
import type { Opened } from '../library/open.ts';
import { findDrift, planFiles, type PlanWishes } from '../library/runs.ts';
import { planDeclared, type Circumstances } from '../plan/describe.ts';
import { VERSION } from '../version.ts';
import type { Loaded } from '../workspace/load.ts';
import type { Context } from './context.ts';
import { readAllowances, refuseUnmatched } from './plan-flags.ts';

interface PlanFlags extends Omit<PlanWishes, 'circumstances'> {
  /** The values of `--allow`. */
  readonly allow: readonly string[];
  /** Set for a plan that is saved: it names the commit. */
  readonly isSaved: boolean;
  /** The commit, where a job knows it. */
  readonly commit?: string | null;
}

/** Reads, plans, and describes the plan for people. Sends only reads. */
export async function makePlan(
  context: Context,
  opened: Opened,
  { allow, isSaved, commit: known = null, ...wishes }: PlanFlags,
): Promise<Look> {
  const made = readCircumstances(context, allow);
  let { commit } = made;
  if (known !== null) commit = { ...commit, id: known };
  else if (isSaved) commit ??= await findCheckedOut(context, opened);
  return planFiles(opened, { ...wishes, circumstances: { ...made, commit } });
}

/** Looks at what differs between live and the files. Sends only reads. */
export function makeDrift(
  context: Context,
  opened: Opened,
  wishes: Pick<PlanWishes, 'targeting' | 'contents'>,
): Promise<Plan> {
  const check = (seen: Look) => refuseUnmatched(wishes.targeting, seen);
  return findDrift(opened, { ...wishes, check, circumstances: readCircumstances(context, []) });
}

/** What the files declare, as the plan of a service that has nothing yet. Asks the service nothing. */
export function planOffline(
  context: Context,
  { workspace: settings, declared, placeOf, warnings }: Extract<Loaded, { readonly kind: 'loaded' }>,
): Plan {
  const nowMs = context.clock.now();
  return planDeclared({ ...readCircumstances(context, []), declared, placeOf, settings, warnings, nowMs });
}

/** Variables of CI services with the commit that is checked out. On a person's machine the files may differ from every commit. */
const COMMIT_VARIABLES = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'BUILD_SOURCEVERSION'];

/** Where, when and by whom the plan of this command is made. `allow` has the values of `--allow`. */
function readCircumstances(
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
 * The commit that is checked out, if the files are as that commit has them. Null without git or a repository, and where the files
 * have changes that are in no commit.
 */
async function findCheckedOut(
  context: Context,
  files: Pick<Opened, 'workspace' | 'declared'>,
): Promise<Plan['commit'] | null> {
  try {
    const { checkedOutCommit } = await import('../ci/scope.ts');
    const id = await checkedOutCommit(context, await context.repository(), files);
    return id === null ? null : { id };
  } catch (error) {
    if (hasCode(error, 'git-')) return null;
    throw error;
  }
}
