import { fileArgument, formatCommand } from '../../domain/command-line.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import { shown, visible } from '../../domain/visible.ts';
import { LIVE } from '../../library/state-access.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { leaseWait } from '../lease-wait.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The head and the foot of an export are not rows. */
const FRAME = 2;

/** `herald state export FILE`: writes all rows to a new file. Changes nothing. */
export async function stateExportCommand(context: Context, path: string): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const { typed, output } = context;
  if (await typed.files.exists(path))
    throw new HeraldError('files-exist', `${visible(path)} exists already.`, 'Name a new file.');
  const state = await context.state.read(() => LIVE);
  try {
    let lines = 0;
    const counted = async function* () {
      for await (const line of state.export()) {
        lines += 1;
        yield Buffer.from(line);
      }
    };
    await typed.files.writeAtomically(path, counted(), { isPrivate: true });
    const rows = lines - FRAME;
    output.result(
      format === 'json'
        ? renderJson({ schema: 'herald/item/1', item: { file: path, rows } })
        : shown`Wrote ${count(rows, 'row')} of ${state.name} to ${path}.\n`,
    );
    return EXIT.done;
  } finally {
    await state.close();
  }
}

/** `herald state import FILE`: reads an export into an empty state. Sends nothing. */
export async function stateImportCommand(context: Context, path: string): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const lines = await readLines(context, path);
  const state = await context.state.take(() => LIVE, { ...leaseWait(context), writesBranch: true });
  try {
    const { rows } = await context.protect(() => {
      context.onChange?.();
      return state.import({ name: path, lines });
    });
    context.output.result(
      format === 'json'
        ? renderJson({ schema: 'herald/item/1', item: { file: path, rows } })
        : shown`Imported ${count(rows, 'row')} of ${path} into ${state.name}. The next run waits for one window before it starts anything.\nNext: ${formatCommand('plan')}\n`,
    );
    return EXIT.done;
  } finally {
    await state.close();
  }
}

async function readLines({ typed }: Context, path: string): Promise<readonly string[]> {
  try {
    return (await typed.files.readText(path)).split('\n').filter((line) => line !== '');
  } catch (error) {
    throw new HeraldError(
      'state-failed',
      `Cannot read ${path}: ${fileProblem(error)}. Nothing was imported.`,
      `Make the file where the state is: ${formatCommand('state', 'export', fileArgument(path))}`,
    );
  }
}
