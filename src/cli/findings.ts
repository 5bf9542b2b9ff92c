import type { DiagnosticCode } from '../domain/codes.ts';
import type { Diagnostic, PrintedDiagnostic } from '../domain/diagnostic.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { formatCommand } from '../domain/command-line.ts';
import { joined, shown, type Visible, visibleLines } from '../domain/visible.ts';
import type { Context } from './context.ts';

/** `warning: code: message`, for a warning that is printed at once and has no place in a file. */
export function warningLine(code: DiagnosticCode, message: Visible): Visible {
  return joined([shown`warning: ${code}: `, message], '');
}

const FILES_MAX = 50;

/** Findings with their lines, and as annotations where the CI shows them. Loaded only if there are any. */
export async function drawFindings(
  { files, output }: Context,
  diagnostics: readonly PrintedDiagnostic[],
): Promise<Visible> {
  const { FindingList } = await import('../render/diagnostics.ts');
  const named = new Set(diagnostics.filter(({ line }) => line !== undefined).map(({ file }) => file ?? ''));
  const texts = new Map<string, readonly string[]>();
  for (const file of [...named].slice(0, FILES_MAX)) {
    const text = await files.readText(file).catch(() => null);
    // A file that cannot be read has a finding of its own.
    if (text !== null) texts.set(file, text.split(/\r?\n/));
  }
  return new FindingList(diagnostics).drawLines(output, texts);
}

/** Annotates the lines of findings. Does nothing where no CI shows them. */
export async function annotateFindings(
  { output }: Context,
  diagnostics: readonly PrintedDiagnostic[],
): Promise<void> {
  if (output.annotate === undefined || diagnostics.length === 0) return;
  const { FindingList } = await import('../render/diagnostics.ts');
  for (const annotation of new FindingList(diagnostics).toAnnotations()) output.annotate(annotation);
}

/** What an error has next to its message: findings, such as what is wrong in the files, and facts, each as `name: value`. */
export function readDetails({ details }: HeraldError) {
  const { diagnostics = [], facts = [] } = (details ?? {}) as {
    readonly diagnostics?: readonly Diagnostic[];
    readonly facts?: readonly string[];
  };
  return { diagnostics, facts };
}

/** The stack of a bug. Its message may quote the service. */
export function readStack(error: unknown): Visible {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return joined(visibleLines(text), '\n');
}

/** Prints the stack of a bug. The error says what a person does next. */
export function reportBug({ output }: Pick<Context, 'output'>, error: unknown): HeraldError {
  output.fail(readStack(error));
  const what = error instanceof Error ? error.message : String(error);
  const hint = `This is a bug in Herald. Please report the lines above. Run "${formatCommand('plan')}" to see what is live.`;
  return new HeraldError('internal-error', `Herald failed: ${what}`, hint);
}
