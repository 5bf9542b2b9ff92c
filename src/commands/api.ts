import * as z from 'zod';
import { isOperation, OPERATIONS, rowOf, type CallName, type Operation } from '../api/catalogue.ts';
import { makeColumns } from '../api/columns.ts';
import { ServiceError } from '../api/errors.ts';
import { GROUP_PER_SECOND, READ, type Row } from '../api/row.ts';
import { chooseName, openService, warnOfMoved } from '../cli/accounts.ts';
import type { Service } from '../library/connect.ts';
import type { Context } from '../cli/context.ts';
import { chooseFormat, defineCommand, LIST_FORMATS } from '../cli/define-command.ts';
import { suggest, switchFlag, textFlag, textsFlag, type ValuesOf, word } from '../cli/flags.ts';
import { chooseColumns, printRows } from '../cli/print-rows.ts';
import { chooseOwners, type Owner } from '../cli/read-list.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { shown } from '../domain/visible.ts';
import { compactJson, renderJson, renderRawJson } from '../render/json.ts';

const flags = {
  list: switchFlag('--list', 'list the operations'),
  param: textsFlag('--param <name=value>', 'path or query parameter (repeatable)'),
  account: textFlag('--account <name>', 'alias or id of the account, for the ids in the path'),
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
  words: { operation: suggest(OPERATIONS, word('[OPERATION]')), path: word('[PATH]') },
  flags,
  needs: 'nothing',
  run: (context, { operation, path, list, ...given }) =>
    operation === undefined || list
      ? listOperations(context)
      : callOperation(context, findTarget(operation, path), given),
});

const COLUMNS = {
  columns: makeColumns('operation method path permission per_second repeat', {
    operation: { as: 'whole' },
    per_second: { as: 'number' },
  }),
};

function listOperations(context: Context): Promise<ExitCode> {
  const print = chooseColumns(COLUMNS, { format: chooseFormat(context, LIST_FORMATS), columns: undefined });
  const items = OPERATIONS.map((operation) => {
    const { title, method, path, permission, perSecond, group, paging, repeat } = rowOf(operation);
    const per_second = group === undefined ? perSecond : Math.min(perSecond, GROUP_PER_SECOND);
    const rates = { per_second, group: group ?? null };
    return { operation, title, method, path, permission, ...rates, paging: paging.style, repeat };
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

interface Target {
  readonly name: CallName;
  readonly row: Row;
}

/** An operation, which is checked, or a method and a path, which are sent as they are. Throws for a write. */
function findTarget(typed: string, path: string | undefined): Target {
  if (path === undefined) {
    if (isOperation(typed)) return requireRead(typed);
    throw new HeraldError(
      'unknown-operation',
      `Unknown operation "${typed}".`,
      `To list all operations: ${formatCommand('api', '--list')}. To read another path: ${formatCommand('api', 'GET', '/api/v0/PATH')}`,
    );
  }
  const method = typed.toUpperCase();
  const known = OPERATIONS.find((operation) => {
    const row = rowOf(operation);
    const pattern = new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/%]+')}$`);
    return row.method === method && pattern.test(path);
  });
  if (known !== undefined) requireRead(known);
  if (method === 'GET' && /^\/[!-~]*$/.test(path) && !/[?#{}]/.test(path))
    return { name: `GET ${path as `/${string}`}`, row: makeRow(path, known) };
  throw new HeraldError(
    'bad-flag',
    `${typed} ${path} is not a method and a path that Herald reads. Nothing was sent.`,
    'Write GET and a path such as /api/v0/accounts. Each parameter of a query is a flag: --param name=value',
  );
}

/** A row for a read without checks of its parameters. Where the catalogue has the path, its rate and the form of its answer. */
function makeRow(path: string, known: Operation | undefined): Row {
  const { perSecond, permission, reply } = rowOf(known ?? 'accounts.list');
  return {
    ...READ,
    title: `GET ${path}`,
    path,
    perSecond,
    permission,
    params: z.looseObject({}),
    query: z.looseObject({}),
    anySuccess: true,
    reply: reply === 'binary' ? reply : z.unknown(),
  };
}

function requireRead(name: Operation): Target {
  const row = rowOf(name);
  if (row.method === 'GET') return { name, row };
  throw new HeraldError(
    'invalid-call',
    `${name} was not sent: it has a command of its own, which checks it, and never sends it twice.`,
    `Use: ${formatCommand(...(COMMANDS[name] ?? '--help').split(' '))}`,
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
  const service = await openService(context, { mayLackFile: true });
  const owner = await findOwner(service, target, given.account);
  const input = { params: { ...typed, ...owner?.params }, query };
  const send = service.client.prepareRow(name, { ...row, keepsText: true }, input);
  if (owner !== null) await warnOfMoved(context, service, [owner]);
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

/** The parameters of the path, each once, and those of the query. */
function splitParams({ path }: Row, given: readonly string[]) {
  const params: Record<string, string> = {};
  const query: Record<string, string | string[]> = {};
  for (const pair of given) {
    const at = pair.indexOf('=');
    if (at < 1) throw new HeraldError('bad-flag', `--param ${pair} must have the form name=value.`);
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (!path.includes(`{${name}}`)) query[name] = name in query ? [query[name] ?? [], value].flat() : value;
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

/** The account that `--account` stands for, with the ids that the path needs. Null without it: the ids of the call were typed. */
async function findOwner(
  service: Service,
  { name, row }: Target,
  given: string | undefined,
): Promise<Owner | null> {
  if (given === undefined) return null;
  const who = row.path.includes('{account_id}') ? 'account' : 'platform';
  if (who === 'platform' && !row.path.includes('{platform_account_id}'))
    throw new HeraldError('bad-flag', `${name} takes no account.`, 'Leave out --account.');
  const anyPlatform = name === 'accounts.get' || row.list?.bothPlatforms === true;
  const [owner] = await chooseOwners(service, who, [chooseName(service, given)], { anyPlatform });
  return owner ?? null;
}
