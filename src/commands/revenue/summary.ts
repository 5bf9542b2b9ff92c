import { makeColumns } from '../../api/columns.ts';
import { LIST_COMMANDS } from '../../api/lists.ts';
import type { Service } from '../../library/connect.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { accountsFlag, choiceFlag, switchFlag, textFlag, type ValuesOf } from '../../cli/flags.ts';
import { LIST_FORMATS } from '../../cli/formats.ts';
import { DEFAULT_RANGE_DAYS } from '../../cli/instant-range.ts';
import {
  chooseColumns,
  columnsFlag,
  printRows,
  readInto,
  type ColumnSet,
  type ListItem,
} from '../../cli/print-rows.ts';
import { buildQuery, openOwners, readOwner, sayRange } from '../../cli/read-list.ts';
import { compareText } from '../../domain/diagnostic.ts';

/** Without `--net`, the first four. */
const COLUMNS: ColumnSet = {
  who: 'organisation',
  columns: makeColumns('by group transactions amount chargebacks charged_back net', {
    group: { none: '' },
    transactions: { as: 'number' },
    chargebacks: { as: 'number' },
    charged_back: { as: 'money' },
    net: { as: 'money' },
  }),
  more: [],
};

const GROUPS = ['account', 'day', 'type', 'status'] as const;

/** The two lists, with the member that has the time of a row. */
const LISTS = {
  transactions: { name: 'revenue transactions', time: 'timestamp' },
  chargebacks: { name: 'revenue chargebacks', time: 'chargeback_timestamp' },
} as const;
type ListKey = keyof typeof LISTS;

const flags = {
  by: choiceFlag('--by <what>', 'one row for each account, day, type or status', GROUPS),
  net: switchFlag('--net', 'also take off the chargebacks that came in the range'),
  accounts: accountsFlag,
  from: textFlag('--from <time>', `since: a date, a time, or an age (default: ${DEFAULT_RANGE_DAYS}d)`),
  to: textFlag('--to <time>', 'until; a date includes that day, UTC'),
  columns: columnsFlag(COLUMNS),
};

/** Adds up the transactions of a range. Every status counts; `--by status` tells them apart. */
export const summary = defineCommand({
  path: 'revenue summary',
  about: 'add up the transactions of a range, with a grand total',
  examples: [
    'herald revenue summary --by account --from 30d',
    'herald revenue summary --by day --net --account vip --from 2026-11-01 --to 2026-11-30 --format csv',
  ],
  more: 'Transactions of every status count; --by status shows each. Days are those of UTC. The last row is the total of all.',
  formats: LIST_FORMATS,
  flags,
  needs: 'reads',
  run: async (context, given, service) => {
    const { by, net } = given;
    const shown = net ? COLUMNS : { ...COLUMNS, columns: COLUMNS.columns.slice(0, 4) };
    const print = chooseColumns(shown, given);
    const groups: Groups = new Map([[null, makeGroup()]]);
    const missing = [await addList(context, service, given, 'transactions', groups)];
    if (net) missing.push(await addList(context, service, given, 'chargebacks', groups));
    const sorted = [...groups].toSorted(([left], [right]) => compareNames(left, right));
    const rows = sorted.map(([name, group]) => ({
      by: name === null ? 'total' : by,
      group: name,
      ...describe(group, net),
    }));
    const exit = await printRows(context, print, rows);
    return missing.find((one) => one !== null)?.() ?? exit;
  },
});

async function addList(
  context: Context,
  service: Service,
  given: ValuesOf<typeof flags>,
  key: ListKey,
  groups: Groups,
): ReturnType<typeof readInto> {
  const { clock, output } = context;
  const definition = LIST_COMMANDS[LISTS[key].name];
  const query = buildQuery(definition, given, clock.now() + service.client.skewMs());
  sayRange(context, definition, given, query);
  const { makeSources } = await openOwners(context, service, definition, given);
  const sources = makeSources((owner) => readOwner(service.client, definition, owner, { query }));
  const take = async (items: readonly ListItem[]) => {
    for (const item of items) {
      const { amount } = item;
      const value = given.by === 'day' ? item[LISTS[key].time] : item[given.by];
      const text = typeof value === 'string' ? value : 'n/a';
      for (const name of [given.by === 'day' ? text.slice(0, 10) : text, null]) {
        const group = groups.get(name) ?? makeGroup();
        groups.set(name, group);
        group[key].rows += 1;
        group[key].amount += typeof amount === 'number' ? Math.round(amount * MILLION) : Number.NaN;
      }
    }
  };
  return readInto(output, { what: definition.rows, sources }, take);
}

interface Sum {
  rows: number;
  /** In millionths, so that cents add up exactly. Not a number if a row has no amount, or if it is too large for that. */
  amount: number;
}
type Group = Record<ListKey, Sum>;

/** Null is the name of the group of all rows. */
type Groups = Map<string | null, Group>;

/** All rows come last. */
function compareNames(left: string | null, right: string | null): number {
  if (left === null || right === null) return left === null ? 1 : -1;
  return compareText(left, right);
}

const MILLION = 1_000_000;

function makeGroup(): Group {
  return { transactions: { rows: 0, amount: 0 }, chargebacks: { rows: 0, amount: 0 } };
}

function describe({ transactions, chargebacks }: Group, isNet: boolean): ListItem {
  const dollars = (millionths: number) => (Number.isSafeInteger(millionths) ? millionths / MILLION : null);
  const net = dollars(transactions.amount - chargebacks.amount);
  return {
    transactions: transactions.rows,
    amount: dollars(transactions.amount),
    ...(isNet ? { chargebacks: chargebacks.rows, charged_back: dollars(chargebacks.amount), net } : {}),
  };
}
