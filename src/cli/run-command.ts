import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError, toHeraldError } from '../domain/herald-error.ts';
import { ReaderGoneError } from '../domain/ports.ts';
import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { renderJson } from '../render/json.ts';
import type { Context, Surroundings } from './context.ts';
import type { AnyCommand, Reports } from './define-command.ts';
import { annotateFindings, drawFindings, readDetails, warningLine, readStack } from './findings.ts';
import { chooseFormat, REPORT_FORMATS } from './formats.ts';
import { makeRunPorts } from './run-ports.ts';

/** The words and flags of a command, as the command line has them. */
export type Given = Readonly<Record<string, unknown>>;

/** Runs a command and returns its exit code. What its result does not tell, because the state could not be closed, comes after it. */
export async function runCommand(command: AnyCommand, around: Surroundings, given: Given): Promise<number> {
  const unclosed: HeraldError[] = [];
  const ports = makeRunPorts(around);
  const report: Context['report'] = (event) =>
    event.kind === 'unclosed' ? void unclosed.push(event.error) : ports.report(event);
  const exit = await runAndPrint(command, { ...around, ...ports, report }, given);
  for (const { message, hint } of unclosed)
    around.output.fail(
      warningLine(
        'not-on-record',
        shown`The state could not be closed, so it may still be locked, or miss this run: ${visibleProse(message)} ${visibleProse(hint ?? '')}`,
      ),
    );
  return exit === EXIT.done && unclosed.length > 0 ? EXIT.partly : exit;
}

/**
 * Prints the result, or the error, in the chosen format. JSON is one document, so an error after a result goes to stderr in words. Any
 * other error is a bug, and its stack goes to stderr.
 */
async function runAndPrint(command: AnyCommand, outer: Context, given: Given): Promise<number> {
  let isPrinted = false;
  const result = (text: Visible) => {
    isPrinted = true;
    outer.output.result(text);
  };
  const context = { ...outer, output: { ...outer.output, result } };
  try {
    const format = chooseFormat(context, command.formats ?? REPORT_FORMATS);
    const run = (opened: unknown) => command.run(context, { ...given, format } as never, opened as never);
    // Loaded only for a command that needs something.
    const ended = await (command.needs === 'nothing'
      ? run(null)
      : (await import('./open-needs.ts')).openFor(command.needs, context, run));
    if (typeof ended === 'number') return ended;
    // A list has printed itself: its type has no entry for its formats.
    await printResult(context, format as keyof Reports, ended);
    return ended.exit ?? EXIT.done;
  } catch (error) {
    // A reader that closes the pipe, as `| head` does, has all that it wanted.
    if (error instanceof ReaderGoneError) return EXIT.done;
    const failure = toHeraldError(error) ?? reportBug(context, error);
    context.output.progress('');
    await annotateFindings(context, readDetails(failure).diagnostics);
    if (context.flags.format === 'json' && !isPrinted)
      context.output.result(renderJson(describeError(failure)));
    else await reportText(context, failure);
    return failure.exit;
  }
}

/** `herald/error/1`. */
export function describeError({ code, message, hint, details }: HeraldError): unknown {
  return { schema: 'herald/error/1', code, message, hint, details };
}

/** Prints a result. For a command that goes on after that. */
export async function printResult(
  { output }: Context,
  format: keyof Reports,
  result: Partial<Reports>,
): Promise<void> {
  const texts = format === 'json' ? renderJson(result.json?.()) : await result[format]?.();
  for (const text of [texts ?? []].flat()) output.result(text);
}

/** Prints the stack of a bug. The error says what a person does next. */
export function reportBug(context: Context, error: unknown): HeraldError {
  context.output.fail(readStack(error));
  const what = error instanceof Error ? error.message : String(error);
  const hint = `This is a bug in Herald. Please report the lines above. Run "${formatCommand('plan')}" to see what is live.`;
  return new HeraldError('internal-error', `Herald failed: ${what}`, hint);
}

async function reportText(context: Context, failure: HeraldError): Promise<void> {
  const { message, hint } = failure;
  const { diagnostics, facts } = readDetails(failure);
  if (diagnostics.length > 0) context.output.fail(await drawFindings(context, diagnostics));
  const { formatTimesIn } = await import('../render/values.ts');
  // The service or a gateway may have written parts of it, so control characters are escaped.
  context.output.fail(shown`error: ${visibleProse(formatTimesIn(message, null))}`);
  for (const fact of facts) context.output.fail(shown`  ${visibleProse(fact)}`);
  if (hint !== null) context.output.fail(visibleProse(hint));
}
