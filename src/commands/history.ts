import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { optionalWord, parsedFlag, parseWholeNumber, textFlag } from '../cli/flags.ts';
import { LIST_FORMATS } from '../cli/formats.ts';
import { readPast } from '../cli/instant-range.ts';
import { warningLine } from '../cli/findings.ts';
import { type ColumnSet, chooseColumns, printRows } from '../cli/print-rows.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { shown, visible, visibleProse } from '../domain/visible.ts';
import { listHistory } from '../library/history.ts';

const COLUMNS: ColumnSet = {
  // The address has the account.
  who: 'organisation',
  columns: [
    { path: 'at', as: 'instant' },
    { path: 'who', none: '-' },
    { path: 'address' },
    { path: 'action' },
    { path: 'outcome' },
    { path: 'live_id', as: 'whole', none: '-' },
    { path: 'version', none: '-' },
    { path: 'message', none: '' },
  ],
  more: [
    { path: 'ended_at', as: 'instant', none: '-' },
    { path: 'run' },
    { path: 'entry' },
    { path: 'account' },
    { path: 'account_id' },
    { path: 'kind' },
    { path: 'name' },
    { path: 'purpose', none: '-' },
    { path: 'content_digest', none: '-' },
    { path: 'supersedes' },
  ],
};

/** Lists what Herald did, newest first. Reads only the state and the stored events. */
export const history = defineCommand({
  path: 'history',
  about: 'show what Herald did in this workspace, newest first',
  examples: [
    'herald history --since 30d',
    "herald history 'alice/campaign/Welcome*' --limit 10",
    "herald history '*/payouts/*' --format csv",
    'herald history show alice/campaign/Welcome',
  ],
  more: 'ADDRESS is account/kind/name; * matches any characters.',
  formats: LIST_FORMATS,
  words: { address: optionalWord('ADDRESS') },
  flags: {
    since: textFlag('--since <time>', 'a date, a time, or an age such as 30d'),
    limit: parsedFlag('--limit <number>', 'stop after this many rows', parseWholeNumber(1, 1_000_000_000)),
    columns: textFlag('--columns <names>', 'columns to show (table and csv)'),
  },
  needs: 'state',
  run: async (context, { address, since, limit, columns: asked, format }, state) => {
    const chosen = chooseColumns(COLUMNS, asked, format);
    // A table of one address has it in the command.
    const hidesAddress =
      format === 'table' && asked === undefined && address !== undefined && !address.includes('*');
    const columns = hidesAddress ? chosen.filter(({ path }) => path !== 'address') : chosen;
    const from = since === undefined ? undefined : readPast('--since', since, context.clock.now());
    const query = { address, since: from, limit };
    const { items, problem, recorded } = await listHistory(state, context.events, query);
    if (problem !== null) context.output.fail(warningLine(problem.code, visibleProse(problem.message)));
    const rows = items.map((item) => ({ ...item }));
    await printRows(format, { output: context.output, definition: COLUMNS, columns }, rows);
    if (items.length === 0) explainNothing(context, recorded, address);
    return EXIT.done;
  },
});

const NEAR_MAX = 5;

/** Names recorded addresses with the same name, or the first ones. */
function explainNothing({ output }: Context, recorded: readonly string[], address: string | undefined): void {
  if (recorded.length === 0) return output.say(shown`Nothing recorded yet: the state is missing or empty.`);
  if (address === undefined) return;
  const name = address.replaceAll('*', '').toLowerCase().split('/').at(-1) ?? '';
  const all = recorded.toSorted();
  const alike = all.filter((one) => name !== '' && one.toLowerCase().includes(name));
  const near = (alike.length > 0 ? alike : all).slice(0, NEAR_MAX).map(visible).join(', ');
  output.say(shown`Nothing recorded for ${address}. Recorded: ${near}. * matches any characters.`);
}
