import { hasCode } from '../domain/herald-error.ts';
import type { Plan } from '../domain/change.ts';
import type { Look } from '../engine/look.ts';
import { findDrift } from '../library/drift.ts';
import type { Opened } from '../library/open.ts';
import { describeLook, lookAt } from '../library/runs.ts';
import { planDeclared, type Circumstances } from '../plan/describe.ts';
import type { Targeting } from '../plan/facts.ts';
import { VERSION } from '../version.ts';
import type { Loaded } from '../workspace/load.ts';
import type { Context } from './context.ts';
import { readAllowances, refuseUnmatched } from './plan-flags.ts';

/** What a plan or a drift is about, and what is shown of it. */
export interface PlanWishes {
  readonly targeting: Targeting;
  /** The values of `--allow`. */
  readonly allow?: readonly string[];
  /** JSON, a page and a saved plan also tell what the files declare. Text and Markdown show what differs. */
  readonly contents?: boolean;
  /** Set for a plan that is saved: it names the commit. */
  readonly isSaved?: boolean;
  /** The commit, where a job knows it. */
  readonly commit?: string | null;
}

/** Reads, plans, and describes the plan for people. Sends only reads. */
export async function makePlan(
  context: Context,
  opened: Opened,
  { targeting, allow = [], contents = true, isSaved = false, commit = null }: PlanWishes,
): Promise<Look> {
  const seen = await lookAt(opened, { allow: readAllowances(allow, opened.workspace.allow), targeting });
  const circumstances = isSaved
    ? await readCircumstancesToSave(context, allow, opened)
    : readCircumstances(context, allow);
  const named =
    commit === null ? circumstances : { ...circumstances, commit: { ...circumstances.commit, id: commit } };
  return describeLook(opened, seen, named, { contents });
}

/** Looks at what differs between live and the files. Sends only reads. */
export function makeDrift(
  context: Context,
  opened: Opened,
  { targeting, contents = true }: Pick<PlanWishes, 'targeting' | 'contents'>,
): Promise<Plan> {
  const check = (seen: Look) => refuseUnmatched(targeting, seen);
  return findDrift(opened, { targeting, contents, check, circumstances: readCircumstances(context, []) });
}

/** What the files declare, as the plan of a service that has nothing yet. Asks the service nothing. */
export function planOffline(
  context: Context,
  { workspace: settings, declared, placeOf, warnings }: Extract<Loaded, { readonly kind: 'loaded' }>,
): Plan {
  const circumstances = readCircumstances(context, []);
  const nowMs = context.clock.now();
  return planDeclared({ ...circumstances, declared, placeOf, settings, warnings, nowMs });
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
 * Circumstances of a plan that is saved. Where no CI names the commit, it is the one that is checked out, if the files are as
 * that commit has them. Without git or a repository, none is named.
 */
async function readCircumstancesToSave(
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
