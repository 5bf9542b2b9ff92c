import { ServiceError } from '../../api/errors.ts';
import { CATALOGUE, isOperation, OPERATIONS, rowOf } from '../../api/catalogue.ts';
import { parseJson } from '../../api/json.ts';
import type { Row } from '../../api/row.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { Context } from '../context.ts';
import { ReaderGoneError } from '../../domain/ports.ts';
import { shown } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { isRecorded } from '../../operations/raw-call/raw-call.ts';
import { writeOnRecord } from './api-write.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, LIST_FORMATS } from '../formats.ts';
import type { ColumnSet } from '../lists/list-columns.ts';
import { SINKS } from '../lists/sinks.ts';
import { openService, sayService } from '../accounts.ts';

export interface ApiFlags {
  /** `name=value` (repeatable), for path and query parameters. */
  readonly param: readonly string[];
  /** A JSON file, or `-` for standard input. */
  readonly body: string | undefined;
  readonly yes: boolean;
}

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

/** `herald api --list`: lists all operations. */
export async function apiListCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, LIST_FORMATS);
  const { output } = context;
  const sink = SINKS[format]({ output, definition: COLUMNS, columns: COLUMNS.columns, sort: null });
  try {
    await sink.take(OPERATIONS.map((operation) => ({ operation, ...describeRow(operation) })));
    await sink.end(true);
  } catch (error) {
    if (!(error instanceof ReaderGoneError)) throw error;
  }
  return EXIT.done;
}

/** `herald api OPERATION`: calls one endpoint and prints the raw answer. */
export async function apiCommand(context: Context, operation: string, flags: ApiFlags): Promise<number> {
  if (!isOperation(operation)) {
    throw new CommandError(
      'unknown-operation',
      `Unknown operation "${operation}".`,
      'To list all operations: herald api --list',
    );
  }
  chooseFormat(context, ['json']);
  const row = rowOf(operation);
  if (row.reply === 'binary' && context.output.isTerminal) {
    throw new CommandError(
      'binary-answer',
      `${operation} returns bytes, which a terminal cannot show.`,
      'Write them to a file: herald api … > FILE',
    );
  }
  const input = { ...splitParams(row, flags.param), body: await readBody(context, flags.body) };
  if (!isRecorded(operation)) {
    if (row.method !== 'GET') await agree(context, operation, flags.yes);
    const { client } = await openService(context);
    return print(context, row, await client.callLoosely(operation, input));
  }
  const service = await openService(context);
  // Validate the call before the question.
  service.client.prepareLoosely(operation, input);
  const at = sayService(context, service);
  await agree(context, operation, flags.yes, at);
  const { params, body } = input;
  return print(context, row, await writeOnRecord(context, service, { operation, params, body }));
}

async function agree(context: Context, operation: string, yes: boolean, at = ''): Promise<void> {
  if (yes) return;
  const row = CATALOGUE[operation as keyof typeof CATALOGUE];
  if (!context.interactive)
    throw new CommandError(
      'needs-yes',
      `${operation} changes something, and there is no terminal for the question. Nothing was sent.`,
      'Add --yes.',
    );
  if (!(await context.confirm(shown`${row.title}. Send it${at === '' ? '' : ` at ${at}`}?`)))
    throw new CommandError('declined', 'Nothing was sent.');
}

function splitParams(
  row: Row,
  given: readonly string[],
): { params: Record<string, string>; query: Record<string, string | string[]> } {
  const params: Record<string, string> = {};
  const query: Record<string, string | string[]> = {};
  for (const pair of given) {
    const at = pair.indexOf('=');
    if (at < 1) throw new CommandError('bad-flag', `--param ${pair} must have the form name=value.`);
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (row.path.includes(`{${name}}`)) params[name] = value;
    else query[name] = name in query ? [query[name] ?? [], value].flat() : value;
  }
  return { params, query };
}

async function readBody(context: Context, path: string | undefined): Promise<unknown> {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = path === '-' ? await context.readInput() : await context.typed.files.readText(path);
  } catch (error) {
    throw new CommandError('bad-body', `Cannot read the body in ${path}: ${(error as Error).message}.`);
  }
  try {
    return parseJson(text);
  } catch (error) {
    throw new CommandError('bad-body', `The body in ${path} is not JSON: ${(error as Error).message}.`);
  }
}

async function print(context: Context, row: Row, result: Exchange<unknown>): Promise<number> {
  if (result.kind === 'done') {
    if (row.reply === 'binary') await context.output.bytes(result.reply as ReadableStream<Uint8Array>);
    else context.output.result(renderJson(result.reply));
    return EXIT.done;
  }
  throw new ServiceError(result.problem);
}

function describeRow(operation: (typeof OPERATIONS)[number]) {
  const { title, method, path, permission, perSecond, group, paging, repeat } = rowOf(operation);
  return {
    title,
    method,
    path,
    permission,
    per_second: perSecond,
    group: group ?? null,
    paging: paging.style,
    repeat,
  };
}
