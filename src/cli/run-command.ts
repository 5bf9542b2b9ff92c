import { HeraldError } from '../domain/herald-error.ts';
import type { Context } from './context.ts';
import { formatCommand } from '../domain/command-line.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import { renderJson } from '../render/json.ts';
import { annotateFindings, diagnosticsIn, drawFindings, factsIn } from './findings.ts';
import { toHeraldError, readStack } from './failure-of.ts';

/**
 * Runs a command and returns its exit code. A failure is printed in the chosen format. Any other error is a bug, and
 * its stack goes to stderr.
 */
export async function runCommand(
  context: Context,
  command: (context: Context) => number | Promise<number>,
): Promise<number> {
  try {
    return await command(context);
  } catch (error) {
    const failure = toHeraldError(error) ?? reportBug(context, error);
    context.output.progress('');
    await annotateFindings(context, diagnosticsIn(failure));
    if (context.flags.format === 'json') reportJson(context, failure);
    else await reportText(context, failure);
    return failure.exit;
  }
}

/** Prints the stack of a bug. The error says what a person does next. */
export function reportBug(context: Context, error: unknown): HeraldError {
  context.output.fail(readStack(error));
  const hint = `This is a bug in Herald. Please report the lines above. Run "${formatCommand('plan')}" to see what is live.`;
  return new HeraldError(
    'internal-error',
    `Herald failed: ${error instanceof Error ? error.message : String(error)}`,
    hint,
  );
}

function reportJson(context: Context, { code, message, hint, details }: HeraldError): void {
  context.output.result(renderJson({ schema: 'herald/error/1', code, message, hint, details }));
}

async function reportText(context: Context, failure: HeraldError): Promise<void> {
  const { message, hint } = failure;
  const diagnostics = diagnosticsIn(failure);
  if (diagnostics.length > 0) context.output.fail(await drawFindings(context, diagnostics));
  // The service or a gateway may have written parts of it, so control characters are escaped.
  const { formatTimesIn } = await import('../render/values.ts');
  context.output.fail(shown`error: ${visibleProse(formatTimesIn(message, null))}`);
  for (const fact of factsIn(failure)) context.output.fail(shown`  ${visibleProse(fact)}`);
  if (hint !== null) context.output.fail(visibleProse(hint));
}
