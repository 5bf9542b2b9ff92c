import { defineCommand } from '../cli/define-command.ts';
import { annotateFindings, drawFindings } from '../cli/findings.ts';
import { EXIT } from '../domain/exit-codes.ts';
import type { Declared } from '../domain/resource.ts';
import { isDeclaredToSend } from '../domain/status.ts';
import { shown, type Visible } from '../domain/visible.ts';
import { loadFiles } from '../library/media.ts';
import { isToBeSent } from '../policy/check.ts';
import { count } from '../render/wording.ts';

export const validate = defineCommand({
  path: 'validate',
  about: 'check all files; works offline',
  examples: ['herald validate --format json'],
  needs: 'nothing',
  run: async (context) => {
    const loaded = await loadFiles(context);
    const valid = loaded.kind === 'loaded';
    const diagnostics = valid ? loaded.warnings : loaded.diagnostics;
    const resources = valid ? loaded.declared.length : null;
    await annotateFindings(context, diagnostics);
    return {
      exit: valid ? EXIT.done : EXIT.failed,
      json: () => ({ schema: 'herald/validate/1', valid, resources, diagnostics }),
      text: async () => {
        const findings = diagnostics.length === 0 ? [] : [await drawFindings(context, diagnostics)];
        if (!valid) return findings;
        const files = loaded.workspace.files.length;
        const verdict = shown`Valid: ${count(loaded.declared.length, 'resource')} in ${count(files, 'file')}.`;
        return [...findings, verdict, ...notePast(loaded.declared, context.clock.now())];
      },
    };
  },
});

/** A year may be mistyped. Whether they were sent at their time, only the service knows. */
function notePast(declared: readonly Declared[], nowMs: number): readonly Visible[] {
  const past = declared.filter((one) => isDeclaredToSend(one) && !isToBeSent(one, nowMs));
  if (past.length === 0) return [];
  const what = count(past.length, 'broadcast is', 'broadcasts are');
  return [shown`${what} scheduled in the past, so Herald does not send what was not sent by now.`];
}
