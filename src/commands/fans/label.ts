import { describeFan, labelFan, type FanLabels, type FanPlace } from '../../acts/fans.ts';
import { openService, sayService } from '../../cli/accounts.ts';
import { sendItems, type ActItem } from '../../cli/act-run.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { fanFlags, fanWord, placeFans, readFans, type TypedFan } from '../../cli/fan-list.ts';
import { lockTimeoutFlag, textFlag, yesFlag } from '../../cli/flags.ts';
import { warningLine } from '../../cli/notice.ts';
import { plainQuestion, requireAnswer, requireYes, typedQuestion } from '../../cli/question.ts';
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
  words: { fan: fanWord },
  flags: {
    name: textFlag('--name <text>', 'the name; "" removes it'),
    note: textFlag('--note <text>', 'the note; "" removes it'),
    ...fanFlags,
    yes: yesFlag,
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'nothing',
  run: async (context, given) => {
    const read = await readFans(context, given, ['name', 'note']);
    const fans = read.map((fan) => ({ ...fan, labels: readLabels(context, given, fan) }));
    requireAnswer(context, given.yes, 'This changes a label that your team sees');
    const service = await openService(context);
    const placed = await placeFans(service, fans);
    const at = sayService(context, service);
    const items = placed.map(({ place, fan }) => labelItem(context, place, fan.labels, at));
    const wanted = String(items.length);
    const question = typedQuestion(shown`Set these labels at ${at}?`, `set ${wanted} labels`, wanted);
    return sendItems(context, service, {
      command: 'fans label',
      items,
      question: given.yes ? null : question,
    });
  },
});

/** Assumed: the service shows no limit (CHAT-8), and a longer note is probably a mistake. */
const LONG_LABEL = 10_000;

/** The labels of one fan: those of the file, and those of the flags where it has none. */
function readLabels(
  { output }: Context,
  given: { readonly name: string | undefined; readonly note: string | undefined },
  { cells }: TypedFan,
): FanLabels {
  const name = cells['name'] === undefined || cells['name'] === '' ? given.name : cells['name'];
  const note = cells['note'] === undefined || cells['note'] === '' ? given.note : cells['note'];
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

function labelItem(context: Context, place: FanPlace, labels: FanLabels, at: string): ActItem {
  const { custom_name: name, note } = labels;
  const what = [
    ...(name === undefined ? [] : [`the name ${quoted(name)}`]),
    ...(note === undefined ? [] : [`the note ${quoted(note)}`]),
  ].join(' and ');
  const { account, fanId } = place;
  const about = { account: account.alias, account_id: account.accountId, fan_id: fanId, ...labels };
  const question = plainQuestion(shown`Set ${what} for ${describeFan(place)} at ${at}?`);
  const ask = () => requireYes(context, question, 'Nothing was sent.');
  return {
    account,
    title: `${describeFan(place)}: ${what}`,
    about,
    send: async (run, isAgreed) => {
      const { isConfirmed, unrecorded } = await labelFan(run, place, labels, isAgreed ? null : ask);
      if (!isConfirmed)
        context.output.fail(
          warningLine(
            'unclear-answer',
            shown`The service accepted the request, but did not answer "success: true".`,
          ),
        );
      const item = { ...about, success: isConfirmed ? true : null };
      return { item, text: shown`set ${what} for ${describeFan(place)}\n`, unrecorded };
    },
  };
}
