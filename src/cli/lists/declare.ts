import { KIND_ROWS, KINDS_IN_FILES } from '../../domain/resource.ts';
import type { Command } from 'commander';
import { flagKey, knownColumns, type ListDefinition } from '../../api/lists.ts';
import { FILTERS, type FilterDefinition, type FilterName } from '../../api/row.ts';
import { LIST_NAMES, listOf, type ListName } from '../../api/lists.ts';
import type { ListFlags } from './query.ts';
import { startFlagsOf, startOf } from './start.ts';
import { LIST_FORMATS } from '../formats.ts';
import { SuggestingOption } from '../suggestions.ts';
import { collect, group, sub, wholeNumber, type Act } from '../sub.ts';

/** Command groups, in the order of the help. */
const GROUPS = {
  accounts: 'the accounts that the key sees',
  traffic: 'subscriptions, links and the fans that they brought',
  revenue: 'transactions and chargebacks',
  team: "the organisation's members and their figures",
  fans: 'fans of an account',
  chat: 'chats of an account',
  payouts: 'balances and payout requests',
  vault: "an account's media library",
  campaigns: 'list and change single campaigns',
  broadcasts: 'list and change single broadcasts',
} as const;

/** The commands that only read. Together they have hundreds of flags. */
export function declareReads(program: Command, act: Act, isNamed: (group: string) => boolean): void {
  for (const [name, description] of Object.entries(GROUPS))
    if (isNamed(name)) group(program, name, description);
  for (const name of LIST_NAMES) {
    const [groupName = '', word = ''] = name.split(' ');
    if (isNamed(groupName)) declareList(group(program, groupName, ''), act, name, word);
  }
  declareGets(program, act, isNamed);
}

function declareList(parent: Command, act: Act, name: ListName, word: string): void {
  const definition = listOf(name);
  const usage = definition.argument === undefined ? word : `${word} <${definition.argument.name}>`;
  const command = sub(parent, usage, definition.summary, definition.examples, {
    // One of them alone is printed as text.
    formats: definition.one === undefined ? LIST_FORMATS : [...LIST_FORMATS, 'text'],
  });
  addFlags(command, definition);
  command.action((...given: readonly unknown[]) => {
    const [argument, options] = definition.argument === undefined ? [undefined, given[0]] : given;
    const { id, ...flags } = options as Readonly<Record<string, unknown>>;
    return act(command, async (context) =>
      typeof id === 'string'
        ? (await import('./get-upload.ts')).getUploadCommand(context, id, flagsOf(definition, flags))
        : (await import('./list.ts')).listCommand(
            context,
            name,
            typeof argument === 'string' ? argument : undefined,
            flagsOf(definition, flags),
          ),
    );
  });
}

function addFlags(command: Command, definition: ListDefinition): void {
  const { who, argument, range, filters, one } = definition;
  if (one !== undefined)
    command.option('--id <id>', `show one ${one} by its id, in any state; text (default) or json`);
  if (who !== 'organisation') {
    const accountHelp =
      argument === undefined
        ? 'alias, group or id (repeatable; default: all accounts)'
        : 'alias or id (needed if the workspace has several accounts)';
    command.option('--account <name>', accountHelp, collect);
  }
  if (range !== undefined) {
    const without = range.required ? ' (default: 30d)' : '';
    command
      .option('--from <time>', `${range.of} since: a date, a time, or an age such as 30d${without}`)
      .option('--to <time>', `${range.of} until; a date includes that day, UTC`);
  }
  for (const filter of filters) {
    const { flag, description, takes } = FILTERS[filter];
    if (takes === 'texts') command.option(flag, description, collect);
    else command.addOption(new SuggestingOption(flag, description, wordsOf(filter)));
  }
  for (const { flag, description } of startFlagsOf(definition)) command.option(flag, description);
  const perAccount = who === 'organisation' ? '' : ' of each account';
  command
    .option('--limit <number>', `stop after this many rows${perAccount}`, wholeNumber(1, 1_000_000_000))
    .addOption(
      new SuggestingOption(
        '--columns <names>',
        'columns to show, by their names in the service (table and csv)',
        knownColumns(definition).map(({ path }) => path),
      ),
    );
}

function wordsOf(filter: FilterName): readonly string[] {
  const definition: FilterDefinition = FILTERS[filter];
  return definition.words ?? [];
}

/** Converts commander's values to the flags of the list command. */
function flagsOf(definition: ListDefinition, flags: Readonly<Record<string, unknown>>): ListFlags {
  const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined);
  const filters: Partial<Record<FilterName, string | readonly string[] | boolean>> = {};
  for (const name of definition.filters) {
    const value = flags[flagKey(FILTERS[name])];
    if (typeof value === 'string' || typeof value === 'boolean') filters[name] = value;
    else if (Array.isArray(value)) filters[name] = value.map(String);
  }
  return {
    account: Array.isArray(flags['account']) ? flags['account'].map(String) : [],
    limit: typeof flags['limit'] === 'number' ? flags['limit'] : undefined,
    start: startOf(definition, flags),
    from: text('from'),
    to: text('to'),
    columns: text('columns'),
    filters,
  };
}

function declareGets(program: Command, act: Act, isNamed: (group: string) => boolean): void {
  if (isNamed('accounts'))
    sub(group(program, 'accounts', ''), 'get <ACCOUNT>', 'show one account, by alias or id', [
      'herald accounts get alice',
      'herald accounts get 101 --format json',
    ]).action((account: string, _flags: unknown, command: Command) =>
      act(command, async (context) => (await import('./get.ts')).getAccountCommand(context, account)),
    );
  for (const kind of KINDS_IN_FILES) {
    const { plural } = KIND_ROWS[kind];
    if (!isNamed(plural)) continue;
    sub(
      group(program, plural, ''),
      'get <ID|ADDRESS>',
      `show one ${kind} with its messages, audience and figures`,
      [`herald ${plural} get alice/${kind}/Welcome`, `herald ${plural} get 77 --account alice --format json`],
    )
      .option('--account <name>', 'alias or id (needed if the workspace has several accounts)')
      .action((id: string, flags: { account?: string }, command: Command) =>
        act(command, async (context) =>
          (await import('./get.ts')).getResourceCommand(context, kind, id, flags.account),
        ),
      );
  }
}
