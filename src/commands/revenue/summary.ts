import { makeColumns } from '../../api/columns.ts';
import { LIST_COMMANDS } from '../../api/lists.ts';
import type { Service } from '../../library/connect.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand, LIST_FORMATS } from '../../cli/define-command.ts';
import { accountsFlag, choiceFlag, switchFlag, textFlag, type ValuesOf } from '../../cli/flags.ts';
import { DEFAULT_RANGE_DAYS } from '../../library/instant-range.ts';
import { chooseColumns, columnsFlag, printRows, readInto } from '../../cli/print-rows.ts';
import { openList } from '../../cli/read-list.ts';
import { compareText } from '../../domain/diagnostic.ts';

/** Without `--net`, the first four. */
const COLUMNS = {
  columns: makeColumns('by group transactions amount chargebacks charged_back net', {
    group: { none: '' },
    transactions: { as: 'number' },
    chargebacks: { as: 'number' },
    charged_back: { as: 'money' },
    net: { as: 'money' },
  }),
};

const GROUPS = ['account', 'day', 'type', 'status'] as const;

/** The member with the time of a row, and the columns of their number and sum. Without `--net`, the first list. */
const LISTS = [
  { list: 'revenue transactions', time: 'timestamp', rows: 'transactions', sum: 'amount' },
  { list: 'revenue chargebacks', time: 'chargeback_timestamp', rows: 'chargebacks', sum: 'charged_back' },
] as const;

const flags = {
  by: choiceFlag('--by <what>', 'one row for each account, day, type or status', GROUPS, 'account'),
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
    const groups: Groups = new Map([[null, { ...NONE }]]);
    const missing = [];
    for (const list of net ? LISTS : LISTS.slice(0, 1))
      missing.push(await addList(context, service, given, list, groups));
    const sorted = [...groups].toSorted(([left], [right]) => compareNames(left, right));
    const rows = sorted.map(([group, sums]) => ({
      by: group === null ? 'total' : by,
      group,
      ...describeSums(sums, net),
    }));
    const exit = await printRows(context, print, rows);
    return missing.find((one) => one !== null)?.() ?? exit;
  },
});

async function addList(
  context: Context,
  service: Service,
  given: ValuesOf<typeof flags>,
  { list, time, rows, sum }: (typeof LISTS)[number],
  groups: Groups,
): ReturnType<typeof readInto> {
  const definition = LIST_COMMANDS[list];
  const { makeSources, read } = await openList(context, service, definition, given);
  const reading = { what: definition.rows, sources: makeSources((owner) => read(owner)) };
  return readInto(context.output, reading, async (items) => {
    for (const item of items) {
      const { amount } = item;
      const value = item[given.by === 'day' ? time : given.by];
      const name = typeof value === 'string' ? value : 'n/a';
      for (const group of [given.by === 'day' ? name.slice(0, 10) : name, null]) {
        const sums = groups.get(group) ?? { ...NONE };
        groups.set(group, sums);
        sums[rows] += 1;
        sums[sum] += typeof amount === 'number' ? Math.round(amount * MILLION) : Number.NaN;
      }
    }
  });
}

/** Null is the name of the group of all rows. */
type Groups = Map<string | null, Record<keyof typeof NONE, number>>;

/** In millionths, so that cents add up exactly. No sum after a row without an amount, or if it is too large. */
const NONE = { transactions: 0, amount: 0, chargebacks: 0, charged_back: 0 };

const MILLION = 1_000_000;

/** All rows come last. */
function compareNames(left: string | null, right: string | null): number {
  if (left === null || right === null) return left === null ? 1 : -1;
  return compareText(left, right);
}

function describeSums({ transactions, amount, chargebacks, charged_back }: typeof NONE, isNet: boolean) {
  const dollars = (millionths: number) => (Number.isSafeInteger(millionths) ? millionths / MILLION : null);
  const sums = { transactions, amount: dollars(amount) };
  if (!isNet) return sums;
  return { ...sums, chargebacks, charged_back: dollars(charged_back), net: dollars(amount - charged_back) };
}
