import { describeProblem, ServiceError } from '../../api/errors.ts';
import type { Context } from '../context.ts';
import type { FanId } from '../../domain/ids.ts';
import { quoted, shown } from '../../domain/visible.ts';
import { labelFan, type FanLabels, type Labelled } from '../../operations/fan-label.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, interruptedError } from '../failure.ts';
import { plainQuestion } from '../question.ts';
import { agreeTo, fanWords, withFan, type FanFlags, type FanRun } from './run.ts';
import { warningLine } from '../notice.ts';

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
  fanId: FanId,
  flags: FansLabelFlags,
): Promise<number> {
  const { name, note } = flags;
  const labels: FanLabels = {
    ...(name === undefined ? {} : { custom_name: name }),
    ...(note === undefined ? {} : { note }),
  };
  if (name === undefined && note === undefined)
    throw new CommandError('bad-flag', 'Nothing to set.', 'Give --name, --note or both.');
  for (const [label, text] of Object.entries(labels))
    if (text.length > LONG_LABEL)
      context.output.say(
        warningLine('long-label', shown`${label} has ${text.length} characters; the service may refuse it.`),
      );
  return withFan(context, fanId, flags, 'This changes a label that your team sees', async (run) => {
    const text = shown`Set ${labelWords(labels)} for ${fanWords(run.place)} at ${run.at}?`;
    await agreeTo(run, flags, plainQuestion(text));
    const earlier = { lines: run.lines, mayHideOne: run.damaged };
    return report(run, labels, await labelFan(run.ports, run.place, labels, earlier));
  });
}

function labelWords({ custom_name: name, note }: FanLabels): string {
  const words = [
    name === undefined ? null : `the name ${quoted(name)}`,
    note === undefined ? null : `the note ${quoted(note)}`,
  ];
  return words.filter((word) => word !== null).join(' and ');
}

function report(run: FanRun, labels: FanLabels, labelled: Labelled): number {
  const fan = fanWords(run.place);
  switch (labelled.kind) {
    case 'done':
      printLabelled(run, labels, labelled.confirmed);
      return EXIT.done;
    case 'denied':
      throw new CommandError(
        'label-denied',
        `The service answered that the label of ${fan} was not set (success: false).`,
        'Check the id of the fan and the account.',
      );
    case 'failed':
      throw new ServiceError(labelled.problem);
    case 'interrupted':
      throw interruptedError();
    case 'unknown':
      throw new CommandError(
        'unknown-outcome',
        `Unconfirmed: the label of ${fan} may have been set (${describeProblem(labelled.problem)}).`,
        'Run the command again; setting the same label twice is harmless. Herald cannot read labels; check on the service.',
        EXIT.unknown,
        labelled.problem,
      );
  }
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
  context.output.result(shown`set ${labelWords(labels)} for ${fanWords(place)}\n`);
}
