import { EXIT } from '../../domain/exit-codes.ts';
import { ServiceError, type Problem } from '../../api/errors.ts';
import { isOperation, OPERATIONS, rowOf } from '../../api/catalogue.ts';
import { parseJson } from '../../api/json.ts';
import { GROUP_PER_SECOND, type Row } from '../../api/row.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import { shown } from '../../domain/visible.ts';
import { compactJson, renderJson } from '../../render/json.ts';
import { renderRawJson } from '../../render/raw-json.ts';
import { apiAccount, apiTarget, refuseOtherPlatform } from './api-target.ts';
import { knownPart } from '../../api/known-part.ts';
import { refuseRawWrite } from '../../acts/raw.ts';
import { exitOfDone } from '../act-run.ts';
import { writeOnRecord } from './api-write.ts';
import { requireAnswer } from '../question.ts';
import { chooseFormat, LIST_FORMATS } from '../formats.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { printRows, type ColumnSet } from '../print-rows.ts';
import { openService, openServiceToRead, sayService, warnOfMoved } from '../accounts.ts';
import { HeraldError } from '../../domain/herald-error.ts';

export interface ApiFlags {
  /** `name=value` (repeatable), for path and query parameters. */
  readonly param: readonly string[];
  /** A JSON file, or `-` for standard input. */
  readonly body: string | undefined;
  readonly yes: boolean;
  /** The path, if a method was typed instead of an operation. */
  readonly path?: string | undefined;
  /** An account for the ids of the path. */
  readonly account?: string | undefined;
  /** False sends parameters and members that Herald does not know. */
  readonly localCheck: boolean;
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
  const items = OPERATIONS.map((operation) => ({ operation, ...describeRow(operation) }));
  return printRows(format, { output, definition: COLUMNS, columns: COLUMNS.columns }, items, true);
}

/** `herald api OPERATION` or `herald api METHOD PATH`: makes one call and prints the answer as it came. */
export async function apiCommand(context: Context, typed: string, flags: ApiFlags): Promise<number> {
  const target = apiTarget(typed, flags.path, flags.body !== undefined);
  const { name, row } = target;
  refuseRawWrite(name);
  chooseFormat(context, ['json']);
  if (row.reply === 'binary' && context.output.isTerminal) {
    throw new HeraldError(
      'binary-answer',
      `${name} returns bytes, which a terminal cannot show.`,
      `Write them to a file: ${formatCommand('api', 'OPERATION')} > FILE`,
    );
  }
  const input = await readInput(context, row, flags);
  const service = await (row.method === 'GET' ? openServiceToRead : openService)(context);
  const account = await apiAccount(service, target, flags.account);
  const params = { ...target.params, ...input.params, ...account?.params };
  refuseOtherPlatform(service, name, params);
  const call = { ...input, params };
  const send = service.client.prepareRow(name, row, call);
  if (account !== null) await warnOfMoved(context, service, [account]);
  if (row.method === 'GET') return print(context, row, await send());
  requireAnswer(context, flags.yes, `${name} changes something`);
  // Of the catalogue, only a lookup is left by now.
  if (isOperation(name)) {
    if (!flags.yes) await askToSend(context, row, '');
    return print(context, row, await send());
  }
  const at = sayService(context, service);
  const ask = flags.yes ? null : () => askToSend(context, row, ` at ${at}`);
  const sent = await writeOnRecord(context, service, { name, row, input: call }, ask);
  if (sent.kind === 'failed') throw failedCall(context, sent.problem);
  printReply(context, sent);
  return exitOfDone(context, sent.unrecorded);
}

interface ApiInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly handedBack: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly bodyText: string | undefined;
}

/** The parameters and the body. Without local checks, members that Herald does not know are sent, too. */
async function readInput(context: Context, row: Row, flags: ApiFlags): Promise<ApiInput> {
  const { params, query } = splitParams(row, flags.param);
  const bodyText = await readBodyText(context, flags.body);
  const body = bodyText === undefined ? undefined : parsedBody(bodyText, flags.body ?? '');
  if (flags.localCheck) return { params, query, handedBack: {}, body, bodyText };
  const known = row.body === null ? body : knownPart(row.body, body).known;
  const asked = knownPart(row.query, query).known as ApiInput['query'];
  const added = Object.entries(query).filter(([key]) => !(key in asked));
  const handedBack = Object.fromEntries(added.map(([key, value]) => [key, String(value)]));
  return { params, query: asked, handedBack, body: known, bodyText };
}

function askToSend(context: Context, { title }: Row, at: string): Promise<void> {
  const question = typedQuestion(shown`${title}. Send it${at}?`, 'send it');
  return requireYes(context, question, 'Nothing was sent.');
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
    if (row.path.includes(`{${name}}`)) {
      if (name in params)
        throw new HeraldError(
          'bad-flag',
          `--param ${name} is in the path, and it was given twice: ${params[name]} and ${value}.`,
          'Give it once. For several values, run the command once for each.',
        );
      params[name] = value;
    } else query[name] = name in query ? [query[name] ?? [], value].flat() : value;
  }
  return { params, query };
}

async function readBodyText(context: Context, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return path === '-' ? await context.readInput() : await context.typed.files.readText(path);
  } catch (error) {
    throw new HeraldError('bad-body', `Cannot read the body in ${path}: ${fileProblem(error)}.`);
  }
}

function parsedBody(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new HeraldError('bad-body', `The body in ${path} is not JSON: ${(error as Error).message}.`);
  }
}

async function print(context: Context, row: Row, result: Exchange<unknown>): Promise<number> {
  if (result.kind !== 'done') throw failedCall(context, result.problem);
  if (row.reply === 'binary') await context.output.bytes(result.reply as ReadableStream<Uint8Array>);
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

function describeRow(operation: (typeof OPERATIONS)[number]) {
  const { title, method, path, permission, perSecond, group, paging, repeat } = rowOf(operation);
  return {
    title,
    method,
    path,
    permission,
    per_second: group === undefined ? perSecond : Math.min(perSecond, GROUP_PER_SECOND),
    group: group ?? null,
    paging: paging.style,
    repeat,
  };
}
