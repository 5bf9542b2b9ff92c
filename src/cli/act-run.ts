import { ServiceError } from '../api/errors.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { hasCode, interruptedError, type HeraldError } from '../domain/herald-error.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Question } from '../domain/ports.ts';
import { page, shown, visible, type Visible, visibleProse } from '../domain/visible.ts';
import type { Run } from '../engine/run.ts';
import { withLeasedRun } from '../library/runs.ts';
import { ensureServiceClockKnown } from '../live/scan.ts';
import { refuseMovedAlias } from './accounts.ts';
import type { Service } from '../library/connect.ts';
import type { Context } from './context.ts';
import { itemResult, listResult } from './define-command.ts';
import { toHeraldError } from './failure-of.ts';
import { factsIn, warningLine } from './findings.ts';
import { requireYes } from './question.ts';
import { reportBug } from './run-command.ts';

/** The account of an act. */
interface ActAccount {
  readonly alias: string;
  /** Null if only the platform's id is known. */
  readonly accountId: AccountId | null;
}

/** Runs recorded acts with the lease. `command` is the name of the command for the record: `chat send`. */
export async function withActRun<Result>(
  service: Service,
  { accounts, command }: { readonly accounts: readonly ActAccount[]; readonly command: string },
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  // An answer tells which service the state is about. If none was heard yet, this asks for one.
  await ensureServiceClockKnown(service.client);
  return withLeasedRun(service, { command }, async (run, state) => {
    for (const account of accounts) {
      await refuseMovedAlias(service, account, state);
      const { alias, accountId } = account;
      // A later run finds out by it that the alias has moved to another account.
      if (accountId !== null && alias !== accountId)
        await state.learn([{ kind: 'alias', alias, account_id: accountId }]);
    }
    return work(run);
  });
}

/** The exit code of an act that was carried out. `unrecorded` is why the state does not have its end. */
export function exitOfDone({ output }: Context, unrecorded: string | null): ExitCode {
  if (unrecorded === null) return EXIT.done;
  output.fail(
    warningLine(
      'not-on-record',
      shown`It was carried out, and the state could not record that: ${visibleProse(unrecorded)}. The state has it as unconfirmed. To see it: ${formatCommand('state', 'show')}`,
    ),
  );
  return EXIT.partly;
}

/** What one act came to, for people and for programs. */
export interface ActDone {
  readonly item: Readonly<Record<string, unknown>>;
  readonly text: Visible;
  /** Why the state does not have its end. */
  readonly unrecorded: string | null;
}

/** One of the acts of a command. */
export interface ActItem {
  readonly account: ActAccount;
  /** What it is about, for the question about several: `fan 101001 of alice (account 101)`. */
  readonly title: string;
  /** The members of the JSON that name it, if it fails. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Throws what failed. */
  readonly send: (run: Run) => Promise<ActDone>;
}

interface Sending {
  /** For the record: `fans label`. */
  readonly command: string;
  readonly items: readonly ActItem[];
  /** Asks about all of them at once. Null with `--yes`, and for an act that asks for itself. */
  readonly question: Question | null;
}

/**
 * Sends each act once, under one lease. One alone throws what failed. Several are asked about together, and each has a result of its
 * own, so that the same command can be run again for those that failed.
 */
export async function sendItems(context: Context, service: Service, { command, items, question }: Sending) {
  const accounts = [...new Map(items.map(({ account }) => [account.alias, account])).values()];
  const [only, ...others] = items;
  if (question !== null) {
    if (others.length > 0) context.output.say(page(items.map(({ title }) => shown`  ${visible(title)}`)));
    await requireYes(context, question, 'Nothing was sent.');
  }
  if (only !== undefined && others.length === 0) {
    const done = await withActRun(service, { accounts, command }, only.send);
    return { exit: exitOfDone(context, done.unrecorded), ...itemResult(done.item, [done.text]) };
  }
  const ends = await withActRun(service, { accounts, command }, (run) => sendEach(context, run, items));
  return {
    exit: chooseExit(ends, context.interrupted.aborted),
    ...listResult(
      ends.map(({ item }) => item),
      ends.map(({ text }) => text),
    ),
  };
}

interface ItemEnd extends Pick<ActDone, 'item' | 'text'> {
  readonly exit: ExitCode;
}

async function sendEach(context: Context, run: Run, items: readonly ActItem[]): Promise<readonly ItemEnd[]> {
  const ends: ItemEnd[] = [];
  let stopped: HeraldError | null = null;
  for (const [at, { about, title, send }] of items.entries()) {
    context.output.progress(shown`${at + 1}/${items.length}  ${visible(title)}`);
    try {
      if (stopped !== null || run.interrupted.aborted) throw stopped ?? interruptedError();
      const { item, text, unrecorded } = await send(run);
      ends.push({ item: { ...item, error: null }, text, exit: exitOfDone(context, unrecorded) });
    } catch (error) {
      // A bug must not hide what was sent before it.
      const failure = toHeraldError(error) ?? reportBug(context, error);
      if (endsAll(failure)) stopped ??= failure;
      const { code, message, hint, exit } = failure;
      const lines = [message, ...factsIn(failure).map((fact) => `${fact};`), hint ?? ''];
      const text = shown`${visible(title)}: ${visibleProse(lines.join(' '))}`;
      ends.push({ item: { ...about, error: { code, message, hint } }, text, exit });
    }
  }
  context.output.progress('');
  return ends;
}

/** The next act would fail in the same way: the key is refused, another run has the lease, or Herald has a bug. */
function endsAll(failure: HeraldError): boolean {
  const status = failure instanceof ServiceError ? failure.problem.status : null;
  return status === 401 || status === 403 || hasCode(failure, 'state-', 'lease-lost', 'internal-error');
}

/**
 * | unknown | interrupted | some done | some not | exit                                 |
 * |---------|-------------|-----------|----------|--------------------------------------|
 * | yes     |             |           |          | 3                                    |
 * |         | yes         |           | yes      | 130                                  |
 * |         |             | yes       | yes      | 4                                    |
 * |         |             | no        | yes      | the one of all, or 1 if they differ  |
 * |         |             | yes       | no       | 0, or 4 if one is not on record      |
 */
function chooseExit(ends: readonly ItemEnd[], interrupted: boolean): ExitCode {
  const exits = new Set(ends.map(({ exit }) => exit));
  if (exits.has(EXIT.unknown)) return EXIT.unknown;
  if (interrupted && exits.has(EXIT.interrupted)) return EXIT.interrupted;
  if (exits.has(EXIT.done) || exits.has(EXIT.partly))
    return exits.size === 1 && exits.has(EXIT.done) ? EXIT.done : EXIT.partly;
  const [only = EXIT.done] = exits;
  return exits.size <= 1 ? only : EXIT.failed;
}
