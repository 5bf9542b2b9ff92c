import { defineCommand, PLAN_FORMATS } from '../cli/define-command.ts';
import { planFlags, printDrift } from '../cli/make-plan.ts';

/** Shows differences between live and the files. Sends only reads. */
export const drift = defineCommand({
  path: 'drift',
  about: 'show differences between live and the files; exit 2 if there are any',
  examples: ['herald drift', 'herald drift --format json', "herald drift --target 'alice/campaign/Welcome*'"],
  formats: PLAN_FORMATS,
  flags: planFlags,
  needs: 'workspace',
  run: async (context, given, opened) =>
    (await printDrift(context, opened, { ...given, targeting: given })).exit,
});
