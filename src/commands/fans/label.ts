import { type FanLabels, labelFan } from '../../acts/fans.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { type Cells, fanFlags, fanWords, sendToFans } from '../../cli/fans.ts';
import { textFlag } from '../../cli/flags.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { quoted, shown } from '../../domain/visible.ts';

/** Sets the private name or note of fans. A part that is not given stays unchanged. */
export const label = defineCommand({
  path: 'fans label',
  about: "set a fan's private name or note",
  examples: [
    'herald fans label 101001 --account alice --name "Tom" --yes',
    'herald fans label 101001 --account alice --note "" --yes',
    'herald fans label --from-file fans.csv --account alice',
  ],
  more: 'A CSV file may have the columns name and note. An empty cell leaves it to --name and --note.',
  words: fanWords,
  flags: {
    name: textFlag('--name <text>', 'the name; "" removes it'),
    note: textFlag('--note <text>', 'the note; "" removes it'),
    ...fanFlags,
  },
  needs: 'nothing',
  run: (context, given) =>
    sendToFans(context, given, {
      command: 'fans label',
      warning: 'This changes what your team sees.',
      columns: ['name', 'note'],
      makeItem: (place, fan, cells) => {
        const labels = readLabels(given, cells);
        const { findDone, send } = labelFan(place, labels);
        const { custom_name: name, note } = labels;
        const parts = [
          ...(name === undefined ? [] : [`the name ${quoted(name)}`]),
          ...(note === undefined ? [] : [`the note ${quoted(note)}`]),
        ];
        const what = `${parts.join(' and ')} for ${fan}`;
        return {
          title: `Set ${what}`,
          about: { fan_id: place.fanId, ...labels },
          findDone,
          send: async (run) => {
            const { unrecorded } = await send(run);
            return { item: { success: true }, text: shown`set ${what}\n`, unrecorded };
          },
        };
      },
    }),
});

/** The labels of one fan: those of the file, and those of the flags where it has none. */
function readLabels(
  given: { readonly name: string | undefined; readonly note: string | undefined },
  cells: Cells,
): FanLabels {
  const [name, note] = (['name', 'note'] as const).map((part) => (cells[part] ?? '') || given[part]);
  if (name === undefined && note === undefined)
    throw new HeraldError('bad-flag', 'Nothing to set.', 'Give --name, --note or both.');
  return {
    ...(name === undefined ? {} : { custom_name: name }),
    ...(note === undefined ? {} : { note }),
  };
}
