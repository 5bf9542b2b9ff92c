import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { lockTimeoutFlag, word } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { shown } from '../../domain/visible.ts';
import { LIVE_PLACE, withState } from '../../library/state-access.ts';
import { count } from '../../render/wording.ts';

export const importState = defineCommand({
  path: 'state import',
  about: 'read an exported file into an empty state: all of it, or nothing',
  examples: ['herald state import state.ndjson'],
  words: { file: word('FILE') },
  flags: { lockTimeout: lockTimeoutFlag },
  // It repairs what a run needs, so it needs no more of herald.yaml than where the state is.
  needs: 'nothing',
  run: async (context, { file }) => {
    const text = await context.typed.files.readText(file);
    const lines = text.split('\n').filter((line) => line !== '');
    const { rows, place } = await withState(
      context.state.take(LIVE_PLACE, { ...context, command: null }),
      (state) =>
        context.protect(async () => {
          context.onChange?.();
          return { rows: await state.import({ name: file, lines }), place: state.name };
        }),
    );
    return itemResult({ file, rows }, [
      shown`Imported ${count(rows, 'row')} of ${file} into ${place}. The next run waits for one window before it starts anything.`,
      shown`Next: ${formatCommand('plan')}`,
    ]);
  },
});
