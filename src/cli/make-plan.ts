import { ALLOWANCE_NAMES, type Allowance } from '../domain/change-kinds.ts';
import type { Plan, PrintedPlan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import { shown, visibleProse, type Visible } from '../domain/visible.ts';
import type { Look } from '../engine/look.ts';
import type { Opened } from '../library/connect.ts';
import { planFiles, type PlanWishes, findDrift } from '../library/runs.ts';
import { planDeclared, type Circumstances } from '../plan/describe.ts';
import { indexRows, type Targeting, parsePatterns, selectAddresses } from '../plan/facts.ts';
import { count } from '../render/wording.ts';
import { VERSION } from '../version.ts';
import { didYouMean } from '../workspace/suggest.ts';
import type { Context } from './context.ts';
import type { LoadedFiles, Reports } from './define-command.ts';
import { switchFlag, textFlag, textsFlag } from './flags.ts';
import type { PlanFormat } from './formats.ts';
import { renderPlanMarkdown } from '../render/plan-markdown.ts';
import { renderPlanText, type PlanTextStyle } from '../render/plan-text.ts';
import { type ExitCode, EXIT } from '../domain/exit-codes.ts';
import { driftExit } from './exit-of.ts';
import { annotateFindings } from './findings.ts';
import { printResult } from './run-command.ts';
import type { PageTitle } from '../page/words.ts';
import { writeReport } from './saved-plan.ts';

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

/** Null without git or a repository, and where the files have changes that are in no commit. */
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

/** Throws for a pattern without a match, such as a typo. Only `--exclude` may name what is only live. */
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

export interface PlanView extends Pick<PlanTextStyle, 'isBeforeResult' | 'isAgreed' | 'limits'> {
  readonly title?: 'plan' | 'drift';
  /** Shows each change on its own. */
  readonly expand?: boolean | undefined;
  /** Resources of the files, for the time zones that they declare. */
  readonly declared?: readonly Declared[];
}

/** A plan in each of its formats. */
export function drawPlan(context: Context, plan: PrintedPlan, view: PlanView): Pick<Reports, PlanFormat> {
  const { title = 'plan', expand = false, declared = [], limits = [] } = view;
  return {
    text: () => drawPlanText(context, plan, view),
    markdown: () => renderPlanMarkdown(plan, { expand, ...readDeclared(declared), title, limits }),
    json: () => ({ ...plan }),
  };
}

/** A plan as text. */
export function drawPlanText(
  { output: { colour, width } }: Context,
  plan: PrintedPlan,
  { declared = [], expand = false, ...view }: PlanView = {},
): Visible {
  return renderPlanText(plan, { title: 'plan', ...view, expand, ...readDeclared(declared), colour, width });
}

/** What a plan does not have of the files: the time zones by address, and the variables that texts name by account. */
export function readDeclared(
  declared: readonly Declared[],
): Required<Pick<PlanTextStyle, 'zones'>> & Pick<PlanTextStyle, 'variables'> {
  const zones = new Map<string, string>();
  const variables: Record<string, Record<string, string>> = {};
  for (const { address, timezone, written } of declared) {
    if (timezone !== null) zones.set(formatAddress(address), timezone);
    if (written === undefined) continue;
    const text = JSON.stringify([written.messages, written.audience_filters]);
    for (const [name, value] of written.variables)
      if (text.includes(`{{${name}}}`)) (variables[address.account] ??= {})[name] = value;
  }
  return { zones, ...(declared.length === 0 ? {} : { variables }) };
}

/** Looks at what differs between live and the files, and prints it. Sends only reads. */
export async function printDrift(
  context: Context,
  opened: Opened,
  view: Pick<PlanWishes, 'targeting'> &
    Pick<PlanView, 'expand'> & { readonly format: PlanFormat; readonly html?: string | undefined },
): Promise<{ readonly plan: Plan; readonly exit: ExitCode }> {
  const { targeting, format, html } = view;
  const plan = await findDrift(opened, {
    targeting,
    contents: format === 'json' || html !== undefined,
    check: (seen) => refuseUnmatched(targeting, seen),
    circumstances: readCircumstances(context, []),
  });
  const { target, exclude } = targeting;
  const limits = repeatFlags({ target, exclude });
  await printPlan(context, plan, { ...view, title: 'drift', declared: opened.declared, limits });
  const exit = driftExit(plan);
  if (format === 'text' && exit !== EXIT.done) await noteBranch(context);
  return { plan, exit };
}

/** With the state on a branch, what starts something is refused. Changes and results name the commands all the same. */
export async function noteBranch({ state, output }: Pick<Context, 'state' | 'output'>): Promise<void> {
  // A stop by hand goes also where the state cannot be found, and says that itself.
  const location = await state.location().catch(() => null);
  if (location?.kind !== 'branch') return;
  const starts = [['apply'], ['campaigns', 'activate'], ['broadcasts', 'resume']];
  const commands = starts.map((words) => formatCommand(...words)).join(', ');
  output.say(
    shown`The state is on a branch, so in place of ${commands}: merge a pull request, and its job applies it. For what needs --allow, it adds allow: to herald.yaml.`,
  );
}

/** Prints a plan, annotates the lines of its findings where a CI shows them, and draws the page of `--html`. */
export async function printPlan(
  context: Context,
  plan: PrintedPlan,
  view: PlanView &
    Required<Pick<PlanView, 'title'>> & { readonly format: PlanFormat; readonly html?: string | undefined },
): Promise<void> {
  if (view.html !== undefined) await writePage(context, view.html, plan, view.title);
  await annotateFindings(context, plan.diagnostics);
  await printResult(context, view.format, drawPlan(context, plan, view));
}

/** Writes a plan as a page, whole or not at all, and says where it is. Most runs draw none, so its code is loaded here. */
export async function writePage(context: Context, file: string, plan: Plan, title: PageTitle): Promise<void> {
  const [{ renderPlanPage }, { readPictures }] = await Promise.all([
    import('../page/page.tsx'),
    import('../page/pictures.ts'),
  ]);
  const html = renderPlanPage(plan, { title, pictures: await readPictures(context.bytes, plan) });
  await writeReport(context, file, html);
  context.output.say(shown`Page written to ${file}.`);
}

const seeAddresses = () => `To see the addresses: ${formatCommand('plan', '--format', 'json')}`;
