import { ServiceError } from '../../api/errors.ts';
import { describeFan, labelFan, type FanLabels, type Labelled } from '../../acts/labels.ts';
import type { FanId } from '../../domain/ids.ts';
import { quoted, shown } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { exitOfDone } from '../act-run.ts';
import type { Context } from '../context.ts';
import { warningLine } from '../notice.ts';
import { plainQuestion } from '../question.ts';
import { asking, withFan, type FanFlags, type FanRun } from './run.ts';
import { HeraldError } from '../../domain/herald-error.ts';

export interface FansLabelFlags extends FanFlags {
  /** Undefined leaves it unchanged; an empty text removes it. */
  readonly name: string | undefined;
  readonly note: string | undefined;
}

/** Assumed: the service shows no limit (CHAT-8), and a longer note is probably a mistake. */
const LONG_LABEL = 10_000;

/** `herald fans label`: sets the private name or note of a fan. A part that is not given stays unchanged. */
export async function fansLabelCommand(
  context: Context,
  typed: FanId,
  flags: FansLabelFlags,
): Promise<number> {
  const { name, note } = flags;
  const labels: FanLabels = {
    ...(name === undefined ? {} : { custom_name: name }),
    ...(note === undefined ? {} : { note }),
  };
  if (name === undefined && note === undefined)
    throw new HeraldError('bad-flag', 'Nothing to set.', 'Give --name, --note or both.');
  for (const [label, text] of Object.entries(labels))
    if (text.length > LONG_LABEL)
      context.output.say(
        warningLine('long-label', shown`${label} has ${text.length} characters; the service may refuse it.`),
      );
  const reason = 'This changes a label that your team sees';
  return withFan(context, { typed, flags, reason, command: 'fans label' }, async (fan) => {
    const { run, place, at } = fan;
    const question = plainQuestion(shown`Set ${labelWords(labels)} for ${describeFan(place)} at ${at}?`);
    return report(fan, labels, await labelFan(run, place, labels, asking(fan, flags, question)));
  });
}

function labelWords({ custom_name: name, note }: FanLabels): string {
  const words = [
    name === undefined ? null : `the name ${quoted(name)}`,
    note === undefined ? null : `the note ${quoted(note)}`,
  ];
  return words.filter((word) => word !== null).join(' and ');
}

function report(fan: FanRun, labels: FanLabels, labelled: Labelled): number {
  if (labelled.kind === 'failed') throw new ServiceError(labelled.problem);
  printLabelled(fan, labels, labelled.isConfirmed);
  return exitOfDone(fan.context, labelled.unrecorded);
}

function printLabelled({ context, place, format }: FanRun, labels: FanLabels, confirmed: boolean): void {
  if (!confirmed)
    context.output.fail(
      warningLine(
        'unclear-answer',
        shown`The service accepted the request, but did not answer "success: true".`,
      ),
    );
  if (format === 'json') {
    const { account, fanId } = place;
    const item = {
      account: account.alias,
      account_id: account.accountId,
      fan_id: fanId,
      ...labels,
      success: confirmed ? true : null,
    };
    context.output.result(renderJson({ schema: 'herald/item/1', item }));
    return;
  }
  context.output.result(shown`set ${labelWords(labels)} for ${describeFan(place)}\n`);
}
