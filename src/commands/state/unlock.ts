import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { yesFlag } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { LIVE_PLACE, withState } from '../../library/state-access.ts';
import { askToWrite } from '../../cli/question.ts';

/** Ends the lease of a run that is gone. That run can record and start nothing more. */
export const unlock = defineCommand({
  path: 'state unlock',
  about: 'end the lease of a run that is gone',
  examples: ['herald state unlock', 'herald state unlock --yes'],
  flags: { yes: yesFlag },
  needs: 'nothing',
  run: async (context, { yes }) => {
    const lease = await withState(context.state.read(LIVE_PLACE), (state) => state.leaseRecord());
    if (lease === null) return itemResult({ holder: null }, NOTHING_TO_UNLOCK);
    const text = shown`End the lease of ${visibleProse(lease.holder)}? A request that it has sent may still take effect, so the next run waits before it starts anything.`;
    await askToWrite(context, { yes, text, to: 'end it', check: 'Check that the run has ended' });
    const holder = await context.state.unlock();
    if (holder === null) return itemResult({ holder }, NOTHING_TO_UNLOCK);
    return itemResult({ holder }, [
      shown`The lease is free. It was held by ${visibleProse(holder)}. The next run waits for one window before it starts anything.`,
      shown`Next: ${formatCommand('plan')}`,
    ]);
  },
});

const NOTHING_TO_UNLOCK = shown`The lease is free. There is nothing to unlock.`;
