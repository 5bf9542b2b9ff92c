import { defineCommand } from '../cli/define-command.ts';
import { driftExit } from '../cli/exit-of.ts';
import { PLAN_FORMATS } from '../cli/formats.ts';
import { lookForDrift } from '../cli/look-for-drift.ts';
import { expandFlag, pageFlag, readTargets, targetFlags } from '../cli/plan-flags.ts';
import { drawPlan, publishPlan } from '../cli/plan-output.ts';

/** Shows differences between live and the files. Sends only reads. */
export const drift = defineCommand({
  path: 'drift',
  about: 'show differences between live and the files; exit 2 if there are any',
  examples: ['herald drift', 'herald drift --format json', "herald drift --target 'alice/campaign/Welcome*'"],
  formats: PLAN_FORMATS,
  flags: { ...targetFlags, expand: expandFlag, html: pageFlag },
  needs: 'workspace',
  run: async (context, { format, html, expand, ...given }, opened) => {
    const { declared, workspace } = opened;
    const targeting = readTargets(given, workspace);
    const contents = format === 'json' || html !== undefined;
    const plan = await lookForDrift(context, opened, { targeting, contents });
    await publishPlan(context, plan, { title: 'drift', declared, html });
    return { ...drawPlan(context, plan, { title: 'drift', expand, declared }), exit: driftExit(plan) };
  },
});
