import type { Context } from '../context.ts';
import { shown } from '../../domain/visible.ts';
import { loadDeclared } from '../../workspace/load.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { annotateFindings, drawFindings } from '../findings.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { loadOptions } from '../../library/load-options.ts';

/** `herald validate`: checks all files. Works without a network and without a key. */
export async function validateCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const loaded = await loadDeclared(context.files, loadOptions(context));
  const valid = loaded.kind === 'loaded';
  const diagnostics = valid ? loaded.warnings : loaded.diagnostics;
  const resources = valid ? loaded.declared.length : null;
  await annotateFindings(context, diagnostics);
  if (format === 'json') {
    context.output.result(renderJson({ schema: 'herald/validate/1', valid, resources, diagnostics }));
    return valid ? EXIT.done : EXIT.failed;
  }
  if (diagnostics.length > 0) context.output.result(await drawFindings(context, diagnostics));
  if (valid) {
    const files = loaded.workspace.files.length;
    context.output.result(
      shown`Valid: ${resources ?? 0} resource${resources === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}.`,
    );
  }
  return valid ? EXIT.done : EXIT.failed;
}
