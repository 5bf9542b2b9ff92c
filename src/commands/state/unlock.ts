import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { yesFlag } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { askToWrite } from '../../cli/question.ts';

/** Ends the lease of a run that is gone. That run can record and start nothing more. */
export const unlock = defineCommand({
  path: 'state unlock',
  about: 'end the lease of a run that is gone',
  examples: ['herald state unlock', 'herald state unlock --yes'],
  flags: { yes: yesFlag },
  needs: 'record',
  run: async (context, { yes }, state) => {
    const isFile = (await context.state.location()).kind === 'sqlite';
    const nothing = isFile
      ? shown`No lease is on record. If a command says that another run is active, end its process: the lease of a file ends with it.`
      : shown`The lease is free. There is nothing to unlock.`;
    const lease = await state.leaseRecord();
    if (lease === null) return itemResult({ holder: null }, nothing);
    const text = shown`End the lease of ${visibleProse(lease.holder)}? A request that it has sent may still take effect, so the next run waits before it starts anything.`;
    await askToWrite(context, { yes, text, to: 'end it', check: 'Check that the run has ended' });
    const holder = await context.state.unlock();
    if (holder === null) return itemResult({ holder }, nothing);
    const process = isFile
      ? ' If its process still exists, end it, too: other runs wait for it until then.'
      : '';
    return itemResult({ holder }, [
      shown`The lease of ${visibleProse(holder)} has ended: that run can start nothing more.${process} The next run waits for one window before it starts anything.`,
      shown`Next: ${formatCommand('plan')}`,
    ]);
  },
});
