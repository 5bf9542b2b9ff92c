import { EXIT } from '../domain/exit-codes.ts';
import { renderJson } from '../render/json.ts';
import type { Context } from './context.ts';
import type { AnyCommand, Drawn, Reports } from './define-command.ts';
import { chooseFormat, REPORT_FORMATS } from './formats.ts';

type Given = Readonly<Record<string, unknown>>;

/** Opens what a command needs, runs it, and prints its result in the format that was asked for. */
export async function runRow(command: AnyCommand, context: Context, given: Given): Promise<number> {
  const format = chooseFormat(context, command.formats ?? REPORT_FORMATS);
  const run = (opened: unknown) => command.run(context, { ...given, format } as never, opened as never);
  const result = await (command.needs === 'nothing'
    ? run(null)
    : (await import('./open-needs.ts')).openFor(command, context, run));
  if (typeof result === 'number') return result;
  // A list has printed itself: its type has no entry for its formats.
  await printResult(context, format as keyof Reports, result);
  return result.exit ?? EXIT.done;
}

/** Prints a result. For a command that goes on after that. */
export async function printResult(
  context: Context,
  format: keyof Reports,
  result: Partial<Drawn>,
): Promise<void> {
  for (const text of [await DRAW[format](result[format] as never)].flat()) context.output.result(text);
}

/** One entry for each format of a report. */
const DRAW: { readonly [Name in keyof Reports]: (draw: Reports[Name]) => ReturnType<Reports['text']> } = {
  text: (drawText) => drawText(),
  json: (makeDocument) => renderJson(makeDocument()),
  markdown: (drawMarkdown) => drawMarkdown(),
};
