import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { lockTimeoutFlag, word, yesFlag } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError, interruptedError } from '../../domain/herald-error.ts';
import { quoted, shown, visibleProse } from '../../domain/visible.ts';
import { waitUntilOld } from '../../engine/run.ts';
import type { OpenRequest } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';
import { describeUnconfirmed } from './show.ts';
import { askToWrite, becauseFlag } from '../../cli/question.ts';

/** Waits for one window of the request first: what a person saw before may have changed. Sends nothing. */
export const close = defineCommand({
  path: 'state close',
  about: 'close an unconfirmed request when you know what happened to it',
  examples: [
    'herald state close 20260601T120000000Z-1a2b3c4d-2 --because "recalled, seen in the service"',
    'herald state close 20260601T120000000Z-1a2b3c4d-2 --because "the fan did not get it" --yes',
  ],
  more: 'ENTRY is shown by herald state show. Herald waits until the request can no longer take effect, and then asks.',
  words: { entry: word('ENTRY') },
  flags: { because: becauseFlag, yes: yesFlag, lockTimeout: lockTimeoutFlag },
  needs: 'lease',
  run: async (context, { entry, because, yes }, { state, settings }) => {
    const request = await findUnconfirmed(state, entry);
    const run = { ...context, settleMs: settings.service.settleSec * 1000 };
    if (!(await waitUntilOld(run, [request]))) throw interruptedError('written');
    const { what, sent_at: at, who } = describeUnconfirmed(await findUnconfirmed(state, entry));
    const text = shown`Close ${visibleProse(what)}, sent at ${at}? Check now that this is still true: ${visibleProse(because)}.`;
    await askToWrite(context, { yes, text, to: 'close it', check: 'Check it on the service' });
    // Its window is over, so nothing waits for it any more.
    const facts = [{ kind: 'window-over', entry }] as const;
    if (!(await state.end(entry, { outcome: 'closed', because }, facts))) throw unknownEntry(entry);
    return itemResult(
      { entry, what, sent_at: at, who, closed_by: context.identity.who, because },
      visibleProse(
        `Closed: ${what}, sent at ${at} by ${who ?? 'an unknown person'}. No run waits for it any more.`,
      ),
    );
  },
});

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
