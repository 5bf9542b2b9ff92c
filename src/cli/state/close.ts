import { formatCommand } from '../../domain/command-line.ts';
import { quoted, shown, visibleProse } from '../../domain/visible.ts';
import { waitUntilOld } from '../../engine/run.ts';
import { renderJson } from '../../render/json.ts';
import type { OpenRequest } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { runPorts } from '../reporter.ts';
import { changingState, readReason } from './open.ts';
import { describeUnconfirmed } from './unconfirmed.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/**
 * `herald state close ENTRY`: a person has found out how a request ended. It waits for one window of the request first: what a
 * person saw before that may have changed, and nothing waits for this request any more. Sends nothing.
 */
export async function stateCloseCommand(
  context: Context,
  entry: string,
  flags: { readonly because: string; readonly yes: boolean },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const because = readReason(flags.because);
  const { what, sent_at, who } = await changingState(context, async (state, { service }) => {
    const request = await findUnconfirmed(state, entry);
    const run = { ...runPorts(context), settleMs: service.settleSec * 1000 };
    if (!(await waitUntilOld(run, [request])))
      throw new HeraldError('interrupted', 'Interrupted; nothing was closed.', null, {
        exit: EXIT.interrupted,
      });
    const described = describeUnconfirmed(await findUnconfirmed(state, entry));
    if (!flags.yes) {
      const text = shown`Close ${visibleProse(described.what)}, sent at ${described.sent_at}? Check now that this is still true: ${visibleProse(because)}.`;
      const hint = 'Check it on the service, then add --yes.';
      await requireYes(context, typedQuestion(text, 'close it'), 'Nothing was written.', hint);
    }
    context.onChange?.();
    if (!(await state.closeRequest(entry, because))) throw unknownEntry(entry);
    return described;
  });
  const item = { entry, what, sent_at, who, closed_by: context.identity.who, because };
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item })
      : visibleProse(
          `Closed: ${what}, sent at ${sent_at} by ${who ?? 'an unknown person'}. No run waits for it any more.`,
        ),
  );
  return EXIT.done;
}

async function findUnconfirmed(state: State, entry: string): Promise<OpenRequest> {
  const found = (await state.open()).find((one) => one.entry === entry && one.outcome === null);
  if (found === undefined) throw unknownEntry(entry);
  return found;
}

function unknownEntry(entry: string): HeraldError {
  return new HeraldError(
    'unknown-entry',
    `No unconfirmed request has the entry ${quoted(entry)}.`,
    `To list unconfirmed requests: ${formatCommand('state', 'show')}`,
  );
}
