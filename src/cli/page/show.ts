import { printedPlanShape, type PrintedPlan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import { planOfPage } from '../../page/read-back.ts';
import { sealedPlanShape } from '../../plan/saved.ts';
import type { PageTitle } from '../../page/words.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, PLAN_FORMATS } from '../formats.ts';
import { drawPlan } from '../resources/plan.ts';
import { readSavedPlan } from '../resources/saved-plan.ts';
import { writePage } from './write-page.ts';
import { HeraldError } from '../../domain/herald-error.ts';

export interface ShowFlags {
  readonly file: string;
  readonly html: string | undefined;
  readonly expand: boolean;
}

/** `herald plan show`: shows the plan of a page, of a saved plan, or of a JSON output. Reads only that file. */
export async function showCommand(context: Context, { file, html, expand }: ShowFlags): Promise<number> {
  const format = chooseFormat(context, PLAN_FORMATS);
  const { plan, title } = await readPlan(context, file);
  if (html !== undefined) await writePage(context, html, plan, title);
  context.output.result(
    drawPlan(context, plan, { format, title: title === 'drift' ? 'drift' : 'plan', expand }),
  );
  return EXIT.done;
}

/** The plan of a page, of a saved plan, or of a JSON output. */
export async function readPlan(
  context: Context,
  file: string,
): Promise<{ readonly plan: PrintedPlan; readonly title: PageTitle }> {
  const text = await context.typed.files.readText(file).catch((error: unknown) => {
    throw new HeraldError('bad-plan-file', `Cannot read ${file}: ${fileProblem(error)}.`, hint());
  });
  const page = planOfPage(text);
  const document = page === null ? parsed(text) : page.document;
  // Its digest is checked, as apply does.
  if (sealedPlanShape.safeParse(document).success)
    return { plan: (await readSavedPlan(context, file, undefined)).plan, title: 'plan' };
  const plan = printedPlanShape.safeParse(document);
  if (!plan.success)
    throw new HeraldError('bad-plan-file', `${file} does not hold a plan of this version of Herald.`, hint());
  return { plan: plan.data, title: page?.title ?? 'plan' };
}

function hint(): string {
  return `Give a page of ${formatCommand('plan', '--html')}, a file of ${formatCommand('plan', '--out')}, or the output of --format json.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
