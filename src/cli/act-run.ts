import { ServiceError } from '../api/errors.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError, hasCode, interruptedError, toHeraldError } from '../domain/herald-error.ts';
import { isLfsPointer } from '../domain/text.ts';
import { page, shown, visible, type Visible, visibleProse } from '../domain/visible.ts';
import { type Run, waitUntilOld } from '../engine/run.ts';
import type { Service } from '../library/connect.ts';
import { ensureServiceClockKnown } from '../live/scan.ts';
import { type Chosen, refuseMovedAliases, sayService } from './accounts.ts';
import type { Context } from './context.ts';
import { itemResult, listResult } from './define-command.ts';
import { readDetails, reportBug, warningLine } from './findings.ts';
import { requireYes } from './question.ts';

/** Runs recorded acts with the lease. `command` is the name of the command for the record: `chat send`. */
export async function withActRun<Result>(
  service: Service,
  { accounts, command }: { readonly accounts: readonly Chosen[]; readonly command: string },
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  // An answer tells which service the state is about. If none was heard yet, this asks for one.
  await ensureServiceClockKnown(service.client);
  return service.withLeasedRun({ command }, async (run) => {
    await refuseMovedAliases(service, accounts, run.state);
    // A later run finds out by them that an alias has moved to another account.
    const aliases = accounts.flatMap(({ alias, accountId: account_id }) =>
      account_id === null || alias === account_id ? [] : [{ kind: 'alias' as const, alias, account_id }],
    );
    await run.state.learn(aliases);
    // A lost state does not tell what is under way.
    const { isCut, seq } = await run.state.known([]);
    if (isCut) {
      if (!(await waitUntilOld(run, []))) throw interruptedError();
      await run.state.endCut(seq);
    }
    return work(run);
  });
}

interface ActDone {
  readonly item: Readonly<Record<string, unknown>>;
  readonly text: Visible;
  /** Why the state does not have its end. */
  readonly unrecorded: string | null;
}

export interface ActItem {
  readonly account: Chosen;
  /** What it does, for the question: `Follow fan 101001 of alice (account 101)`. */
  readonly title: string;
  /** Members of its JSON, next to the account, that name what it is about. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Throws what failed. */
  readonly send: (run: Run) => Promise<ActDone>;
}

interface Sending {
  /** For the record: `fans label`. */
  readonly command: string;
  readonly items: readonly ActItem[];
  /** Shown before the question. Left out: the titles, if there are several. */
  readonly preview?: Visible;
  /** What several do together, for the question. Left out: `Send these 3 requests`. */
  readonly together?: string;
  /** What a person should know before a yes: `This cannot be undone.` */
  readonly warning: string;
  /** What a person types for a yes. Left out: `yes`, or the number of acts. */
  readonly wanted?: string;
  /** Nothing is asked. */
  readonly yes: boolean;
}

/**
 * Asks, then sends each act once, under one lease. One alone throws what failed. Several are asked about together, and each has a
 * result of its own, so that the same command can be run again for those that failed.
 */
export async function sendItems(context: Context, service: Service, sending: Sending) {
  const { command, items, yes } = sending;
  const accounts = [...new Map(items.map(({ account }) => [account.alias, account])).values()];
  const [only, ...others] = items;
  const at = sayService(context, service);
  if (!yes) await askToSend(context, sending, at);
  return withActRun(service, { accounts, command }, async (run) => {
    if (only !== undefined && others.length === 0) {
      const { exit, item, text } = await sendOne(context, run, only);
      return { exit, ...itemResult(item, [text]) };
    }
    const ends = await sendEach(context, run, items);
    const exit = endActs(context, ends);
    const [done, texts] = [ends.map(({ item }) => item), ends.map(({ text }) => text)];
    return { exit, ...listResult(done, texts) };
  });
}

async function askToSend(context: Context, sending: Sending, at: string): Promise<void> {
  const { items, preview, together, warning, wanted } = sending;
  const titles = items.map(({ title }) => title);
  const isOne = titles.length === 1;
  if (preview !== undefined) context.output.say(preview);
  else if (!isOne) context.output.say(page(titles.map((title) => shown`  ${title}`)));
  const what = isOne ? titles.join('') : (together ?? `Send these ${titles.length} requests`);
  const text = shown`${what} at ${at}? ${warning}`;
  const answer = wanted ?? (isOne ? 'yes' : String(titles.length));
  const to = isOne ? 'send it' : 'send all of them';
  await requireYes(context, { text, to, wanted: answer }, 'Nothing was sent.');
}

function nameItem({ account: { alias, accountId }, about }: ActItem) {
  return { account: alias, account_id: accountId, ...about };
}

interface ItemEnd extends Pick<ActDone, 'item' | 'text'> {
  readonly exit: ExitCode;
}

async function sendOne(context: Context, run: Run, one: ActItem): Promise<ItemEnd> {
  const { item, text, unrecorded } = await one.send(run);
  const exit = endActs(context, [{ exit: EXIT.done, unrecorded }]);
  return { item: { ...nameItem(one), ...item }, text, exit };
}

async function sendEach(context: Context, run: Run, items: readonly ActItem[]): Promise<readonly ItemEnd[]> {
  const ends: ItemEnd[] = [];
  let stopped: HeraldError | null = null;
  for (const [at, one] of items.entries()) {
    const title = visible(one.title);
    context.output.progress(shown`${at + 1}/${items.length}  ${title}`);
    try {
      if (stopped !== null || run.interrupted.aborted) throw stopped ?? interruptedError();
      const { item, ...end } = await sendOne(context, run, one);
      ends.push({ item: { ...item, error: null }, ...end });
    } catch (error) {
      // A bug must not hide what was sent before it.
      const failure = toHeraldError(error) ?? reportBug(context, error);
      if (endsAll(failure)) stopped ??= failure;
      const { code, message, hint, exit } = failure;
      const lines = [message, ...readDetails(failure).facts.map((fact) => `${fact};`), hint ?? ''];
      // What is unconfirmed did not fail, and the message of an unknown outcome names the request.
      const failed = exit === EXIT.unknown ? '' : 'Failed: ';
      const named = code === 'unknown-outcome' ? '' : shown`${failed}${title}: `;
      const text = shown`${named}${visibleProse(lines.join(' '))}`;
      ends.push({ item: { ...nameItem(one), error: { code, message, hint } }, text, exit });
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

/** How an act has ended. */
export interface ActEnd {
  readonly exit: ExitCode;
  /** It was carried out, and this is why the state does not have its end. */
  readonly unrecorded?: string | null;
}

/**
 * Warns of each end that is not on record, which counts as 4, and returns the exit code of all.
 *
 * | 3 unknown | 130 interrupted | 0 done | others | exit                                 |
 * |-----------|-----------------|--------|--------|--------------------------------------|
 * | yes       |                 |        |        | 3                                    |
 * | no        | yes             |        |        | 130                                  |
 * | no        | no              | yes    | yes    | 4                                    |
 * | no        | no              | no     | yes    | the one of all, or 1 if they differ  |
 * | no        | no              | yes    | no     | 0                                    |
 */
export function endActs({ output }: Pick<Context, 'output'>, ends: readonly ActEnd[]): ExitCode {
  const warn = (unrecorded: string): ExitCode => {
    output.fail(
      warningLine(
        'not-on-record',
        shown`It was carried out, and the state could not record that: ${visibleProse(unrecorded)}. The state has it as unconfirmed. To see it: ${formatCommand('state', 'show')}`,
      ),
    );
    return EXIT.partly;
  };
  const exits = new Set(ends.map(({ exit, unrecorded }) => (unrecorded == null ? exit : warn(unrecorded))));
  for (const first of [EXIT.unknown, EXIT.interrupted]) if (exits.has(first)) return first;
  if (exits.size > 1 && (exits.has(EXIT.done) || exits.has(EXIT.partly))) return EXIT.partly;
  const [only = EXIT.done] = exits;
  return exits.size <= 1 ? only : EXIT.failed;
}

/** The text of a file that a flag names, or of standard input for `-`, without the mark of its encoding. */
export async function readGivenFile({ typed, readInput }: Context, path: string): Promise<string> {
  const raw = await (path === '-' ? readInput() : typed.files.readText(path));
  const text = raw.replace(/^\uFEFF/, '');
  if (isLfsPointer(text))
    throw new HeraldError(
      'not-text',
      `${path === '-' ? 'Standard input' : path} is a Git LFS pointer, not the text. Nothing was sent.`,
      'Fetch the file: git lfs pull',
    );
  return text;
}
