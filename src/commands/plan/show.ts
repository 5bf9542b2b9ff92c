import { defineCommand, PLAN_FORMATS } from '../../cli/define-command.ts';
import { word } from '../../cli/flags.ts';
import { expandFlag, pageFlag, drawPlan, writePage } from '../../cli/make-plan.ts';
import { readSealedPlan } from '../../cli/saved-plan.ts';
import { printedPlanShape } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { sealedPlanShape } from '../../plan/saved.ts';
import { readBack } from '../../page/read-back.ts';

/** Shows the plan of a page, of a saved plan, or of a JSON output. Reads only that file. */
export const show = defineCommand({
  path: 'plan show',
  about: 'show the plan of a page, of a saved plan or of a JSON output',
  examples: ['herald plan show plan.html', 'herald plan show plan.json --html plan.html'],
  formats: PLAN_FORMATS,
  words: { file: word('FILE') },
  flags: { expand: expandFlag, html: pageFlag },
  needs: 'nothing',
  run: async (context, { file, html, expand }) => {
    const text = await context.typed.files.readText(file);
    const { document, title } = readBack(text);
    // The digest of a saved plan is checked, as apply does.
    const plan = sealedPlanShape.safeParse(document).success
      ? readSealedPlan({ path: file, text }).saved.plan
      : printedPlanShape.safeParse(document).data;
    if (plan === undefined)
      throw new HeraldError(
        'bad-plan-file',
        `${file} does not hold a plan of this version of Herald.`,
        `Give a page of ${formatCommand('plan', '--html')}, a file of ${formatCommand('plan', '--out')}, or the output of --format json.`,
      );
    if (html !== undefined) await writePage(context, html, plan, title);
    return drawPlan(context, plan, { title: title === 'drift' ? 'drift' : 'plan', expand });
  },
});
