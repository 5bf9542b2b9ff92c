import type { Plan } from '../../domain/change.ts';
import { shown } from '../../domain/visible.ts';
import type { PageTitle } from '../../page/words.ts';
import type { Context } from '../context.ts';
import { picturesOf } from '../../page/pictures.ts';
import { writeReport } from '../write-report.ts';

/** Writes a plan as a page, whole or not at all, and says where it is. */
export async function writePage(context: Context, file: string, plan: Plan, title: PageTitle): Promise<void> {
  const { renderPlanPage } = await import('../../page/page.tsx');
  const html = renderPlanPage(plan, { title, pictures: await picturesOf(context.bytes, plan) });
  await writeReport(context, file, html);
  context.output.say(shown`Page written to ${file}.`);
}
