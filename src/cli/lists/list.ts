import { unknownTarget } from '../../live/accounts.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { InvalidCallError } from '../../api/errors.ts';
import type { Context } from '../context.ts';
import { ReaderGoneError } from '../../domain/ports.ts';
import { joined, shown, visible, type Visible, visibleProse } from '../../domain/visible.ts';
import { readSources, type ListEnd, type ListSource } from '../../api/read-sources.ts';
import { stackOf } from '../failure-of.ts';
import { failureOf } from '../failure-of.ts';
import { chooseFormat, LIST_FORMATS } from '../formats.ts';
import { chooseAccounts, openServiceToRead, warnOfMoved, type Service } from '../accounts.ts';
import type { ListDefinition } from '../../api/lists.ts';
import { chooseColumns, type ListItem } from './list-columns.ts';
import { listOf, type ListName } from '../../api/lists.ts';
import { buildQueries, type ListFlags } from './query.ts';
import { lookUpFor } from './looked-up.ts';
import { SINKS, type ListSink, type PageFacts } from './sinks.ts';
import { refuseSeveral } from './start.ts';
import { choosePlaces, sourcesOf } from './sources.ts';
import { warningLine } from '../notice.ts';

/** Reads a list of all chosen accounts and prints it page by page. */
export async function listCommand(
  context: Context,
  name: ListName,
  argument: string | undefined,
  flags: ListFlags,
): Promise<number> {
  const definition = listOf(name);
  const format = chooseFormat(context, LIST_FORMATS);
  const columns = chooseColumns(definition, flags.columns, format);
  // Check the flags before the first request. The range is checked again with the service's clock.
  buildQueries(definition, flags, context.clock.now());

  const service = await openServiceToRead(context);
  const warn = (sentence: string) =>
    context.output.say(warningLine('service-warning', visibleProse(sentence)));
  const leaveOut = (sentence: string) => context.output.say(shown`Left out: ${visibleProse(sentence)}`);
  // An account that is named is refused.
  const onLeftOut = flags.account.length === 0 ? leaveOut : undefined;
  const unseen: ListSource<ListItem>[] = [];
  const places = await choosePlaces(service, definition, flags.account, argument, {
    onLeftOut,
    onUnseen: (account, sentence) => void unseen.push(failedSource(account, sentence)),
    onSame: warn,
  });
  refuseSeveral(flags.start, places.length);
  warnOfOrder(flags, warn);
  await warnOfMoved(
    context,
    service,
    places.map(({ account, accountId }) => ({ alias: account ?? '', accountId })),
  );
  const nowMs = context.clock.now() + service.client.skewMs();
  const { queries, notice } = buildQueries(definition, await withCreators(service, flags), nowMs);
  if (notice !== null) context.output.say(visibleProse(notice));

  const facts = new Map<string, PageFacts>();
  const sources = sourcesOf(service, definition, places, queries, {
    limit: flags.limit,
    start: flags.start,
    onFacts: (account, heard) => {
      const key = account ?? '';
      facts.set(key, { ...(account === null ? {} : { account }), ...facts.get(key), ...heard });
    },
    lookUp: lookUpFor(service, columns, warn),
    onWarning: warn,
    onLeftOut,
  });
  const sink = SINKS[format]({ output: context.output, definition, columns });
  try {
    const reading = { sources: [...sources, ...unseen], facts, limit: flags.limit };
    return await streamRows(context, definition, reading, sink);
  } catch (error) {
    // The reader closed the pipe, as `| head` does.
    if (error instanceof ReaderGoneError) return EXIT.done;
    throw error;
  }
}

/** The list of an account that the key does not see. */
function failedSource(account: string, sentence: string): ListSource<ListItem> {
  return {
    account,
    pages: async function* () {
      yield await Promise.reject<readonly ListItem[]>(unknownTarget([sentence]));
    },
  };
}

/** Streams all pages to the sink, then returns which could not be read. */
async function streamRows(
  context: Context,
  { rows: what }: ListDefinition,
  { sources, facts, limit }: Reading,
  sink: ListSink,
): Promise<number> {
  const counts = { rows: 0, pages: 0, accountsDone: 0 };
  const reading = readSources(sources, {
    ...(limit === undefined ? {} : { limit }),
    onProgress: ({ accountsDone }) => (counts.accountsDone = accountsDone),
  });
  let end = NOTHING_READ;
  try {
    let step = await reading.next();
    for (; step.done !== true; step = await reading.next()) {
      counts.rows += step.value.length;
      counts.pages += 1;
      await sink.take(step.value.map(({ item }) => item));
      context.output.progress(progressWords(what, counts, sources.length));
    }
    end = step.value;
  } finally {
    context.output.progress('');
    await reading.return(end);
  }
  if (counts.rows === 0) throwWhatHolds(context, end, sources.length);
  const pages = [...facts.values()].filter((one) => Object.keys(one).some((key) => key !== 'account'));
  await sink.end(end.complete, pages);
  sayCursors(context, pages);
  if (end.complete) return EXIT.done;
  sayWhatIsMissing(context, end, sources.length);
  return end.failures.length + end.notRead.length < sources.length ? EXIT.partly : EXIT.failed;
}

/** The lists of a command, with what the service says about each. */
interface Reading {
  readonly sources: readonly ListSource<ListItem>[];
  readonly facts: ReadonlyMap<string, PageFacts>;
  readonly limit: number | undefined;
}

/** JSON has the cursors; people get them on stderr. */
function sayCursors({ output, flags }: Context, pages: readonly PageFacts[]): void {
  if (flags.format === 'json') return;
  for (const { account, next_cursor: cursor } of pages)
    if (cursor !== undefined)
      output.say(
        shown`There may be more rows${account === undefined ? '' : ` of ${account}`}. To go on: --cursor ${visible(cursor)}`,
      );
}

/** Creators may be aliases and groups of the workspace, and several in one value. */
async function withCreators(service: Service, flags: ListFlags): Promise<ListFlags> {
  const { creator } = flags.filters;
  if (!Array.isArray(creator)) return flags;
  const given = creator.flatMap((value: string) => value.split(',')).map((value) => value.trim());
  const names = given.filter((value) => !/^\d*$/.test(value));
  const accounts = names.length === 0 ? [] : await chooseAccounts(service, names, { anyPlatform: true });
  const ids = given.filter((value) => !names.includes(value));
  const creators = [...ids, ...accounts.map(({ accountId }) => accountId)];
  return { ...flags, filters: { ...flags.filters, creator: creators } };
}

/** The document names one word for the order. The service may know more, so others are sent. */
function warnOfOrder({ filters }: ListFlags, warn: (sentence: string) => void): void {
  const { order } = filters;
  if (typeof order === 'string' && order !== 'asc')
    warn(`"${order}" is sent as the order. The service's document names only asc.`);
}

const NOTHING_READ: ListEnd = { complete: false, failures: [], notRead: [] };

/** Throws if no account could be read, or if the request itself is wrong. */
function throwWhatHolds(context: Context, { failures, notRead }: ListEnd, accounts: number): void {
  const mistake = failures.find(
    ({ error }) => error instanceof InvalidCallError || failureOf(error) === null,
  );
  const [first, ...others] = failures;
  if (mistake !== undefined) throw mistake.error;
  if (first === undefined || failures.length + notRead.length < accounts) return;
  for (const { account, error } of others) context.output.fail(failureWords(account, error));
  throw first.error;
}

function sayWhatIsMissing(context: Context, { failures, notRead }: ListEnd, accounts: number): void {
  for (const { account, error } of failures) context.output.fail(failureWords(account, error));
  const unfinished = failures.length + notRead.length;
  const left = notRead.length === 0 ? '' : ` Not read: ${notRead.join(', ')}.`;
  const scope = accounts === 1 ? '' : ` for ${unfinished} of ${accounts} accounts`;
  context.output.fail(shown`The list is incomplete${scope}: rows are missing or may be.${left}`);
}

function failureWords(account: string, error: unknown): Visible {
  const failure = failureOf(error);
  if (failure === null) return joined([shown`bug: `, stackOf(error)], '');
  const words = [failure.message, ...(failure.hint === null ? [] : [failure.hint])].map(visibleProse);
  return joined([shown`error: ${account === '' ? '' : `${account}: `}`, joined(words, '\n')], '');
}

/** `transactions: 12,000 rows, page 12, 3 of 40 accounts done` */
function progressWords(
  what: string,
  { rows, pages, accountsDone }: { rows: number; pages: number; accountsDone: number },
  accounts: number,
): Visible {
  const progress = accounts === 1 ? '' : `, ${accountsDone} of ${accounts} accounts done`;
  return shown`${what}: ${withThousands(rows)} ${rows === 1 ? 'row' : 'rows'}, page ${withThousands(pages)}${progress}`;
}

function withThousands(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
