import { defineCommand } from '../cli/define-command.ts';
import { annotateFindings, drawFindings } from '../cli/findings.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { shown } from '../domain/visible.ts';
import { loadFiles } from '../library/media.ts';

/** Checks all files. Works without a network and without a key. */
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
        const verdict = shown`Valid: ${resources ?? 0} resource${resources === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}.`;
        return [...findings, verdict];
      },
    };
  },
});
