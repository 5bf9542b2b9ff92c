import { refuseRawWrite, sendRaw } from '../acts/raw.ts';
import { isOperation, OPERATIONS, rowOf, type CallName } from '../api/catalogue.ts';
import { ServiceError, type Problem } from '../api/errors.ts';
import type { Exchange } from '../api/answer.ts';
import { parseJson } from '../api/json.ts';
import { findRow, findUnknownKeys, parseRawPath, rawRow } from '../api/raw-row.ts';
import { GROUP_PER_SECOND, type Row } from '../api/row.ts';
import {
  chooseAccount,
  chooseName,
  choosePayoutAccounts,
  choosePlatformAccounts,
  openService,
  openServiceToRead,
  sayService,
  warnOfMoved,
} from '../cli/accounts.ts';
import type { Service } from '../library/connect.ts';
import { exitOfDone, withActRun } from '../cli/act-run.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import {
  lockTimeoutFlag,
  negatedFlag,
  optionalWord,
  switchFlag,
  textFlag,
  textsFlag,
  yesFlag,
  type ValuesOf,
} from '../cli/flags.ts';
import { chooseFormat, LIST_FORMATS } from '../cli/formats.ts';
import { type ColumnSet, printRows } from '../cli/print-rows.ts';
import { requireAnswer, requireYes, typedQuestion } from '../cli/question.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId } from '../domain/ids.ts';
import { shown } from '../domain/visible.ts';
import { compactJson, renderJson, renderRawJson } from '../render/json.ts';

const flags = {
  list: switchFlag('--list', 'list the operations'),
  param: textsFlag('--param <name=value>', 'path or query parameter (repeatable)'),
  body: textFlag('--body <file>', 'read a JSON body from a file, - for standard input'),
  account: textFlag('--account <name>', 'alias or id of the account, for the ids in the path'),
  localCheck: negatedFlag('--no-local-check', 'also send parameters that Herald does not know'),
  yes: yesFlag,
  lockTimeout: lockTimeoutFlag,
};

type Flags = Omit<ValuesOf<typeof flags>, 'list'>;

/** Makes one call and prints the answer as it came. Writes only what has no command of its own. */
export const api = defineCommand({
  path: 'api',
  about: 'make any call and print the answer as it came',
  examples: [
    'herald api --list',
    'herald api campaigns.list --account alice --param limit=10',
    'herald api GET /api/v0/accounts/101/fans --param limit=10',
    'herald api POST /api/v0/accounts/101/new-things --body thing.json --yes',
  ],
  formats: ['json', 'table', 'ndjson', 'csv'],
  words: { operation: optionalWord('OPERATION'), path: optionalWord('PATH') },
  flags,
  needs: 'nothing',
  run: (context, { operation, path, list, ...given }) =>
    operation === undefined || list
      ? listOperations(context)
      : callOperation(context, findTarget(operation, path, given.body !== undefined), given),
});

const COLUMNS: ColumnSet = {
  who: 'organisation',
  columns: [
    { path: 'operation', as: 'whole' },
    { path: 'method' },
    { path: 'path' },
    { path: 'permission' },
    { path: 'per_second', header: 'per second', as: 'number' },
    { path: 'repeat' },
  ],
  more: [],
};

async function listOperations(context: Context): Promise<ExitCode> {
  const format = chooseFormat(context, LIST_FORMATS);
  const items = OPERATIONS.map((operation) => {
    const { title, method, path, permission, perSecond, group, paging, repeat } = rowOf(operation);
    const most = group === undefined ? perSecond : Math.min(perSecond, GROUP_PER_SECOND);
    return {
      operation,
      title,
      method,
      path,
      permission,
      per_second: most,
      group: group ?? null,
      paging: paging.style,
      repeat,
    };
  });
  const { output } = context;
  await printRows(format, { output, definition: COLUMNS, columns: COLUMNS.columns }, items);
  return EXIT.done;
}

/** The call that was typed: its name, its row, and the parameters in its path. */
interface Target {
  readonly name: CallName;
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
}

/** `campaigns.list`, or `GET /api/v0/accounts/101/fans`: a path of the catalogue is the same call as its name. */
function findTarget(typed: string, path: string | undefined, hasBody: boolean): Target {
  if (path === undefined) {
    if (isOperation(typed)) return { name: typed, row: rowOf(typed), params: {} };
    throw new HeraldError(
      'unknown-operation',
      `Unknown operation "${typed}".`,
      `To list all operations: ${formatCommand('api', '--list')}. To call another path: ${formatCommand('api', 'GET', '/api/v0/PATH')}`,
    );
  }
  const raw = parseRawPath(typed, path);
  if (typeof raw === 'string') throw new HeraldError('bad-flag', raw);
  const known = findRow(raw);
  if (known !== null) return { name: known.operation, row: rowOf(known.operation), params: known.params };
  // The state keeps the account of a write.
  const account = /\/accounts\/([^/]+)/.exec(raw.path)?.[1];
  const params = account === undefined ? {} : { account_id: decodeURIComponent(account) };
  return { name: `${raw.method} ${raw.path as `/${string}`}`, row: rawRow(raw, hasBody), params };
}

async function callOperation(context: Context, target: Target, flags: Flags): Promise<ExitCode> {
  const { name, row } = target;
  refuseRawWrite(name);
  chooseFormat(context, ['json']);
  if (row.reply === 'binary' && context.output.isTerminal)
    throw new HeraldError(
      'binary-answer',
      `${name} returns bytes, which a terminal cannot show.`,
      `Write them to a file: ${formatCommand('api', 'OPERATION')} > FILE`,
    );
  const input = await readInput(context, row, flags);
  const service = await (row.method === 'GET' ? openServiceToRead : openService)(context);
  const account = await findAccount(service, target, flags.account);
  const params: Readonly<Record<string, string>> = {
    ...target.params,
    ...input.params,
    ...account?.params,
  };
  refuseOtherPlatform(service, name, params);
  const call = { ...input, params };
  const send = service.client.prepareRow(name, row, call);
  if (account !== null) await warnOfMoved(context, service, [account]);
  if (row.method === 'GET') return print(context, row, await send());
  requireAnswer(context, flags.yes, `${name} changes something`);
  const at = sayService(context, service);
  // Its id was typed, so no alias can have moved.
  const { account_id: id = '' } = params;
  const named = service.settings.accounts.find(
    ({ selector }) => selector.by === 'id' && selector.value === id,
  );
  const subject = { alias: named?.alias ?? id, accountId: id };
  const question = typedQuestion(shown`${row.title}. Send it at ${at}?`, 'send it');
  if (!flags.yes) await requireYes(context, question, 'Nothing was sent.');
  const sent = await withActRun(service, { accounts: [subject], command: 'api' }, (run) =>
    sendRaw(run, { name, row, input: call, account: subject }),
  );
  if (sent.kind === 'failed') throw failedCall(context, sent.problem);
  printReply(context, sent);
  return exitOfDone(context, sent.unrecorded);
}

interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly handedBack: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly bodyText: string | undefined;
}

/** The parameters and the body. Without local checks, parameters that Herald does not know are sent, too. */
async function readInput(context: Context, row: Row, flags: Flags): Promise<Input> {
  const { params, query } = splitParams(row, flags.param);
  const { body, bodyText } = await readBody(context, flags.body);
  const unknown = flags.localCheck ? [] : findUnknownKeys(row.query, query);
  const isUnknown = ([key]: readonly [string, unknown]) => unknown.includes(key);
  const known = Object.entries(query).filter((one) => !isUnknown(one));
  const added = Object.entries(query).filter(isUnknown);
  const handedBack = Object.fromEntries(added.map(([key, value]) => [key, String(value)]));
  return { params, query: Object.fromEntries(known), handedBack, body, bodyText };
}

function splitParams(
  row: Row,
  given: readonly string[],
): { params: Record<string, string>; query: Record<string, string | string[]> } {
  const params: Record<string, string> = {};
  const query: Record<string, string | string[]> = {};
  for (const pair of given) {
    const at = pair.indexOf('=');
    if (at < 1) throw new HeraldError('bad-flag', `--param ${pair} must have the form name=value.`);
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (!row.path.includes(`{${name}}`))
      query[name] = name in query ? [query[name] ?? [], value].flat() : value;
    else if (!(name in params)) params[name] = value;
    else
      throw new HeraldError(
        'bad-flag',
        `--param ${name} is in the path, and it was given twice: ${params[name]} and ${value}.`,
        'Give it once. For several values, run the command once for each.',
      );
  }
  return { params, query };
}

async function readBody(
  context: Context,
  path: string | undefined,
): Promise<{ readonly body: unknown; readonly bodyText: string | undefined }> {
  if (path === undefined) return { body: undefined, bodyText: undefined };
  const bodyText = await (path === '-' ? context.readInput() : context.typed.files.readText(path)).catch(
    (error: unknown) => {
      throw new HeraldError('bad-body', `Cannot read the body in ${path}: ${fileProblem(error)}.`);
    },
  );
  try {
    return { body: parseJson(bodyText), bodyText };
  } catch (error) {
    throw new HeraldError('bad-body', `The body in ${path} is not JSON: ${(error as Error).message}.`);
  }
}

/** The account that `--account` stands for, with the ids that the path needs. */
interface FoundAccount {
  readonly alias: string;
  /** Null if only the platform's id is known. */
  readonly accountId: AccountId | null;
  readonly params: Readonly<Record<string, string>>;
}

/** Null without `--account`: the ids of the call were typed. */
async function findAccount(
  service: Service,
  { name, row, params }: Target,
  given: string | undefined,
): Promise<FoundAccount | null> {
  if (given === undefined) return null;
  const needs = (param: string) => row.path.includes(`{${param}}`) && params[param] === undefined;
  if (needs('account_id')) {
    // What a call beyond the catalogue works on is not known.
    const anyPlatform = name === 'accounts.get' || name.includes(' ');
    const { alias, accountId } = await chooseAccount(service, given, { anyPlatform });
    return { alias, accountId, params: { account_id: accountId } };
  }
  if (!needs('platform_account_id'))
    throw new HeraldError('bad-flag', `${name} takes no account.`, 'Leave out --account.');
  const { primary, secondary } = service.settings.service.platforms;
  const [account] =
    name === BOTH_PLATFORMS
      ? await choosePlatformAccounts(service, [given], [primary, secondary])
      : await choosePayoutAccounts(service, [chooseName(service, given)]);
  if (account === undefined) return null;
  const { alias, accountId, platform, platformAccountId } = account;
  return { alias, accountId, params: { platform, platform_account_id: platformAccountId } };
}

/** The one call that takes accounts of both platforms (ACCOUNT-5). */
const BOTH_PLATFORMS = 'revenue.transactions';

/** Only the transactions take the second platform. Throws before anything is sent. */
function refuseOtherPlatform(
  { settings }: Service,
  name: CallName,
  { platform }: Readonly<Record<string, string>>,
): void {
  const { primary, secondary } = settings.service.platforms;
  if (platform === undefined || platform === primary) return;
  if (platform === secondary && name === BOTH_PLATFORMS) return;
  const served = name === BOTH_PLATFORMS ? `${primary} and ${secondary}` : primary;
  throw new HeraldError(
    'invalid-call',
    `${name} was not sent: platform is "${platform}", and it works on ${served} only.`,
    'The words of the platforms are service.platforms in herald.yaml.',
  );
}

async function print(context: Context, row: Row, result: Exchange<unknown>): Promise<ExitCode> {
  if (result.kind !== 'done') throw failedCall(context, result.problem);
  if (row.reply === 'binary') await context.output.bytes(result.reply as Uint8Array);
  else printReply(context, result);
  return EXIT.done;
}

function printReply(
  { output }: Context,
  { reply, text }: { readonly reply: unknown; readonly text?: string | undefined },
): void {
  output.result(text === undefined ? renderJson(reply) : renderRawJson(text));
}

function failedCall({ flags, output }: Context, problem: Problem): ServiceError {
  // JSON has them in the error.
  const { details } = problem;
  if (details != null && flags.format !== 'json') output.fail(shown`details: ${compactJson(details)}`);
  return new ServiceError(problem);
}
