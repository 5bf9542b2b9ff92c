import { formatCommand } from '../../domain/command-line.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { LIVE, withState } from '../../library/state-access.ts';
import { renderJson } from '../../render/json.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { requireYes, typedQuestion } from '../question.ts';

/** `herald state unlock`: ends the lease of a run that is gone. That run can record and start nothing more. */
export async function stateUnlockCommand(
  context: Context,
  { yes }: { readonly yes: boolean },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const current = await readHolder(context);
  if (current !== null && !yes) {
    const text = shown`End the lease of ${visibleProse(current)}? A request that it has sent may still take effect, so the next run waits before it starts anything.`;
    const hint = 'Check that the run has ended, then add --yes.';
    await requireYes(context, typedQuestion(text, 'end it'), 'Nothing was changed.', hint);
  }
  if (current !== null) context.onChange?.();
  const holder = current === null ? null : await context.state.unlock();
  const words =
    holder === null
      ? shown`The lease is free. There is nothing to unlock.\n`
      : shown`The lease is free. It was held by ${visibleProse(holder)}. The next run waits for one window before it starts anything.\nNext: ${formatCommand('plan')}\n`;
  context.output.result(
    format === 'json' ? renderJson({ schema: 'herald/item/1', item: { holder } }) : words,
  );
  return EXIT.done;
}

async function readHolder({ state: access }: Context): Promise<string | null> {
  const lease = await withState(
    access.read(() => LIVE),
    (state) => state.leaseRecord(),
  );
  return lease?.holder ?? null;
}
