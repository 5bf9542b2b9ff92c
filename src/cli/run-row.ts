import type { WorkspaceSettings } from '../domain/workspace.ts';
import { invalidFiles } from '../library/errors.ts';
import { withState } from '../library/state-access.ts';
import { openWithoutService } from '../library/state-without-service.ts';
import { loadSettings } from '../workspace/load.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { renderJson } from '../render/json.ts';
import { openService, openServiceToRead } from './accounts.ts';
import type { Context } from './context.ts';
import type { AnyCommand, AnyResult, Drawn } from './define-command.ts';
import { workspacePorts } from './engine-ports.ts';
import { chooseFormat, REPORT_FORMATS, type Format } from './formats.ts';
import { leaseWait } from './lease-wait.ts';

type Given = Readonly<Record<string, unknown>>;

/** Opens what a command needs, runs it, and prints its result in the format that was asked for. */
export async function runRow(command: AnyCommand, context: Context, given: Given): Promise<number> {
  const format = chooseFormat(context, command.formats ?? REPORT_FORMATS);
  const run = (opened: unknown) => command.run(context, { ...given, format } as never, opened as never);
  const result = await openFor(command, context, run);
  if (typeof result === 'number') return result;
  await printResult(context, format, result);
  return result.exit ?? EXIT.done;
}

/** Prints a result. For a command that goes on after that. */
export async function printResult(context: Context, format: Format, result: Partial<Drawn>): Promise<void> {
  for (const text of [await DRAW[format](result[format] as never)].flat()) context.output.result(text);
}

type Run = (opened: unknown) => Promise<AnyResult> | AnyResult;

/** One line for each entry of `Needs`. The lease ends with the command. */
async function openFor({ needs }: AnyCommand, context: Context, run: Run): Promise<AnyResult> {
  const { state: access, files } = context;
  switch (needs) {
    case 'nothing':
      return run(null);
    case 'workspace': {
      const { openFiles } = await import('../library/open.ts');
      return run(await openFiles(workspacePorts(context)));
    }
    case 'service':
      return run(await openService(context));
    case 'reads':
      return run(await openServiceToRead(context));
    case 'state': {
      const { service } = await readSettings(context);
      return withState(
        openWithoutService((name) => access.read(name), files, service.target),
        async (state) => run(state),
      );
    }
    case 'lease': {
      const settings = await readSettings(context);
      // Nothing is sent, so a state on a git branch can be written as well.
      const wait = { ...leaseWait(context), writesBranch: true };
      return withState(
        openWithoutService((name) => access.take(name, wait), files, settings.service.target),
        (state) => context.protect(async () => run({ state, settings })),
      );
    }
  }
}

/** The settings, for a command that does not connect to the service. Throws with the errors of the workspace. */
async function readSettings({ files, env }: Pick<Context, 'files' | 'env'>): Promise<WorkspaceSettings> {
  const loaded = await loadSettings(files, { env, mayLackFile: true });
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  return loaded.settings;
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
