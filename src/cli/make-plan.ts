import { ALLOWANCE_NAMES, type Allowance } from '../domain/change-kinds.ts';
import type { Plan, PrintedPlan } from '../domain/change.ts';
import { formatCommand, formatPath } from '../domain/command-line.ts';
import { compareDiagnostics } from '../domain/diagnostic.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { compareAddresses } from '../domain/resource.ts';
import { shown, type Visible } from '../domain/visible.ts';
import type { Opened } from '../library/connect.ts';
import { findDrift, type PlannedLook, planFiles, type PlanWishes } from '../library/runs.ts';
import { describePlan, type Circumstances } from '../page/document.ts';
import { change } from '../plan/decide/decision.ts';
import { summarise } from '../plan/plan.ts';
import { checkPolicy } from '../policy/check.ts';
import { readDeclared } from '../render/entries.ts';
import type { TextStyle } from '../render/spans.ts';
import { readCommit } from '../provider/job.ts';
import { VERSION } from '../version.ts';
import type { Context } from './context.ts';
import { type LoadedFiles, type PlanFormat, printResult } from './define-command.ts';
import { switchFlag, textFlag, textsFlag } from './flags.ts';
import { summarisePlan } from '../render/summary.ts';
import { renderPlanMarkdown } from '../render/plan-markdown.ts';
import { renderPlanText, type PlanTextStyle } from '../render/plan-text.ts';
import { type ExitCode, EXIT } from '../domain/exit-codes.ts';
import { annotateFindings } from './findings.ts';
import type { PageTitle } from '../page/read-back.ts';
import { NOTHING_KNOWN } from '../state/shapes.ts';
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

/** For a command that shows all changes. */
export const planFlags = { ...targetFlags, expand: expandFlag, html: pageFlag };

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
): Promise<PlannedLook> {
  const made = readCircumstances(context, allow);
  let { commit } = made;
  if (known !== null) commit = { ...commit, id: known };
  else if (isSaved) commit ??= await (await import('../ci/scope.ts')).findCheckedOut(context, opened);
  return planFiles(opened, { ...wishes, circumstances: { ...made, commit } });
}

/** What the files declare, as the plan of a service that has nothing yet. Asks the service nothing. */
export function planOffline(
  context: Context,
  { workspace: settings, declared, placeOf, warnings }: LoadedFiles,
): Plan {
  const nowMs = context.clock.now();
  const changes = declared
    .map((one) => change(one, 'create'))
    .toSorted((left, right) => compareAddresses(left.address, right.address));
  const { policy, service } = settings;
  const live = { undeclared: [], sent: new Set<string>(), leftOut: new Set<string>() };
  const findings = checkPolicy({ declared, policy, ...live, nowMs }, placeOf);
  const plan: Plan = {
    schema: 'herald/plan/1',
    service: service.identity,
    changes,
    summary: summarise(changes),
    diagnostics: [...warnings, ...findings].toSorted(compareDiagnostics),
    eta_sec: 0,
  };
  const files = { declared, settings, observed: [], known: NOTHING_KNOWN };
  return describePlan(plan, { ...readCircumstances(context, []), ...files, nowMs, contents: true });
}

/** Where, when and by whom the plan of this command is made. `allow` has the values of `--allow`. */
function readCircumstances(
  { workspace, identity, env, remotes }: Pick<Context, 'workspace' | 'identity' | 'env' | 'remotes'>,
  allow: readonly string[],
): Circumstances {
  return {
    workspace,
    who: identity.who,
    toolVersion: VERSION,
    repository: remotes(),
    commit: readCommit(env),
    flags: readAllowances(allow, []),
  };
}

/** What is shown of a plan, and how. */
export type PlanView = Partial<Omit<PlanTextStyle, keyof TextStyle>>;

/** A plan in each of its formats. */
export function drawPlan(
  { output: { colour, width } }: Pick<Context, 'output'>,
  plan: PrintedPlan,
  { title = 'plan', ...view }: PlanView,
) {
  return {
    text: () => renderPlanText(plan, { ...view, title, colour, width }),
    markdown: () => renderPlanMarkdown(plan, { ...view, title }),
    json: () => ({ ...plan }),
  };
}

/** Where a plan is shown. */
interface Shown {
  readonly format: PlanFormat;
  readonly html?: string | undefined;
}

/** Looks at what differs between live and the files, and prints it. Sends only reads. */
export async function printDrift(
  context: Context,
  opened: Opened,
  view: Pick<PlanWishes, 'targeting'> & Pick<PlanView, 'expand'> & Shown,
): Promise<{ readonly plan: Plan; readonly exit: ExitCode; readonly instead: Visible | null }> {
  const { targeting, format, html, expand } = view;
  const plan = await findDrift(opened, {
    targeting,
    contents: format === 'json' || html !== undefined,
    circumstances: readCircumstances(context, []),
  });
  const { target, exclude } = targeting;
  const limits = repeatFlags({ target, exclude });
  const exit = driftExit(plan);
  const instead = exit === EXIT.done ? null : await describeBranch(context);
  const shape = { ...readDeclared(opened.declared), expand, title: 'drift', limits, instead } as const;
  await printPlan(context, plan, shape, { format, html });
  if (format === 'text' && instead !== null) context.output.say(instead);
  return { plan, exit, instead };
}

/**
 * A change or blocked change that would make live match the files is drift. So is a message that was blocked, and what runs on an
 * account that the workspace does not name any more.
 */
function driftExit(plan: Plan): ExitCode {
  const { isQuiet, noted } = summarisePlan(plan, 'drift');
  return isQuiet && noted === 0 ? EXIT.done : EXIT.differences;
}

/** With the state on a branch, what starts something is refused. Changes and results name the commands all the same. Null elsewhere. */
export async function describeBranch({ state }: Pick<Context, 'state'>): Promise<Visible | null> {
  // A stop by hand goes also where the state cannot be found, and says that itself.
  const location = await state.location().catch(() => null);
  if (location?.kind !== 'branch') return null;
  const starts = [['apply'], ['campaigns', 'activate'], ['broadcasts', 'resume']];
  const commands = starts.map((words) => formatCommand(...words)).join(', ');
  return shown`The state is on a branch, so in place of ${commands}: merge a pull request, and its job applies it. With ci: { scope: all } in herald.yaml, its plan has every difference; for what needs --allow, add allow: there.`;
}

/** Prints a plan, annotates the lines of its findings where a CI shows them, and draws the page of `--html`. */
export async function printPlan(
  context: Context,
  plan: PrintedPlan,
  view: PlanView,
  { format, html }: Shown,
): Promise<void> {
  if (html !== undefined) await writePage(context, html, plan, view.title ?? 'plan');
  await annotateFindings(context, plan.diagnostics);
  await printResult(context, format, drawPlan(context, plan, view));
}

/** Writes a plan as a page, whole or not at all, and says where it is. Most runs draw none, so its code is loaded here. */
export async function writePage(context: Context, file: string, plan: Plan, title: PageTitle): Promise<void> {
  const [{ renderPlanPage }, { readPictures }] = await Promise.all([
    import('../page/page.tsx'),
    import('../page/pictures.ts'),
  ]);
  const html = renderPlanPage(plan, { title, pictures: await readPictures(context.bytes, plan) });
  await writeReport(context, file, html);
  context.output.say(shown`Page written to ${formatPath(file)}.`);
}
