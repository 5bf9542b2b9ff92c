import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { choiceFlag, textFlag } from '../../cli/flags.ts';
import { initCi } from '../../ci/init/init.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { shown } from '../../domain/visible.ts';
import { PROVIDER_NAMES } from '../../provider/job.ts';
import { VERSION } from '../../version.ts';
import type { StateSettings } from '../../workspace/workspace.ts';

const DID = { wrote: 'Wrote', updated: 'Updated', nothing: 'Nothing to change in' } as const;

function nameStatePlace(state: StateSettings): string {
  if (state === '.herald') return 'The state still needs a place that outlives a job; see below.';
  return 'postgres' in state ? 'The state is kept in the database.' : 'The state is kept on a branch.';
}

export const init = defineCommand({
  path: 'ci init',
  about: 'write the jobs for the CI of this repository; running it again updates them',
  examples: ['herald ci init', 'herald -C ads/eu ci init --provider gitlab'],
  flags: {
    provider: choiceFlag(
      '--provider <name>',
      'where the jobs run (default: found from the repository)',
      PROVIDER_NAMES,
    ),
    branch: textFlag(
      '--branch <name>',
      'the branch that is applied (default: the one that a clone starts with, or that is checked out)',
    ),
  },
  needs: 'nothing',
  run: async ({ files, repositoryFiles }, { provider: asked, branch }) => {
    const ports = { files, repository: repositoryFiles(), version: VERSION };
    const { provider, path, did, settings, state, next, isSimulated } = await initCi(ports, {
      provider: asked,
      branch,
    });
    const texts = [
      shown`${DID[did]} ${path}. Pushes to ${settings.branch} are applied. ${nameStatePlace(state)}`,
      shown`Next:`,
      ...next.map(({ do: command, why }) => shown`  ${command}\n      ${why}`),
      shown`What each job does: ${formatCommand('ci', '--help')}`,
    ];
    const result = itemResult({ provider, path, changed: did !== 'nothing', next }, texts);
    return { ...result, exit: isSimulated ? EXIT.blocked : EXIT.done };
  },
});
