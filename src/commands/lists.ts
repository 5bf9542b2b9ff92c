import { recordOfId } from '../acts/upload/records.ts';
import { CATALOGUE } from '../api/catalogue.ts';
import { IncompleteScanError, InvalidCallError, ServiceError } from '../api/errors.ts';
import { findList, maskSecretUrls, type ListDefinition, type ListName } from '../api/lists.ts';
import { readPages, type Place } from '../api/pages.ts';
import { readSources, type ListEnd, type ListSource } from '../api/read-sources.ts';
import { FILTERS, type FilterDefinition, type FilterName } from '../api/row.ts';
import { chooseAccount, chooseAccounts, warnOfMoved, type Service } from '../cli/accounts.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemDocument } from '../cli/define-command.ts';
import { toHeraldError, stackOf } from '../cli/failure-of.ts';
import {
  accountFlag,
  accountsFlag,
  limitFlag,
  onlyIf,
  parsedFlag,
  parseDigits,
  parseWholeNumber,
  suggestedFlag,
  switchFlag,
  textFlag,
  textsFlag,
  word,
  type Flag,
  type ValuesOf,
} from '../cli/flags.ts';
import { chooseFormat, LIST_FORMATS, REPORT_FORMATS } from '../cli/formats.ts';
import { DEFAULT_RANGE_DAYS } from '../cli/instant-range.ts';
import { warningLine } from '../cli/notice.ts';
import {
  chooseColumns,
  columnsFlag,
  drawItem,
  SINKS,
  type ListItem,
  type ListSink,
  type PageFacts,
} from '../cli/print-rows.ts';
import { buildQueries, chooseOwners, readOwner, type FilterValue } from '../cli/read-list.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { ListColumn } from '../domain/list-column.ts';
import { ReaderGoneError } from '../domain/ports.ts';
import { joined, page, shown, visible, visibleProse, type Visible } from '../domain/visible.ts';
import { unknownTarget } from '../live/accounts.ts';
import { renderJson } from '../render/json.ts';

/** Makes a list command from the row of its endpoint. */
export function defineList(name: ListName) {
  const definition = findList(name);
  const { argument, examples, one, summary } = definition;
  return defineCommand({
    path: name,
    about: summary,
    examples,
    // One item alone is printed as text.
    formats: one === undefined ? LIST_FORMATS : [...LIST_FORMATS, 'text'],
    words: { argument: onlyIf(argument !== undefined, word(argument?.name ?? '')) },
    flags: makeFlags(definition),
    needs: 'reads',
    run: (context, given, service) =>
      given.id === undefined
        ? printList(context, definition, given, service)
        : printUpload(context, definition, { ...given, id: given.id }, service),
  });
}

function makeFlags(definition: ListDefinition) {
  const { argument, one, operation, range, who } = definition;
  const hasAccounts = who !== 'organisation' && argument === undefined;
  const rangeOf = range?.of ?? '';
  const { style } = CATALOGUE[operation].paging;
  return {
    id: onlyIf(
      one !== undefined,
      textFlag('--id <id>', `show one ${one} by its id, in any state; text (default) or json`),
    ),
    account: onlyIf(argument !== undefined, accountFlag),
    accounts: onlyIf(hasAccounts, accountsFlag),
    from: onlyIf(
      range !== undefined,
      textFlag(
        '--from <time>',
        `${rangeOf} since: a date, a time, or an age such as 30d${range?.required === true ? ` (default: ${DEFAULT_RANGE_DAYS}d)` : ''}`,
      ),
    ),
    to: onlyIf(
      range !== undefined,
      textFlag('--to <time>', `${rangeOf} until; a date includes that day, UTC`),
    ),
    ...makeFilterFlags(definition),
    cursor: onlyIf(
      style === 'cursor',
      textFlag('--cursor <cursor>', 'go on where --limit ended an earlier list; JSON has it as next_cursor'),
    ),
    offset: onlyIf(
      ['offset', 'offset_total', 'has_more', 'marker'].includes(style),
      parsedFlag(
        '--offset <number>',
        'leave out this many rows at the start of each account',
        parseWholeNumber(0, Number.MAX_SAFE_INTEGER),
      ),
    ),
    marker: onlyIf(
      style === 'marker',
      parsedFlag(
        '--marker <marker>',
        'read the snapshot of an earlier list; JSON has its marker',
        parseDigits,
      ),
    ),
    before: onlyIf(
      style === 'message_id',
      parsedFlag('--before <id>', 'begin behind this message, as the service orders them', parseDigits),
    ),
    limit: limitFlag(`stop after this many rows${who === 'organisation' ? '' : ' of each account'}`),
    columns: columnsFlag(definition),
  };
}

function makeFilterFlags({ filters }: ListDefinition): Readonly<Record<FilterName, Flag<FilterValue>>> {
  const flags = Object.entries<FilterDefinition>(FILTERS).map(([name, filter]) => [
    name,
    onlyIf(filters.includes(name as FilterName), makeFilterFlag(filter)),
  ]);
  return Object.fromEntries(flags) as Readonly<Record<FilterName, Flag<FilterValue>>>;
}

function makeFilterFlag({ flag, description, takes, words = [] }: FilterDefinition): Flag<FilterValue> {
  switch (takes) {
    case 'switch':
      return switchFlag(flag, description);
    case 'text':
      return suggestedFlag(flag, description, words);
    case 'texts':
      return textsFlag(flag, description);
  }
}

type Given = ValuesOf<ReturnType<typeof makeFlags>> & { readonly argument: string | undefined };

/** Reads a list of all chosen accounts and prints it page by page. */
async function printList(
  context: Context,
  definition: ListDefinition,
  given: Given,
  service: Service,
): Promise<ExitCode> {
  const { clock, output } = context;
  const format = chooseFormat(context, LIST_FORMATS);
  const columns = chooseColumns(definition, given.columns, format);
  // Checks the flags before the first request. The range is read again by the service's clock.
  buildQueries(definition, given, clock.now());
  const warn = (sentence: string) => output.say(warningLine('service-warning', visibleProse(sentence)));
  // The service may know more orders than the document names.
  if (typeof given.order === 'string' && given.order !== 'asc')
    warn(`"${given.order}" is sent as the order. The service's document names only asc.`);
  const opened = await openSources(context, definition, given, service, warn);
  const sink = SINKS[format]({ output, definition, columns });
  const lookUp = makeLookUp(service, columns, warn);
  try {
    return await streamRows(context, definition, { ...opened, limit: given.limit, lookUp }, sink);
  } catch (error) {
    // The reader closed the pipe, as `| head` does.
    if (error instanceof ReaderGoneError) return EXIT.done;
    throw error;
  }
}

/** Makes one source of rows for each account, and one that fails for each account that the key does not see. */
async function openSources(
  context: Context,
  definition: ListDefinition,
  given: Given,
  service: Service,
  warn: (sentence: string) => void,
): Promise<Pick<Reading, 'sources' | 'facts'>> {
  const { clock, output } = context;
  const leaveOut = (sentence: string) => output.say(shown`Left out: ${visibleProse(sentence)}`);
  // An account that is named is refused.
  const onLeftOut = (given.accounts ?? []).length === 0 ? leaveOut : undefined;
  const unseen: ListSource<ListItem>[] = [];
  const owners = await chooseOwners(service, definition, given, {
    onLeftOut,
    onUnseen: (account, sentence) => void unseen.push(makeFailedSource(account, sentence)),
    onSame: warn,
  });
  const start = readStart(given);
  if (owners.length > 1 && start.handedBack !== undefined)
    throw new HeraldError(
      'bad-flag',
      'A cursor, a marker or a message belongs to the list of one account.',
      'Add --account.',
    );
  const chosen = owners.map(({ account, accountId }) => ({ alias: account ?? '', accountId }));
  await warnOfMoved(context, service, chosen);
  const creator = await resolveCreators(service, given.creator);
  const queries = buildQueries(definition, { ...given, creator }, clock.now() + service.client.skewMs());
  explainRange(context, definition, given, queries[0]);
  const facts = new Map<string, PageFacts>();
  const onFacts = (account: string | null, heard: PageFacts) => {
    const owner = account === null ? {} : { account };
    facts.set(account ?? '', { ...owner, ...facts.get(account ?? ''), ...heard });
  };
  const options = { queries, limit: given.limit, start, onFacts, onWarning: warn, onLeftOut };
  const sources = owners.map((owner) => ({
    account: owner.account ?? '',
    pages: () => readOwner(service, definition, owner, options),
  }));
  return { sources: [...sources, ...unseen], facts };
}

/** The list of an account that the key does not see. */
function makeFailedSource(account: string, sentence: string): ListSource<ListItem> {
  return {
    account,
    pages: async function* () {
      yield await Promise.reject<readonly ListItem[]>(unknownTarget([sentence]));
    },
  };
}

function readStart({ offset, cursor, marker, before }: Given): Place {
  const given = Object.entries({ cursor, marker, message_id: before }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    ...(offset === undefined ? {} : { offset }),
    ...(given.length === 0 ? {} : { handedBack: Object.fromEntries(given) }),
  };
}

/** Creators may be aliases and groups of the workspace, and several in one value. */
async function resolveCreators(service: Service, creator: FilterValue): Promise<FilterValue> {
  if (creator === undefined || typeof creator === 'boolean') return creator;
  const given = [creator].flat().flatMap((value) => value.split(',').map((one) => one.trim()));
  const [ids, names] = [true, false].map((isId) => given.filter((one) => /^\d*$/.test(one) === isId));
  const accounts =
    names?.length === 0 ? [] : await chooseAccounts(service, names ?? [], { anyPlatform: true });
  return [...(ids ?? []), ...accounts.map(({ accountId }) => accountId)];
}

function explainRange(
  { output }: Context,
  { range }: ListDefinition,
  { from }: Given,
  query: Readonly<Record<string, unknown>> = {},
): void {
  if (range?.required !== true || from !== undefined) return;
  const ends = `from ${String(query[range.from])} to ${String(query[range.to])}`;
  const what = `${range.of.charAt(0).toUpperCase()}${range.of.slice(1)}`;
  output.say(visibleProse(`${what} ${ends}: ${DEFAULT_RANGE_DAYS} days, because --from was not given.`));
}

/** Adds to the rows of a page what their columns look up. */
type LookUp = (items: readonly ListItem[]) => Promise<readonly ListItem[]>;

/**
 * Looks up the names behind the ids of figures: members from their list, which is read once, and accounts from
 * `herald.yaml`. Without the list, the figures are shown without names.
 */
function makeLookUp(
  { client, settings }: Service,
  columns: readonly ListColumn[],
  warn: (sentence: string) => void,
): LookUp {
  const paths = columns.filter(({ lookedUp }) => lookedUp === true).map(({ path }) => path);
  let members: Promise<ReadonlyMap<string, string>> | null = null;
  const aliases = new Map(
    settings.accounts.flatMap(({ alias, selector }) =>
      selector.by === 'id' ? [[selector.value, alias] as const] : [],
    ),
  );
  return async (items) => {
    if (paths.length === 0 || items.length === 0) return items;
    if (paths.includes('user_name')) members ??= readMemberNames(client, warn);
    const names = await members;
    return items.map((item) => ({
      ...item,
      user_name: names?.get(String(item['user_id'])) ?? null,
      creators: readIds(item['creator_ids']).map((id) => aliases.get(id) ?? id),
    }));
  };
}

function readIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

async function readMemberNames(
  client: Service['client'],
  warn: (sentence: string) => void,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  try {
    for await (const page of readPages(client, 'team.members', { params: {} }))
      for (const { id, name, customName } of page) {
        const known = [customName, name].find((one) => typeof one === 'string' && one !== '');
        if (typeof known === 'string') names.set(String(id), known);
      }
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof IncompleteScanError)) throw error;
    warn(`The names of members could not be read: ${error.message}`);
  }
  return names;
}

/** The lists of a command, with what the service says about each. */
interface Reading {
  readonly sources: readonly ListSource<ListItem>[];
  readonly limit: number | undefined;
  readonly facts: ReadonlyMap<string, PageFacts>;
  readonly lookUp: LookUp;
}

/** Streams all pages to the sink, then tells which could not be read. */
async function streamRows(
  context: Context,
  { rows: what }: ListDefinition,
  { sources, limit, facts, lookUp }: Reading,
  sink: ListSink,
): Promise<ExitCode> {
  const { output, flags } = context;
  const accounts = sources.length;
  let [rows, pages, accountsDone] = [0, 0, 0];
  const reading = readSources(sources, {
    ...(limit === undefined ? {} : { limit }),
    onProgress: (progress) => (accountsDone = progress.accountsDone),
  });
  let end: ListEnd = { complete: false, failures: [], notRead: [] };
  try {
    let step = await reading.next();
    for (; step.done !== true; step = await reading.next()) {
      rows += step.value.length;
      pages += 1;
      await sink.take(await lookUp(step.value.map(({ item }) => item)));
      const progress = accounts === 1 ? '' : `, ${accountsDone} of ${accounts} accounts done`;
      output.progress(
        shown`${what}: ${separateThousands(rows)} ${rows === 1 ? 'row' : 'rows'}, page ${separateThousands(pages)}${progress}`,
      );
    }
    end = step.value;
  } finally {
    output.progress('');
    await reading.return(end);
  }
  if (rows === 0) throwCommonFailure(context, end, accounts);
  const heard = [...facts.values()].filter((one) => Object.keys(one).some((key) => key !== 'account'));
  await sink.end(end.complete, heard);
  // JSON has the cursors.
  for (const { account, next_cursor: cursor } of flags.format === 'json' ? [] : heard)
    if (cursor !== undefined)
      output.say(
        shown`There may be more rows${account === undefined ? '' : ` of ${account}`}. To go on: --cursor ${visible(cursor)}`,
      );
  return end.complete ? EXIT.done : reportMissing(context, end, accounts);
}

/** Throws if no account could be read, or if the request itself is wrong. */
function throwCommonFailure({ output }: Context, { failures, notRead }: ListEnd, accounts: number): void {
  const mistake = failures.find(
    ({ error }) => error instanceof InvalidCallError || toHeraldError(error) === null,
  );
  const [first, ...others] = failures;
  if (mistake !== undefined) throw mistake.error;
  if (first === undefined || failures.length + notRead.length < accounts) return;
  for (const failure of others) output.fail(describeFailure(failure));
  throw first.error;
}

function reportMissing({ output }: Context, { failures, notRead }: ListEnd, accounts: number): ExitCode {
  for (const failure of failures) output.fail(describeFailure(failure));
  const unfinished = failures.length + notRead.length;
  const left = notRead.length === 0 ? '' : ` Not read: ${notRead.join(', ')}.`;
  const scope = accounts === 1 ? '' : ` for ${unfinished} of ${accounts} accounts`;
  output.fail(shown`The list is incomplete${scope}: rows are missing or may be.${left}`);
  return unfinished < accounts ? EXIT.partly : EXIT.failed;
}

function describeFailure({ account, error }: ListEnd['failures'][number]): Visible {
  const failure = toHeraldError(error);
  if (failure === null) return joined([shown`bug: `, stackOf(error)], '');
  const { message, hint } = failure;
  const words = hint === null ? [message] : [message, hint];
  const who = account === '' ? '' : `${account}: `;
  return joined([shown`error: ${who}`, joined(words.map(visibleProse), '\n')], '');
}

function separateThousands(number: number): string {
  return number.toLocaleString('en-US');
}

/**
 * Prints one upload, in any state. No endpoint reads a single one, so the whole list is searched, expired ones included
 * (VAULT-13).
 */
async function printUpload(
  context: Context,
  definition: ListDefinition,
  { id, accounts = [], limit, columns }: Given & { readonly id: string },
  service: Service,
): Promise<ExitCode> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const refused = [
    ...(limit === undefined ? [] : ['--limit']),
    ...(columns === undefined ? [] : ['--columns']),
  ];
  if (refused.length > 0)
    throw new HeraldError(
      'bad-flag',
      `--id shows one upload and cannot be combined with ${refused.join(', ')}.`,
    );
  if (accounts.length > 1)
    throw new HeraldError(
      'bad-flag',
      `--account was given ${accounts.length} times, and --id takes one account.`,
    );
  const { alias, accountId } = await chooseAccount(service, accounts[0]);
  await warnOfMoved(context, service, [{ alias, accountId }]);
  // New uploads shift the pages, so one reading without it does not prove that it is missing.
  const record =
    (await recordOfId(service.client, accountId, id)) ?? (await recordOfId(service.client, accountId, id));
  if (record === null)
    throw new HeraldError(
      'not-found',
      `Account ${alias} does not have an upload ${id}. Expired uploads were searched, too.`,
      `To see all uploads: ${formatCommand('vault', 'uploads', '--account', alias, '--expired')}`,
    );
  const item = maskSecretUrls(definition, record);
  context.output.result(
    format === 'json'
      ? renderJson(itemDocument({ account: alias, ...item }))
      : page(drawItem(context.output, definition, alias, item)),
  );
  return EXIT.done;
}
