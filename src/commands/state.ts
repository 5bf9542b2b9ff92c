import type { Context } from '../cli/context.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { leaseWait, runPorts } from '../cli/engine-ports.ts';
import { lockTimeoutFlag, requiredFlag, textFlag, word, yesFlag } from '../cli/flags.ts';
import { readPast } from '../cli/instant-range.ts';
import { requireYes, typedQuestion } from '../cli/question.ts';
import type { StateCheck, StateReport } from '../cli/schemas.ts';
import { formatCommand, fileArgument } from '../domain/command-line.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { worldFileOf } from '../domain/service-identity.ts';
import { joined, quoted, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { waitUntilOld } from '../engine/run.ts';
import { describeRequest } from '../library/history.ts';
import { LIVE, withState } from '../library/state-access.ts';
import { renderDiagnostics } from '../render/diagnostics.ts';
import { count } from '../render/wording.ts';
import type { StateReport as Found } from '../state/check.ts';
import type { ObjectRow, OpenRequest, RequestRow } from '../state/shapes.ts';
import type { State } from '../state/state.ts';

/** Where the state is, who has the lease, and what is unconfirmed. Changes nothing. */
export const show = defineCommand({
  path: 'state show',
  about: 'show where the state is, who has the lease, and what is unconfirmed',
  examples: ['herald state show', 'herald state show --format json'],
  needs: 'state',
  run: async (context, _given, state) => {
    const { kind } = await context.state.location();
    const lease = await state.leaseRecord();
    const open = await state.open();
    const until = lease?.expires_at ?? null;
    const report: StateReport = {
      schema: 'herald/state/1',
      place: state.name,
      kind,
      service: state.service,
      lease: lease && { holder: lease.holder, until: until === null ? null : new Date(until).toISOString() },
      cut: (await state.known([])).isCut,
      objects: await state.countObjects(),
      unconfirmed: open.filter(({ outcome }) => outcome === null).map(describeUnconfirmed),
    };
    return { json: () => report, text: () => drawReport(report) };
  },
});

function drawReport(report: StateReport): Visible[] {
  const { place, service, objects, cut, unconfirmed } = report;
  const afterCut = shown`It was imported, unlocked or lost: the next run waits for one window before it starts anything.`;
  return [
    shown`State: ${place}`,
    shown`Service: ${service}. ${count(objects, 'object')} known.`,
    drawLease(report),
    ...(cut ? [afterCut] : []),
    unconfirmed.length === 0
      ? shown`No request is unconfirmed.`
      : shown`${count(unconfirmed.length, 'request is', 'requests are')} unconfirmed:`,
    ...unconfirmed.flatMap(({ entry, what, sent_at: at, who, advice }) => [
      shown`  ${entry}: ${visibleProse(what)}, sent at ${at} by ${who ?? 'an unknown person'}`,
      shown`      ${visibleProse(advice)}`,
    ]),
  ];
}

function drawLease({ kind, lease }: StateReport): Visible {
  if (lease === null) return shown`Lease: free.`;
  return shown`Lease: ${visibleProse(lease.holder)}. ${describeLeaseEnd(kind, lease.until)}`;
}

function describeLeaseEnd(kind: StateReport['kind'], until: string | null): string {
  switch (kind) {
    case 'sqlite':
      return 'If that process has ended, the next run takes it.';
    case 'branch':
      return `It does not end by itself. If that run is gone: ${formatCommand('state', 'unlock')}`;
    case 'postgres':
      return `It ends at ${until} unless that run renews it.`;
  }
}

/** Checks all services of the state for what no run looks at. */
export const check = defineCommand({
  path: 'state check',
  about: 'check the state for damage and old unconfirmed requests; exit 1 if a person must act',
  examples: ['herald state check', 'herald state check --format json'],
  needs: 'nothing',
  run: async (context) => {
    const report = await checkState(context);
    const { place, healthy, services, findings } = report;
    const rows = services.map(({ service, rows: number }) => `${count(number, 'row')} of ${service}`);
    const verdict = healthy ? 'No problems found.' : 'A person must act; see above.';
    const summary = shown`${place}: ${rows.length === 0 ? 'nothing is recorded yet' : rows.join(', ')}. ${verdict}`;
    return {
      exit: healthy ? EXIT.done : EXIT.failed,
      json: () => report,
      text: () => joined([renderDiagnostics(findings, context.output), summary], ''),
    };
  },
});

/** Checks the whole state, whichever service its rows are of. Changes nothing. */
export function checkState(context: Pick<Context, 'state'>): Promise<StateCheck> {
  return readWhole(context, async (state) => {
    const report = await state.check();
    const findings = listFindings(report);
    const healthy = !findings.some(({ severity }) => severity === 'error');
    const services = [...report.services];
    return { schema: 'herald/state-check/1', healthy, place: state.name, services, findings };
  });
}

/** Who has the lease; null if no run has it. */
export function readLease(context: Pick<Context, 'state'>): ReturnType<State['leaseRecord']> {
  return readWhole(context, (state) => state.leaseRecord());
}

/** Reads the state without asking which service the workspace names. */
function readWhole<Result>(
  { state: access }: Pick<Context, 'state'>,
  read: (state: State) => Promise<Result>,
): Promise<Result> {
  return withState(
    access.read(() => LIVE),
    read,
  );
}

function listFindings({ damage, strays, unconfirmed, same_names: names }: Found): Diagnostic[] {
  return [
    ...damage.map((words): Diagnostic => ({
      severity: 'error',
      code: 'state-damaged',
      message: `The database is damaged: ${words}. Do not apply with it. Move the file away, and restore a backup or import an export: ${formatCommand('state', 'import', 'FILE')}. Without one, the next run waits before it starts anything, and needs --allow adopt for what is live.`,
    })),
    ...unconfirmed.map((row): Diagnostic => {
      const { what, sent_at: at, advice } = describeUnconfirmed(row);
      const isSimulated = worldFileOf(row.service) !== null;
      return {
        severity: isSimulated ? 'warning' : 'error',
        code: 'state-unconfirmed',
        message: `${what}${isSimulated ? ` on ${row.service}` : ''}, sent at ${at}, has been unconfirmed for more than a day. ${advice}`,
      };
    }),
    ...names.map(({ service, account_id: id, kind, name, objects }): Diagnostic => ({
      severity: 'warning',
      code: 'state-same-name',
      message: `${objects} running ${kind}s of account ${id} on ${service} have the name ${quoted(name)}. ${formatCommand('plan')} shows which of them an apply stops.`,
    })),
    ...strays.map(({ workspace, rows }): Diagnostic => ({
      severity: 'warning',
      code: 'state-strays',
      message: `${count(rows, 'row')} of the workspace ${quoted(workspace)}, which this database does not have. They are not used. If that workspace is needed, restore it from a backup.`,
    })),
  ];
}

/** An unconfirmed request, and how to find out what happened to it. */
function describeUnconfirmed(row: RequestRow): StateReport['unconfirmed'][number] {
  const { entry, action, address, at, who } = describeRequest(row);
  const close = formatCommand('state', 'close', entry, '--because', '…');
  return { entry, what: `${action} ${address}`, sent_at: at, who, advice: `${advise(row)} ${close}` };
}

const WHEN_KNOWN = 'Once you know what happened:';

/** The command that finds out, and when to close it. */
function advise({ kind, account, name, live_id: id, target }: RequestRow): string {
  const at = ['--account', account] as const;
  switch (kind) {
    case 'campaign':
    case 'broadcast':
      if (kind === 'broadcast' && target === null && id !== null)
        return `Check whether it was recalled: ${formatCommand('broadcasts', 'get', id, ...at)}. ${WHEN_KNOWN}`;
      return `To find out what happened: ${formatCommand('apply')}. If that does not tell, or if it is not in the files any more:`;
    case 'message':
      return `Check the chat: ${formatCommand('chat', 'messages', name, ...at)}. ${WHEN_KNOWN}`;
    case 'payout':
      return `The next ${formatCommand('payouts', 'request')} for this account looks it up. If that does not tell:`;
    case 'label':
    case 'follow':
      return `Run it again, which is harmless: ${formatCommand('fans', kind, '--help')}. Otherwise:`;
    case 'upload':
      return 'Upload the same file again: it looks for the earlier upload first. Otherwise:';
    case 'call':
      return `Check on the service what happened. ${WHEN_KNOWN}`;
  }
}

const becauseFlag = requiredFlag('--because <text>', 'what you found, and where');
const BECAUSE_MAX = 500;

/** The reason of a person who decides about the state. */
function readReason(because: string): string {
  const reason = because.trim();
  if (/[^\p{C}\p{Z}]/u.test(reason) && reason.length <= BECAUSE_MAX) return reason;
  const rule = `--because must have 1 to ${BECAUSE_MAX} characters.`;
  throw new HeraldError('bad-flag', rule, 'Write what you found, and where.');
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
    const run = { ...runPorts(context), settleMs: settings.service.settleSec * 1000 };
    if (!(await waitUntilOld(run, [request]))) {
      const exit = { exit: EXIT.interrupted };
      throw new HeraldError('interrupted', 'Interrupted; nothing was closed.', null, exit);
    }
    const { what, sent_at: at, who } = describeUnconfirmed(await findUnconfirmed(state, entry));
    if (!yes) {
      const text = shown`Close ${visibleProse(what)}, sent at ${at}? Check now that this is still true: ${visibleProse(because)}.`;
      const hint = 'Check it on the service, then add --yes.';
      await requireYes(context, typedQuestion(text, 'close it'), 'Nothing was written.', hint);
    }
    context.onChange?.();
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
  const hint = `To list unconfirmed requests: ${formatCommand('state', 'show')}`;
  return new HeraldError('unknown-entry', `No unconfirmed request has the entry ${quoted(entry)}.`, hint);
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
    const { account, account_id, kind, live_id, name } = await findObject(state, id, given);
    if (!yes) {
      const text = shown`Forget ${kind} ${live_id} (${quoted(name)}) of ${account}? If the service still has it, Herald does not count it as its own any more.`;
      const hint = 'Check that the service does not have it, then add --yes.';
      await requireYes(context, typedQuestion(text, 'forget it'), 'Nothing was written.', hint);
    }
    context.onChange?.();
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
  const nameAccount = (owner: string) =>
    aliases.find(({ account_id: known }) => known === owner)?.alias ?? owner;
  const found = (await state.findById(id))
    .map((object) => ({ ...object, account: nameAccount(object.account_id) }))
    .filter((object) => kind === undefined || object.kind === kind)
    .filter((object) => account === undefined || [object.account_id, object.account].includes(account));
  const [object, ...others] = found;
  if (object === undefined) throw unknownObject(id);
  if (others.length === 0) return object;
  const all = found.map((one) => `a ${one.kind} of ${one.account}`).join(', ');
  const problem = `${found.length} objects have the id ${quoted(id)}: ${all}.`;
  throw new HeraldError('ambiguous-name', problem, 'Add --account or --kind.');
}

function unknownObject(id: string): HeraldError {
  const hint = `To see the ids that Herald used: ${formatCommand('history')}`;
  return new HeraldError('not-found', `The state does not have an object with the id ${quoted(id)}.`, hint);
}

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

/** The head and the foot of an export are not rows. */
const FRAME = 2;

/** Writes all rows to a new file. Changes nothing. */
export const exportState = defineCommand({
  path: 'state export',
  about: 'write the state to a new file',
  examples: ['herald state export state.ndjson'],
  words: { file: word('FILE') },
  needs: 'nothing',
  run: async (context, { file }) => {
    const { files } = context.typed;
    if (await files.exists(file))
      throw new HeraldError('files-exist', `${visible(file)} exists already.`, 'Name a new file.');
    return readWhole(context, async (state) => {
      let lines = 0;
      const counted = async function* () {
        for await (const line of state.export()) {
          lines += 1;
          yield Buffer.from(line);
        }
      };
      await files.writeAtomically(file, counted(), { isPrivate: true });
      const rows = lines - FRAME;
      return itemResult({ file, rows }, shown`Wrote ${count(rows, 'row')} of ${state.name} to ${file}.`);
    });
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
    const text = await context.typed.files.readText(file).catch((error: unknown) => {
      const hint = `Make the file where the state is: ${formatCommand('state', 'export', fileArgument(file))}`;
      const problem = `Cannot read ${file}: ${fileProblem(error)}. Nothing was imported.`;
      throw new HeraldError('state-failed', problem, hint);
    });
    const lines = text.split('\n').filter((line) => line !== '');
    const opening = context.state.take(() => LIVE, { ...leaseWait(context), writesBranch: true });
    return withState(opening, (state) =>
      context.protect(async () => {
        context.onChange?.();
        const { rows } = await state.import({ name: file, lines });
        return itemResult({ file, rows }, [
          shown`Imported ${count(rows, 'row')} of ${file} into ${state.name}. The next run waits for one window before it starts anything.`,
          shown`Next: ${formatCommand('plan')}`,
        ]);
      }),
    );
  },
});

/** Creates the tables of the state database, and adds the workspace. */
export const init = defineCommand({
  path: 'state init',
  about: 'set up the database that herald.yaml names; running it again changes nothing',
  examples: ['HERALD_STATE_URL=postgres://herald@db.example/herald herald state init'],
  needs: 'nothing',
  run: async ({ state }) => {
    const location = await state.location();
    if (location.kind === 'branch')
      throw new HeraldError(
        'bad-flag',
        `The state is on the branch ${location.branch}, which needs no setup.`,
        `Merge a pull request: the first ${formatCommand('ci', 'apply')} creates the branch.`,
      );
    if (location.kind === 'sqlite')
      throw new HeraldError(
        'bad-flag',
        'The state is in the folder of the workspace, which needs no setup.',
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

/** Ends the lease of a run that is gone. That run can record and start nothing more. */
export const unlock = defineCommand({
  path: 'state unlock',
  about: 'end the lease of a run that is gone',
  examples: ['herald state unlock', 'herald state unlock --yes'],
  flags: { yes: yesFlag },
  needs: 'nothing',
  run: async (context, { yes }) => {
    const lease = await readLease(context);
    if (lease !== null && !yes) {
      const text = shown`End the lease of ${visibleProse(lease.holder)}? A request that it has sent may still take effect, so the next run waits before it starts anything.`;
      const hint = 'Check that the run has ended, then add --yes.';
      await requireYes(context, typedQuestion(text, 'end it'), 'Nothing was changed.', hint);
    }
    if (lease !== null) context.onChange?.();
    const holder = lease === null ? null : await context.state.unlock();
    if (holder === null) return itemResult({ holder }, shown`The lease is free. There is nothing to unlock.`);
    return itemResult({ holder }, [
      shown`The lease is free. It was held by ${visibleProse(holder)}. The next run waits for one window before it starts anything.`,
      shown`Next: ${formatCommand('plan')}`,
    ]);
  },
});
