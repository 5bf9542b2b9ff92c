import { ALLOWANCE_NAMES, type Allowance } from '../domain/change-kinds.ts';
import type { Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import { formatAddress } from '../domain/resource.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { Look } from '../engine/look.ts';
import type { Opened } from '../library/connect.ts';
import { planFiles, type PlanWishes } from '../library/runs.ts';
import { planDeclared, type Circumstances } from '../plan/describe.ts';
import { indexRows, type Targeting, parsePatterns, selectAddresses } from '../plan/facts.ts';
import { count } from '../render/wording.ts';
import { VERSION } from '../version.ts';
import { didYouMean } from '../workspace/suggest.ts';
import type { Context } from './context.ts';
import type { LoadedFiles } from './define-command.ts';
import { switchFlag, textFlag, textsFlag } from './flags.ts';

/** What a plan is about. */
export const targetFlags = {
  target: textsFlag(
    '--target <pattern>',
    'only resources that match account/kind/name; * and ? are wildcards (repeatable)',
  ),
  exclude: textsFlag('--exclude <pattern>', 'leave out resources that match account/kind/name (repeatable)'),
};

export const expandFlag = switchFlag('--expand', 'show each change on its own, also those that do the same');

export const pageFlag = textFlag('--html <file>', 'draw it as a page in this file, too');

/** The flags of a printed command that repeats those of this one, in the order of `given`. */
export function repeatFlags(given: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(given).flatMap(([flag, values]) => values.flatMap((value) => [`--${flag}`, value]));
}

/** The allowances of this run: those of `--allow` and those in `herald.yaml`. */
export function readAllowances(
  flags: readonly string[],
  standing: readonly Allowance[],
): ReadonlySet<Allowance> {
  const given = flags.map((flag) => {
    const known = ALLOWANCE_NAMES.find((name) => name === flag);
    if (known !== undefined) return known;
    const names = ALLOWANCE_NAMES.join(', ');
    throw new HeraldError('bad-flag', `--allow ${flag} is unknown. Use one of: ${names}.`);
  });
  return new Set([...given, ...standing]);
}

/** The targets of `--scope changed`: what the files declare differently than `base`. Null for everything. Prints the scope. */
export async function chooseScope(
  context: Context,
  opened: Opened,
  comparison: { readonly base: string; readonly head: string | null },
) {
  const { scopeChanged } = await import('../ci/scope.ts');
  const scope = await scopeChanged(context, await context.repository(), opened, comparison);
  context.output.say(
    scope.because === null
      ? shown`Scope: ${count(scope.changed, 'resource')} declared differently than in ${scope.base.slice(0, 12)}.`
      : shown`Scope: everything, because ${visibleProse(scope.because)}.`,
  );
  return scope;
}

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

/** What the files declare, as the plan of a service that has nothing yet. Asks the service nothing. */
export function planOffline(
  context: Context,
  { workspace: settings, declared, placeOf, warnings }: LoadedFiles,
): Plan {
  const nowMs = context.clock.now();
  return planDeclared({ ...readCircumstances(context, []), declared, placeOf, settings, warnings, nowMs });
}

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

/**
 * Throws for a pattern without a match: with a typo, it would select the wrong resources. `--target` names resources of the plan or
 * the files, and `--exclude` may also name what is live.
 */
export function refuseUnmatched(targeting: Targeting, { plan, facts }: Pick<Look, 'plan' | 'facts'>): void {
  const { declared, observed, known } = facts;
  const { isEverything, selects, excludes } = selectAddresses(targeting);
  const split = declared.find(
    ({ address, renamedFrom }) =>
      renamedFrom !== null && selects(address) && excludes({ ...address, name: renamedFrom }),
  );
  if (split !== undefined)
    // Carrying out the rename would change an excluded object.
    throw new HeraldError(
      'excluded-rename',
      `--exclude leaves out "${split.renamedFrom ?? ''}", and ${formatAddress(split.address)} is renamed from it. Nothing was changed.`,
      'Exclude both names, or neither.',
    );
  const due = [...declared, ...plan.changes].map(({ address }) => address);
  const rowOf = indexRows(known.objects);
  const live = observed.flatMap((object) =>
    [object.live.name, rowOf(object)?.name].flatMap((name) =>
      name == null || name === '' ? [] : [{ account: object.account, kind: object.kind, name }],
    ),
  );
  const { target, exclude } = targeting;
  for (const [flag, patterns, names] of [
    ['--target', target, due],
    ['--exclude', exclude, [...due, ...live]],
  ] as const)
    for (const pattern of patterns) {
      if (names.some(parsePatterns([pattern]).fits)) continue;
      const accounts = names.map(({ account }) => `${account}/*`);
      const known = [...new Set([...names.map(formatAddress), ...accounts])].toSorted();
      throw new HeraldError(
        'no-match',
        `${flag} ${JSON.stringify(pattern)} matches nothing. Nothing was changed.`,
        `${didYouMean(pattern, known)} A pattern is account/kind/name, with * for any characters. ${seeAddresses()}`.trim(),
      );
    }
  if (isEverything || due.some(selects) || plan.changes.length > 0) return;
  throw new HeraldError(
    'nothing-left',
    '--target and --exclude together leave nothing. Nothing was changed.',
    seeAddresses(),
  );
}

const seeAddresses = () => `To see the addresses: ${formatCommand('plan', '--format', 'json')}`;
