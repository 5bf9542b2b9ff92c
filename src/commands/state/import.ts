import { defineCommand, itemDocument } from '../../cli/define-command.ts';
import type { Context } from '../../cli/context.ts';
import { lockTimeoutFlag, word } from '../../cli/flags.ts';
import { leaseWait } from '../../cli/lease-wait.ts';
import { fileArgument, formatCommand } from '../../domain/command-line.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';
import { LIVE, withState } from '../../library/state-access.ts';
import { count } from '../../render/wording.ts';

/** Reads an export into an empty state. Sends nothing. */
export const importState = defineCommand({
  path: 'state import',
  about: 'read an exported file into an empty state: all of it, or nothing',
  examples: ['herald state import state.ndjson'],
  words: { file: word('FILE') },
  flags: { lockTimeout: lockTimeoutFlag },
  needs: 'nothing',
  run: async (context, { file }) => {
    const lines = await readLines(context, file);
    const { rows, place } = await withState(
      context.state.take(() => LIVE, { ...leaseWait(context), writesBranch: true }),
      (state) =>
        context.protect(async () => {
          context.onChange?.();
          return { ...(await state.import({ name: file, lines })), place: state.name };
        }),
    );
    return {
      json: () => itemDocument({ file, rows }),
      text: () => [
        shown`Imported ${count(rows, 'row')} of ${file} into ${place}. The next run waits for one window before it starts anything.`,
        shown`Next: ${formatCommand('plan')}`,
      ],
    };
  },
});

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
