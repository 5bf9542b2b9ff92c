import type { Context } from '../context.ts';
import { BadRangeError, givenRange } from '../../domain/instant-range.ts';
import { shown, visible } from '../../domain/visible.ts';
import { readWholeRecord, type WholeRecord } from '../../ledger/whole-record.ts';
import { historyOf, type HistoryItem } from '../../ledger/history.ts';
import { withBlocked } from '../../operations/events/blocked.ts';
import { withSendEvents } from '../../operations/events/send-events.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, LIST_FORMATS } from '../formats.ts';
import { violationsOf } from '../events/blocked.ts';
import { itemsAt } from './address.ts';
import { sayWhatIsMissing } from './missing.ts';
import { chooseColumns, type ColumnSet } from '../lists/list-columns.ts';
import { printRows } from '../lists/sinks.ts';

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
    { path: 'entry', none: '-' },
    { path: 'account' },
    { path: 'account_id' },
    { path: 'kind' },
    { path: 'name' },
    { path: 'purpose', none: '-' },
    { path: 'content_digest', none: '-' },
    { path: 'supersedes' },
    { path: 'simulator', none: '-' },
  ],
};

/** `herald history [ADDRESS]`: lists what Herald did, newest first. Reads only the ledger and the stored events. */
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
  const record = await readWholeRecord(context.state.ledger);
  const asked = historyOf(record.lines, address === undefined ? undefined : itemsAt(address));
  const listed = withBlocked(asked, asked.length === 0 ? [] : await violationsOf(context))
    .filter(({ at }) => since === null || at >= since)
    .toReversed()
    .slice(0, flags.limit);
  const items = await withSendEvents(listed, context.events);
  const complete = sayWhatIsMissing(context, record, since);
  const rows = items.map((item) => ({ ...item }));
  const code = await printRows(
    format,
    { output: context.output, definition: COLUMNS, columns },
    rows,
    complete,
  );
  if (items.length === 0) sayWhyNothing(context, record, address);
  return code;
}

function isOneAddress(address: string | undefined): boolean {
  return address !== undefined && !address.includes('*');
}

function sinceInstant(since: string | undefined, nowMs: number): string | null {
  try {
    return givenRange({ from: since, to: undefined }, nowMs).from ?? null;
  } catch (error) {
    if (!(error instanceof BadRangeError)) throw error;
    const message = error.message.includes(' is empty')
      ? `--since ${since ?? ''} is not before now.`
      : error.message;
    throw new CommandError('bad-flag', message.replace('--from', '--since'));
  }
}

function sayWhyNothing(context: Context, { lines }: WholeRecord, address: string | undefined): void {
  if (lines.length === 0) {
    context.output.say(shown`Nothing recorded yet: the ledger is missing or empty.`);
    return;
  }
  if (address === undefined) return;
  const near = nearAddresses(historyOf(lines), address);
  const examples = near.length === 0 ? '' : ` Recorded: ${near.map(visible).join(', ')}.`;
  context.output.say(shown`Nothing recorded for ${address}.${examples} * matches any characters.`);
}

const NEAR_MAX = 5;

/** Addresses with the same name, or the same account and kind. */
function nearAddresses(items: readonly HistoryItem[], pattern: string): readonly string[] {
  const wanted = pattern.replaceAll('*', '').toLowerCase();
  const name = wanted.split('/').at(-1) ?? '';
  const all = [...new Set(items.map(({ address }) => address))].toSorted();
  const near = all.filter((address) => name !== '' && address.toLowerCase().includes(name));
  return (near.length > 0 ? near : all).slice(0, NEAR_MAX);
}
