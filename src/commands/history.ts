import { makeColumns } from '../api/columns.ts';
import { defineCommand, LIST_FORMATS } from '../cli/define-command.ts';
import { limitFlag, textFlag, word } from '../cli/flags.ts';
import { readPast } from '../library/instant-range.ts';
import { warningLine } from '../cli/findings.ts';
import { chooseColumns, columnsFlag, printRows } from '../cli/print-rows.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import { listHistory } from '../library/history.ts';

const NONE = { none: '-' };
const COLUMNS = {
  // The address has the account.
  columns: makeColumns('at who address action outcome live_id version message', {
    at: { as: 'instant' },
    who: NONE,
    live_id: { header: 'live_id', ...NONE },
    version: NONE,
    message: { none: '' },
  }),
  more: makeColumns('ended_at run entry account account_id kind name purpose content_digest supersedes', {
    ended_at: NONE,
    purpose: NONE,
    content_digest: NONE,
  }),
};

/** Lists what Herald did, newest first. Reads only the state and the stored events. */
export const history = defineCommand({
  path: 'history',
  about: 'show what Herald did in this workspace, newest first',
  examples: [
    'herald history --since 30d',
    "herald history 'alice/campaign/Welcome*' --limit 10",
    "herald history '*/payout/*' --format csv",
    'herald history diff alice/campaign/Welcome',
  ],
  more: 'ADDRESS is account/kind/name; * matches any characters.',
  formats: LIST_FORMATS,
  words: { address: word('[ADDRESS]') },
  flags: {
    since: textFlag('--since <time>', 'a date, a time, or an age such as 30d'),
    limit: limitFlag('stop after this many rows'),
    columns: columnsFlag(COLUMNS),
  },
  needs: 'state',
  run: async (context, given, state) => {
    const { address, since, limit } = given;
    const print = chooseColumns(COLUMNS, given);
    const from = since === undefined ? undefined : readPast('--since', since, context.clock.now());
    const { items, problem } = await listHistory(state, context.events, { address, since: from, limit });
    if (problem !== null) context.output.fail(warningLine(problem.code, visibleProse(problem.message)));
    // On a terminal, a table of one address has it in the command, and needs no column for messages without any.
    const isOne = given.format === 'table' && given.columns === undefined && address?.includes('*') === false;
    const needless = items.some(({ message }) => message !== '') ? ['address'] : ['address', 'message'];
    const columns = isOne ? print.columns.filter(({ path }) => !needless.includes(path)) : print.columns;
    await printRows(context, { ...print, columns }, items);
    const matching = [address, since].some((one) => one !== undefined) ? ' that matches' : '';
    if (items.length === 0)
      context.output.say(shown`Nothing recorded${matching}. To see all: ${formatCommand('history')}`);
    return EXIT.done;
  },
});
