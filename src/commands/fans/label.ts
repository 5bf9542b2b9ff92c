import { type FanLabels, describeFan, labelFan } from '../../acts/fans.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { type FanAct, type TypedFan, fanFlags, fanWords, sendToFans } from '../../cli/fans.ts';
import { textFlag } from '../../cli/flags.ts';
import { warningLine } from '../../cli/findings.ts';
import { plainQuestion, typedQuestion } from '../../cli/question.ts';
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
      reason: 'This changes a label that your team sees',
      columns: ['name', 'note'],
      prepare: (cells) => labelOne(readLabels(context, given, cells)),
      askForAll: (wanted, at) =>
        typedQuestion(shown`Set these labels at ${at}?`, `set ${wanted} labels`, wanted),
    }),
});

/** Assumed: the service shows no limit (CHAT-8), and a longer note is probably a mistake. */
const LONG_LABEL = 10_000;

/** The labels of one fan: those of the file, and those of the flags where it has none. */
function readLabels(
  { output }: Context,
  given: { readonly name: string | undefined; readonly note: string | undefined },
  cells: TypedFan['cells'],
): FanLabels {
  const [name, note] = (['name', 'note'] as const).map((part) => (cells[part] ?? '') || given[part]);
  if (name === undefined && note === undefined)
    throw new HeraldError('bad-flag', 'Nothing to set.', 'Give --name, --note or both.');
  const labels = {
    ...(name === undefined ? {} : { custom_name: name }),
    ...(note === undefined ? {} : { note }),
  };
  for (const [member, text] of Object.entries(labels))
    if (text.length > LONG_LABEL)
      output.say(
        warningLine('long-label', shown`${member} has ${text.length} characters; the service may refuse it.`),
      );
  return labels;
}

function labelOne(labels: FanLabels): FanAct {
  const { custom_name: name, note } = labels;
  const what = [
    ...(name === undefined ? [] : [`the name ${quoted(name)}`]),
    ...(note === undefined ? [] : [`the note ${quoted(note)}`]),
  ].join(' and ');
  return {
    about: labels,
    title: (fan) => `${fan}: ${what}`,
    askForOne: (fan, at) => plainQuestion(shown`Set ${what} for ${fan} at ${at}?`),
    send: async (run, place) => {
      const { success, unrecorded } = await labelFan(run, place, labels);
      return { item: { success }, text: shown`set ${what} for ${describeFan(place)}\n`, unrecorded };
    },
  };
}
