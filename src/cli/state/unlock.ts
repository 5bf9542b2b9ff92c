import { formatCommand } from '../../domain/command-line.ts';
import type { LeaseRecord } from '../../domain/lease.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { openState } from './open.ts';
import { reportState } from './report.ts';

interface UnlockFlags {
  readonly yes: boolean;
  /** Also ends the lease of a run that may still be at work. */
  readonly force: boolean;
}

/** `herald state unlock`: ends a lease that its holder has left. The holder can write nothing more after that. */
export async function stateUnlockCommand(context: Context, flags: UnlockFlags): Promise<number> {
  return openState(context, async ({ state }) => {
    const lease = await state.leases.record();
    if (lease === null) {
      const words = shown`The lease is free. There is nothing to unlock.\n`;
      await reportState(context, state, { change: { did: 'unlock', holder: null }, words });
      return EXIT.done;
    }
    if (lease.life === 'alive' && !flags.force) throw stillHeld(lease);
    await agree(context, lease, flags.yes);
    context.onChange?.();
    if (!(await state.leases.end(lease)))
      throw new CommandError(
        'locked',
        'The lease changed meanwhile: its holder has ended, or another run has it now. Nothing was changed.',
        formatCommand('state', 'show'),
      );
    const words = shown`The lease is free. It was held by ${visibleProse(lease.words)}. That run can record and send nothing more.\nNext: ${formatCommand('plan')}\n`;
    await reportState(context, state, { change: { did: 'unlock', holder: lease.words }, words });
    return EXIT.done;
  });
}

function stillHeld({ words, until }: LeaseRecord): CommandError {
  const end = until === null ? '' : ` It ends at ${until} unless that run renews it.`;
  return new CommandError(
    'locked',
    `The lease is held by ${words}.${end}`,
    `Wait for that run to end, or stop it. If it cannot go on: ${formatCommand('state', 'unlock', '--force')}`,
  );
}

async function agree(context: Context, { words }: LeaseRecord, yes: boolean): Promise<void> {
  if (yes) return;
  const text = shown`End the lease of ${visibleProse(words)}? A request that it has sent may still succeed; the next plan finds out.`;
  const hint = 'Check that the run has ended, then add --yes.';
  await requireYes(context, typedQuestion(text, 'end it'), 'Nothing was changed.', hint);
}
