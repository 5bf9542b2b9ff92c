import { isOperation, OPERATIONS, rowOf, type CallName, type Operation } from '../api/catalogue.ts';
import { makeColumns } from '../api/columns.ts';
import { ServiceError } from '../api/errors.ts';
import { findRow, findUnknownKeys, readRow } from '../api/raw-row.ts';
import { GROUP_PER_SECOND, type Row } from '../api/row.ts';
import {
  chooseAccount,
  chooseName,
  choosePayoutAccounts,
  choosePlatformAccounts,
  openServiceToRead,
  warnOfMoved,
} from '../cli/accounts.ts';
import type { Service } from '../library/connect.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { negatedFlag, optionalWord, switchFlag, textFlag, textsFlag, type ValuesOf } from '../cli/flags.ts';
import { chooseFormat, LIST_FORMATS } from '../cli/formats.ts';
import { type ColumnSet, chooseColumns, printRows } from '../cli/print-rows.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId } from '../domain/ids.ts';
import { shown } from '../domain/visible.ts';
import { compactJson, renderJson, renderRawJson } from '../render/json.ts';

const flags = {
  list: switchFlag('--list', 'list the operations'),
  param: textsFlag('--param <name=value>', 'path or query parameter (repeatable)'),
  account: textFlag('--account <name>', 'alias or id of the account, for the ids in the path'),
  localCheck: negatedFlag('--no-local-check', 'also send parameters that Herald does not know'),
};

type Flags = Omit<ValuesOf<typeof flags>, 'list'>;

/**
 * Makes one read and prints the answer as it came. What changes something has a command of its own: each has rules that a raw call
 * would have to repeat, and would be a second way past them.
 */
export const api = defineCommand({
  path: 'api',
  about: 'make any read and print the answer as it came',
  examples: [
    'herald api --list',
    'herald api campaigns.list --account alice --param limit=10',
    'herald api GET /api/v0/accounts/101/fans --param limit=10',
  ],
  formats: ['json', 'table', 'ndjson', 'csv'],
  words: { operation: optionalWord('OPERATION'), path: optionalWord('PATH') },
  flags,
  needs: 'nothing',
  run: (context, { operation, path, list, ...given }) =>
    operation === undefined || list
      ? listOperations(context)
      : callOperation(context, findTarget(operation, path), given),
});

const COLUMNS: ColumnSet = {
  who: 'organisation',
  columns: makeColumns('operation method path permission per_second repeat', {
    operation: { as: 'whole' },
    per_second: { as: 'number' },
  }),
  more: [],
};

function listOperations(context: Context): Promise<ExitCode> {
  const print = chooseColumns(COLUMNS, { format: chooseFormat(context, LIST_FORMATS), columns: undefined });
  const items = OPERATIONS.map((operation) => {
    const { title, method, path, permission, perSecond, group, paging, repeat } = rowOf(operation);
    const per_second = group === undefined ? perSecond : Math.min(perSecond, GROUP_PER_SECOND);
    const { style } = paging;
    return {
      operation,
      title,
      method,
      path,
      permission,
      per_second,
      group: group ?? null,
      paging: style,
      repeat,
    };
  });
  return printRows(context, print, items);
}

/** The command for each operation that changes something. */
const COMMANDS: Readonly<Partial<Record<Operation, string>>> = {
  'campaigns.create': 'apply',
  'broadcasts.create': 'apply',
  'campaigns.set-status': 'campaigns --help',
  'broadcasts.set-status': 'broadcasts --help',
  'campaigns.unsend': 'campaigns recall NAME',
  'broadcasts.unsend': 'broadcasts recall NAME',
  'chat.send': 'chat send CHAT --text TEXT',
  'fans.label': 'fans label FAN --name NAME',
  'fans.follow': 'fans follow FAN',
  'payouts.request': 'payouts request --amount USD',
  'vault.upload-start': 'vault upload FILE',
  'vault.upload-finish': 'vault upload FILE',
  'vault.upload-export': 'vault upload FILE',
  'vault.verify-fan': 'vault verify-fan URL',
  'vault.upload-retry': 'vault retry UPLOAD',
};

/** The call that was typed: its name, its row, and the parameters in its path. */
interface Target {
  readonly name: CallName;
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
}

/** `campaigns.list`, or `GET /api/v0/accounts/101/fans`: a path of the catalogue is the same call as its name. Throws for a write. */
function findTarget(typed: string, path: string | undefined): Target {
  if (path === undefined) {
    if (isOperation(typed)) return requireRead({ name: typed, row: rowOf(typed), params: {} });
    throw new HeraldError(
      'unknown-operation',
      `Unknown operation "${typed}".`,
      `To list all operations: ${formatCommand('api', '--list')}. To read another path: ${formatCommand('api', 'GET', '/api/v0/PATH')}`,
    );
  }
  const method = typed.toUpperCase();
  const known = findRow(method, path);
  if (known !== null)
    return requireRead({ name: known.operation, row: rowOf(known.operation), params: known.params });
  if (method === 'GET' && /^\/[!-~]*$/.test(path) && !/[?#]/.test(path))
    return { name: `GET ${path as `/${string}`}`, row: readRow(path), params: {} };
  throw new HeraldError(
    'bad-flag',
    `${typed} ${path} is not a method and a path that Herald reads. Nothing was sent.`,
    'Write GET and a path such as /api/v0/accounts. Each parameter of a query is a flag: --param name=value',
  );
}

function requireRead(target: Target): Target {
  const { name, row } = target;
  if (row.method === 'GET') return target;
  const command = (isOperation(name) ? COMMANDS[name] : undefined) ?? '--help';
  throw new HeraldError(
    'invalid-call',
    `${name} was not sent: it has a command of its own, which checks it, and never sends it twice.`,
    `Use: ${formatCommand(...command.split(' '))}`,
  );
}

async function callOperation(context: Context, target: Target, given: Flags): Promise<ExitCode> {
  const { name, row } = target;
  const { output } = context;
  const format = chooseFormat(context, ['json']);
  if (row.reply === 'binary' && output.isTerminal)
    throw new HeraldError(
      'binary-answer',
      `${name} returns bytes, which a terminal cannot show.`,
      `Write them to a file: ${formatCommand('api', 'OPERATION')} > FILE`,
    );
  const { params: typed, query } = splitParams(row, given.param);
  // The service may have added some since.
  const unknown = given.localCheck ? [] : findUnknownKeys(row.query, query);
  const [added, known] = [true, false].map((isAdded) =>
    Object.fromEntries(Object.entries(query).filter(([key]) => unknown.includes(key) === isAdded)),
  );
  const service = await openServiceToRead(context);
  const account = await findAccount(service, target, given.account);
  const params: Readonly<Record<string, string>> = { ...target.params, ...typed, ...account?.params };
  refuseOtherPlatform(service, name, params);
  const handedBack = Object.fromEntries(
    Object.entries(added ?? {}).map(([key, value]) => [key, String(value)]),
  );
  const send = service.client.prepareRow(name, row, { params, query: known, handedBack });
  if (account !== null) await warnOfMoved(context, service, [account]);
  const result = await send();
  if (result.kind !== 'done') {
    const { details } = result.problem;
    // JSON has them in the error.
    if (details != null && context.flags.format !== format)
      output.fail(shown`details: ${compactJson(details)}`);
    throw new ServiceError(result.problem);
  }
  if (row.reply === 'binary') await output.bytes(result.reply as Uint8Array);
  else output.result(result.text === undefined ? renderJson(result.reply) : renderRawJson(result.text));
  return EXIT.done;
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
  const [account] =
    name === BOTH_PLATFORMS
      ? await choosePlatformAccounts(service, [given], { anyPlatform: true })
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
