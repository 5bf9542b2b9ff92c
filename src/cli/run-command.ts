import type { Context } from './context.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { ErrorCode } from '../domain/error-codes.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import { renderJson } from '../render/json.ts';
import { annotateFindings, drawFindings } from './findings.ts';
import { stackOf, type Failure } from './failure.ts';

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
    // The error classes are loaded only when an error occurs.
    const { failureOf } = await import('./failure-of.ts');
    const failure = failureOf(error) ?? bug(context, error);
    context.output.progress('');
    await annotateFindings(context, diagnosticsIn(failure.details));
    if (context.flags.format === 'json') reportJson(context, failure);
    else await reportText(context, failure);
    return failure.exitCode;
  }
}

function bug(context: Context, error: unknown): Failure {
  context.output.fail(stackOf(error));
  return {
    exitCode: 1,
    code: 'internal-error' satisfies ErrorCode,
    message: `Herald failed: ${error instanceof Error ? error.message : String(error)}`,
    hint: `This is a bug in Herald. Please report the lines above. Run "${formatCommand('plan')}" to see what is live.`,
    details: null,
  };
}

function reportJson(context: Context, { code, message, hint, details }: Failure): void {
  context.output.result(renderJson({ schema: 'herald/error/1', code, message, hint, details }));
}

async function reportText(context: Context, { message, hint, details }: Failure): Promise<void> {
  const diagnostics = diagnosticsIn(details);
  if (diagnostics.length > 0) context.output.fail(await drawFindings(context, diagnostics));
  // The service or a gateway may have written parts of it, so control characters are escaped.
  const { timesInProse } = await import('../render/time-words.ts');
  context.output.fail(shown`error: ${visibleProse(timesInProse(message, null))}`);
  if (hint !== null) context.output.fail(visibleProse(hint));
}

function diagnosticsIn(details: unknown): readonly Diagnostic[] {
  if (typeof details !== 'object' || details === null || !('diagnostics' in details)) return [];
  return details.diagnostics as readonly Diagnostic[];
}
