import type { Plan, PrintedPlan } from '../domain/change.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import { shown, type Visible } from '../domain/visible.ts';
import type { PageTitle } from '../page/words.ts';
import { renderPlanMarkdown } from '../render/plan-markdown.ts';
import { renderPlanText, type PlanTextStyle } from '../render/plan-text.ts';
import type { Context } from './context.ts';
import type { Reports } from './define-command.ts';
import { annotateFindings } from './findings.ts';
import type { PlanFormat } from './formats.ts';
import { printResult } from './run-command.ts';
import { writeReport } from './saved-plan.ts';

interface PlanView {
  readonly title?: 'plan' | 'drift';
  /** Shows each change on its own. */
  readonly expand?: boolean;
  /** Resources of the files, for the time zones that they declare. */
  readonly declared?: readonly Declared[];
  /** Set if the result of an apply follows. */
  readonly isBeforeResult?: boolean;
  /** Set if people agreed to it before. */
  readonly isAgreed?: boolean;
}

/** A plan in each of its formats. */
export function drawPlan(
  context: Context,
  plan: PrintedPlan,
  view: Omit<PlanView, 'isBeforeResult' | 'isAgreed'>,
): Pick<Reports, PlanFormat> {
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
  { declared = [], ...view }: PlanView = {},
): Visible {
  return renderPlanText(plan, { title: 'plan', ...view, ...readDeclared(declared), colour, width });
}

/** What a plan does not have of the files: the time zones by address, and the variables that texts name by account. */
export function readDeclared(declared: readonly Declared[]): Pick<PlanTextStyle, 'zones' | 'variables'> {
  const variables: Record<string, Record<string, string>> = {};
  for (const { address, written } of declared) {
    const text = JSON.stringify([written?.messages, written?.audience_filters]);
    for (const [name, value] of written?.variables ?? [])
      if (text.includes(`{{${name}}}`)) (variables[address.account] ??= {})[name] = value;
  }
  return { zones: listZones(declared), ...(declared.length === 0 ? {} : { variables }) };
}

/** The declared time zones, by address. */
export function listZones(declared: readonly Declared[]): ReadonlyMap<string, string> {
  return new Map(
    declared.flatMap(({ address, timezone }) =>
      timezone === null ? [] : [[formatAddress(address), timezone] as const],
    ),
  );
}

/** Prints a plan, annotates the lines of its findings where a CI shows them, and draws the page of `--html`. */
export async function printPlan(
  context: Context,
  format: PlanFormat,
  plan: PrintedPlan,
  view: PlanView & Required<Pick<PlanView, 'title' | 'declared'>> & { readonly html?: string | undefined },
): Promise<void> {
  if (view.html !== undefined) await writePage(context, view.html, plan, view.title);
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
  context.output.say(shown`Page written to ${file}.`);
}
