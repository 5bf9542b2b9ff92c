import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';

export const init = defineCommand({
  path: 'state init',
  about: 'set up the database that herald.yaml names; running it again changes nothing',
  examples: ['HERALD_STATE_URL=postgres://herald@db.example/herald herald state init'],
  needs: 'nothing',
  run: async ({ state }) => {
    const location = await state.location();
    if (location.kind !== 'postgres')
      throw new HeraldError(
        'bad-flag',
        'The state is not in a database, so it needs no setup.',
        'To use a database, add to herald.yaml: state: { postgres: "${HERALD_STATE_URL}", workspace: NAME }',
      );
    await state.setUp();
    const { workspace } = location;
    return itemResult({ workspace }, [
      shown`The database has the workspace ${workspace}.`,
      shown`Next: ${formatCommand('plan')}`,
    ]);
  },
});
