import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { lockTimeoutFlag, requiredFlag, word } from '../../cli/flags.ts';
import { readPast } from '../../cli/instant-range.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown, visible } from '../../domain/visible.ts';
import { leaseWait, LIVE, withState } from '../../library/state-access.ts';
import { count } from '../../render/wording.ts';

/** Creates the tables of the state database, and adds the workspace. */
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

/** The head and the foot of an export are not rows. */
const FRAME = 2;

/** Writes all rows to a new file. Changes nothing. */
export const exportState = defineCommand({
  path: 'state export',
  about: 'write the state to a new file',
  examples: ['herald state export state.ndjson'],
  words: { file: word('FILE') },
  needs: 'nothing',
  run: async ({ state: access, typed }, { file }) => {
    if (await typed.files.exists(file))
      throw new HeraldError('files-exist', `${visible(file)} exists already.`, 'Name a new file.');
    return withState(
      access.read(() => LIVE),
      async (state) => {
        let lines = 0;
        const counted = async function* () {
          for await (const line of state.export()) {
            lines += 1;
            yield Buffer.from(line);
          }
        };
        await typed.files.writeAtomically(file, counted(), { isPrivate: true });
        const rows = lines - FRAME;
        return itemResult({ file, rows }, shown`Wrote ${count(rows, 'row')} of ${state.name} to ${file}.`);
      },
    );
  },
});

/** Reads an export into an empty state. Sends nothing. */
export const importState = defineCommand({
  path: 'state import',
  about: 'read an exported file into an empty state: all of it, or nothing',
  examples: ['herald state import state.ndjson'],
  words: { file: word('FILE') },
  flags: { lockTimeout: lockTimeoutFlag },
  needs: 'nothing',
  run: async (context, { file }) => {
    const text = await context.typed.files.readText(file);
    const lines = text.split('\n').filter((line) => line !== '');
    const { rows, place } = await withState(
      context.state.take(() => LIVE, { ...leaseWait(workspacePorts(context)), writesBranch: true }),
      (state) =>
        context.protect(async () => {
          context.onChange?.();
          return { rows: await state.import({ name: file, lines }), place: state.name };
        }),
    );
    return itemResult({ file, rows }, [
      shown`Imported ${count(rows, 'row')} of ${file} into ${place}. The next run waits for one window before it starts anything.`,
      shown`Next: ${formatCommand('plan')}`,
    ]);
  },
});

/** Much longer than the time in which an ended request still matters, on any two clocks. */
const KEPT_MS = 7 * 86_400_000;

/** Deletes requests that ended before a time. Sends nothing. */
export const prune = defineCommand({
  path: 'state prune',
  about: 'delete requests that ended long ago; what is known of objects stays',
  examples: ['herald state prune --before 180d', 'herald state prune --before 2026-01-01 --format json'],
  flags: {
    before: requiredFlag('--before <time>', 'a date, a time, or an age such as 180d; at least a week ago'),
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'lease',
  run: async (context, { before: written }, { state }) => {
    const nowMs = context.clock.now();
    const before = readPast('--before', written, nowMs, formatCommand('state', 'prune', '--before', '180d'));
    if (nowMs - Date.parse(before) < KEPT_MS)
      throw new HeraldError(
        'bad-flag',
        `--before ${written} is less than a week ago. Requests that may still matter must stay in the state.`,
        `Use 7d or more: ${formatCommand('state', 'prune', '--before', '7d')}`,
      );
    context.onChange?.();
    const deleted = await state.prune(Date.parse(before));
    return itemResult(
      { before, deleted },
      shown`Deleted ${count(deleted, 'request')} that ended before ${before}. What is known of objects stays.`,
    );
  },
});
