import { defineCommand } from '../cli/define-command.ts';
import { driftExit } from '../cli/exit-of.ts';
import { PLAN_FORMATS } from '../cli/formats.ts';
import { makeDrift } from '../cli/make-plan.ts';
import { expandFlag, pageFlag, targetFlags } from '../cli/plan-flags.ts';
import { printPlan } from '../cli/plan-output.ts';

/** Shows differences between live and the files. Sends only reads. */
export const drift = defineCommand({
  path: 'drift',
  about: 'show differences between live and the files; exit 2 if there are any',
  examples: ['herald drift', 'herald drift --format json', "herald drift --target 'alice/campaign/Welcome*'"],
  formats: PLAN_FORMATS,
  flags: { ...targetFlags, expand: expandFlag, html: pageFlag },
  needs: 'workspace',
  run: async (context, { format, html, expand, ...targeting }, opened) => {
    const { declared } = opened;
    const contents = format === 'json' || html !== undefined;
    const plan = await makeDrift(context, opened, { targeting, contents });
    await printPlan(context, format, plan, { title: 'drift', expand, declared, html });
    return driftExit(plan);
  },
});
