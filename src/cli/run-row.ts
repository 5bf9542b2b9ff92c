import { EXIT } from '../domain/exit-codes.ts';
import { renderJson } from '../render/json.ts';
import type { Context } from './context.ts';
import type { AnyCommand, Drawn } from './define-command.ts';
import { chooseFormat, REPORT_FORMATS, type Format } from './formats.ts';

type Given = Readonly<Record<string, unknown>>;

/** Opens what a command needs, runs it, and prints its result in the format that was asked for. */
export async function runRow(command: AnyCommand, context: Context, given: Given): Promise<number> {
  const format = chooseFormat(context, command.formats ?? REPORT_FORMATS);
  const run = (opened: unknown) => command.run(context, { ...given, format } as never, opened as never);
  const result = await (command.needs === 'nothing'
    ? run(null)
    : (await import('./open-needs.ts')).openFor(command, context, run));
  if (typeof result === 'number') return result;
  await printResult(context, format, result);
  return result.exit ?? EXIT.done;
}

/** Prints a result. For a command that goes on after that. */
export async function printResult(context: Context, format: Format, result: Partial<Drawn>): Promise<void> {
  for (const text of [await DRAW[format](result[format] as never)].flat()) context.output.result(text);
}

/** One entry for each format. Lists print their rows themselves. */
const DRAW: { readonly [Name in Format]: (draw: Drawn[Name]) => ReturnType<Drawn['text']> } = {
  text: (drawText) => drawText(),
  json: (makeDocument) => renderJson(makeDocument()),
  markdown: (drawMarkdown) => drawMarkdown(),
  table: (never) => never,
  ndjson: (never) => never,
  csv: (never) => never,
};
