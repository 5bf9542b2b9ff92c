import { HeraldError, hasCode } from '../../domain/herald-error.ts';
import type { Context } from '../context.ts';
import { givenRange } from '../instant-range.ts';
import { shown, visible, visibleProse } from '../../domain/visible.ts';
import type { HistoryItem } from '../../domain/history-item.ts';
import { readHistory } from '../../library/history.ts';
import { addEventsToHistory } from '../../events/blocked.ts';
import { chooseFormat, LIST_FORMATS } from '../formats.ts';
import { warningLine } from '../notice.ts';
import { readingState } from '../state/open.ts';
import { itemsAt } from './address.ts';
import { chooseColumns, printRows, type ColumnSet } from '../print-rows.ts';

export interface HistoryFlags {
  readonly since: string | undefined;
  readonly limit: number | undefined;
  readonly columns: string | undefined;
}

/** Columns of `herald history`, shown by default or on request. */
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

/** `herald history [ADDRESS]`: lists what Herald did, newest first. Reads only the state and the stored events. */
export async function historyCommand(
  context: Context,
  address: string | undefined,
  flags: HistoryFlags,
): Promise<number> {
  const format = chooseFormat(context, LIST_FORMATS);
  const chosen = chooseColumns(COLUMNS, flags.columns, format);
  // A table of one address has it in the command.
  const hidesAddress = format === 'table' && flags.columns === undefined && isOneAddress(address);
  const columns = hidesAddress ? chosen.filter(({ path }) => path !== 'address') : chosen;
  const since = sinceInstant(flags.since, context.clock.now());
  const isThere = address === undefined ? () => true : itemsAt(address);
  const isAsked = (item: HistoryItem) => isThere(item) && (since === null || item.at >= since);
  const seen = new Set<string>();
  const found = await readingState(context, (state) =>
    readHistory(state, (item) => (seen.add(item.address), isAsked(item)), { limit: flags.limit }),
  );
  const listed = found.map(({ item }) => item);
  const { items, problem } = await addEventsToHistory(listed, context.events);
  if (problem !== null) context.output.fail(warningLine(problem.code, visibleProse(problem.message)));
  const rows = items.map((item) => ({ ...item }));
  const code = await printRows(format, { output: context.output, definition: COLUMNS, columns }, rows, true);
  if (items.length === 0) sayWhyNothing(context, [...seen], address);
  return code;
}

function isOneAddress(address: string | undefined): boolean {
  return address !== undefined && !address.includes('*');
}

function sinceInstant(since: string | undefined, nowMs: number): string | null {
  try {
    return givenRange({ from: since, to: undefined }, nowMs).from ?? null;
  } catch (error) {
    if (!hasCode(error, 'bad-flag')) throw error;
    const message = error.message.includes(' is empty')
      ? `--since ${since ?? ''} is not before now.`
      : error.message;
    throw new HeraldError('bad-flag', message.replace('--from', '--since'));
  }
}

function sayWhyNothing({ output }: Context, recorded: readonly string[], address: string | undefined): void {
  if (recorded.length === 0) return output.say(shown`Nothing recorded yet: the state is missing or empty.`);
  if (address === undefined) return;
  const near = nearAddresses(recorded, address).map(visible).join(', ');
  output.say(shown`Nothing recorded for ${address}. Recorded: ${near}. * matches any characters.`);
}

const NEAR_MAX = 5;

/** Addresses with the same name, or the first ones. */
function nearAddresses(recorded: readonly string[], pattern: string): readonly string[] {
  const wanted = pattern.replaceAll('*', '').toLowerCase();
  const name = wanted.split('/').at(-1) ?? '';
  const all = recorded.toSorted();
  const near = all.filter((address) => name !== '' && address.toLowerCase().includes(name));
  return (near.length > 0 ? near : all).slice(0, NEAR_MAX);
}
