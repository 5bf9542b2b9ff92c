import type { Plan, PrintedPlan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import { shown, type Visible } from '../domain/visible.ts';
import type { Opened } from '../library/connect.ts';
import { findDrift, type PlanWishes } from '../library/runs.ts';
import type { PageTitle } from '../page/words.ts';
import { renderPlanMarkdown } from '../render/plan-markdown.ts';
import { renderPlanText, type PlanTextStyle } from '../render/plan-text.ts';
import type { Context } from './context.ts';
import type { Reports } from './define-command.ts';
import { driftExit } from './exit-of.ts';
import { annotateFindings } from './findings.ts';
import type { PlanFormat } from './formats.ts';
import { readCircumstances, refuseUnmatched } from './make-plan.ts';
import { printResult } from './run-command.ts';
import { writeReport } from './saved-plan.ts';

/** How a plan is drawn. */
export interface PlanView {
  readonly title?: 'plan' | 'drift';
  /** Shows each change on its own. */
  readonly expand?: boolean | undefined;
  /** Resources of the files, for the time zones that they declare. */
  readonly declared?: readonly Declared[];
  /** Set if the result of an apply follows. */
  readonly isBeforeResult?: boolean;
  /** Set if people agreed to it before. */
  readonly isAgreed?: boolean;
}

/** A plan in each of its formats. */
export function drawPlan(context: Context, plan: PrintedPlan, view: PlanView): Pick<Reports, PlanFormat> {
  const { title = 'plan', expand = false, declared = [] } = view;
  return {
    text: () => drawPlanText(context, plan, view),
    markdown: () => renderPlanMarkdown(plan, { expand, ...readDeclared(declared), title }),
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
  await printPlan(context, plan, { ...view, title: 'drift', declared: opened.declared });
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
