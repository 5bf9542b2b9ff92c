import type { Context } from '../../cli/context.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { lockTimeoutFlag, requiredFlag, textFlag, word, yesFlag } from '../../cli/flags.ts';
import { readPast } from '../../cli/instant-range.ts';
import { requireYes, typedQuestion } from '../../cli/question.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { Question } from '../../domain/ports.ts';
import { quoted, shown, visible, visibleProse } from '../../domain/visible.ts';
import { waitUntilOld } from '../../engine/run.ts';
import { leaseWait, LIVE, withState } from '../../library/state-access.ts';
import { count } from '../../render/wording.ts';
import type { ObjectRow, OpenRequest } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';
import { describeUnconfirmed } from './read.ts';

/** Asks before a change of the state, which stays even if its result is lost. `check` is what to look at before a yes. */
async function askToWrite(context: Context, yes: boolean, question: Question, check: string): Promise<void> {
  if (!yes) await requireYes(context, question, 'Nothing was written.', `${check}, then add --yes.`);
  context.onChange?.();
}

const becauseFlag = requiredFlag('--because <text>', 'what you found, and where');
const BECAUSE_MAX = 500;

/** The reason of a person who decides about the state. */
function readReason(because: string): string {
  const reason = because.trim();
  if (/[^\p{C}\p{Z}]/u.test(reason) && reason.length <= BECAUSE_MAX) return reason;
  throw new HeraldError(
    'bad-flag',
    `--because must have 1 to ${BECAUSE_MAX} characters.`,
    'Write what you found, and where.',
  );
}

/**
 * A person has found out how a request ended. Waits for one window of the request first: what a person saw before that
 * may have changed, and nothing waits for this request any more. Sends nothing.
 */
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
  run: async (context, { entry, because: written, yes }, { state, settings }) => {
    const because = readReason(written);
    const request = await findUnconfirmed(state, entry);
    const run = { ...workspacePorts(context), settleMs: settings.service.settleSec * 1000 };
    if (!(await waitUntilOld(run, [request])))
      throw new HeraldError('interrupted', 'Interrupted; nothing was closed.', null, {
        exit: EXIT.interrupted,
      });
    const { what, sent_at: at, who } = describeUnconfirmed(await findUnconfirmed(state, entry));
    const text = shown`Close ${visibleProse(what)}, sent at ${at}? Check now that this is still true: ${visibleProse(because)}.`;
    await askToWrite(context, yes, typedQuestion(text, 'close it'), 'Check it on the service');
    if (!(await state.closeRequest(entry, because))) throw unknownEntry(entry);
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

/** The service does not have this object any more. Sends nothing. */
export const forget = defineCommand({
  path: 'state forget',
  about: 'forget a campaign or broadcast that the service does not have any more',
  examples: [
    'herald state forget 77 --because "deleted by support"',
    'herald state forget 77 --account alice --kind campaign --because "deleted by support" --yes',
  ],
  words: { id: word('ID') },
  flags: {
    because: becauseFlag,
    account: textFlag('--account <alias>', 'the account, if several have this id'),
    kind: textFlag('--kind <kind>', 'campaign or broadcast, if both have this id'),
    yes: yesFlag,
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'lease',
  run: async (context, { id, because: written, yes, ...given }, { state }) => {
    const because = readReason(written);
    const { account, ...object } = await findObject(state, id, given);
    const { account_id, kind, live_id, name } = object;
    const text = shown`Forget ${kind} ${live_id} (${quoted(name)}) of ${account}? If the service still has it, Herald does not count it as its own any more.`;
    const question = typedQuestion(text, 'forget it');
    await askToWrite(context, yes, question, 'Check that the service does not have it');
    if (!(await state.forget({ account_id, kind, live_id, account }, because))) throw unknownObject(live_id);
    return itemResult(
      { live_id, kind, name, account, forgotten_by: context.identity.who, because },
      visibleProse(`Forgot ${kind} ${live_id} of ${account}. Next: ${formatCommand('plan')}`),
    );
  },
});

/** The object, with the alias of its account. */
async function findObject(
  state: State,
  id: string,
  { account, kind }: { readonly account: string | undefined; readonly kind: string | undefined },
): Promise<ObjectRow & { readonly account: string }> {
  const { aliases } = await state.known([]);
  const found = (await state.allObjects())
    .filter((object) => object.live_id === id)
    .map((object) => {
      const known = aliases.find(({ account_id: owner }) => owner === object.account_id);
      return { ...object, account: known?.alias ?? object.account_id };
    })
    .filter((object) => kind === undefined || object.kind === kind)
    .filter((object) => account === undefined || [object.account_id, object.account].includes(account));
  const [object, ...others] = found;
  if (object === undefined) throw unknownObject(id);
  if (others.length === 0) return object;
  const all = found.map((one) => `a ${one.kind} of ${one.account}`).join(', ');
  throw new HeraldError(
    'ambiguous-name',
    `${found.length} objects have the id ${quoted(id)}: ${all}.`,
    'Add --account or --kind.',
  );
}

function unknownObject(id: string): HeraldError {
  return new HeraldError(
    'not-found',
    `The state does not have an object with the id ${quoted(id)}.`,
    `To see the ids that Herald used: ${formatCommand('history')}`,
  );
}

/** Ends the lease of a run that is gone. That run can record and start nothing more. */
export const unlock = defineCommand({
  path: 'state unlock',
  about: 'end the lease of a run that is gone',
  examples: ['herald state unlock', 'herald state unlock --yes'],
  flags: { yes: yesFlag },
  needs: 'nothing',
  run: async (context, { yes }) => {
    const lease = await withState(
      context.state.read(() => LIVE),
      (state) => state.leaseRecord(),
    );
    if (lease === null) return itemResult({ holder: null }, NOTHING_TO_UNLOCK);
    const text = shown`End the lease of ${visibleProse(lease.holder)}? A request that it has sent may still take effect, so the next run waits before it starts anything.`;
    await askToWrite(context, yes, typedQuestion(text, 'end it'), 'Check that the run has ended');
    const holder = await context.state.unlock();
    if (holder === null) return itemResult({ holder }, NOTHING_TO_UNLOCK);
    return itemResult({ holder }, [
      shown`The lease is free. It was held by ${visibleProse(holder)}. The next run waits for one window before it starts anything.`,
      shown`Next: ${formatCommand('plan')}`,
    ]);
  },
});

const NOTHING_TO_UNLOCK = shown`The lease is free. There is nothing to unlock.`;

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
  needs: 'record',
  run: async ({ typed }, { file }, state) => {
    if (await typed.files.exists(file))
      throw new HeraldError('files-exist', `${visible(file)} exists already.`, 'Name a new file.');
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
});

/** Reads an export into an empty state. Sends nothing. */
export const importState = defineCommand({
  path: 'state import',
  about: 'read an exported file into an empty state: all of it, or nothing',
  examples: ['herald state import state.ndjson'],
  words: { file: word('FILE') },
  flags: { lockTimeout: lockTimeoutFlag },
  // It repairs what a run needs, so it needs no more of herald.yaml than where the state is.
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
