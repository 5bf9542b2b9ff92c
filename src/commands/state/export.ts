import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { word } from '../../cli/flags.ts';
import { formatPath } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown, visible } from '../../domain/visible.ts';
import { count } from '../../render/wording.ts';

/** The head and the foot of an export are not rows. */
const FRAME = 2;

export const exportState = defineCommand({
  path: 'state export',
  about: 'write the state to a new file',
  examples: ['herald state export state.ndjson'],
  words: { file: word('FILE') },
  needs: 'record',
  run: async ({ typed }, { file }, state) => {
    if (await typed.files.exists(file))
      throw new HeraldError('files-exist', `${visible(file)} exists already.`, 'Name a new file.');
    let lines = 0;
    const counted = async function* () {
      for await (const line of state.export()) {
        lines += 1;
        yield Buffer.from(line);
      }
    };
    await typed.files.writeAtomically(file, counted(), { isPrivate: true });
    const rows = lines - FRAME;
    const what = shown`${count(rows, 'row')} of ${state.name}`;
    return itemResult({ file, rows }, shown`Wrote ${what} to ${formatPath(file)}.`);
  },
});
