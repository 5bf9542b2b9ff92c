import { addEventsToHistory, type EventReader } from '../events/blocked.ts';
import { type HistoryItem, nameAction } from '../domain/history-item.ts';
import { formatAddress } from '../domain/resource.ts';
import type { RequestRow } from '../state/shapes.ts';
import type { State } from '../state/state.ts';
import { parsePatterns } from '../plan/facts.ts';
import { parseAsked } from '../plan/compare/content.ts';

/** The state is read in pages of so many rows. */
const PAGE = 1_000;

/** Which items a history has. */
export interface HistoryQuery {
  /** An address, exactly or as a pattern of `--target`. Left out: all. */
  readonly address?: string | undefined;
  /** An ISO instant; in the library also a date, or an age such as `30d`. */
  readonly since?: string | undefined;
  /** The largest number of items. */
  readonly limit?: number | undefined;
}

/** What Herald did, newest first. Nothing is read behind the page that has the first instant or the last item. */
export async function readHistory(
  state: Pick<State, 'history'>,
  { address, since = '', limit = Number.POSITIVE_INFINITY }: HistoryQuery,
): Promise<readonly { readonly row: RequestRow; readonly item: HistoryItem }[]> {
  const pattern = address === undefined ? null : parsePatterns([address]);
  const isAsked = (item: HistoryItem) =>
    item.at >= since && (pattern === null || item.address === address || pattern.fits(item));
  const sinceMs = since === '' ? 0 : Date.parse(since);
  const found: { readonly row: RequestRow; readonly item: HistoryItem }[] = [];
  for (let before_seq = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await state.history({ before_seq, limit: PAGE });
    for (const row of rows) {
      const item = describeRequest(row);
      if (isAsked(item)) found.push({ row, item });
      if (found.length >= limit) return found;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE || last.sent_at < sinceMs) return found;
    before_seq = last.seq;
  }
}

/** What `herald history` lists: newest first, with what events say of messages. */
export async function listHistory(state: Pick<State, 'history'>, events: EventReader, query: HistoryQuery) {
  const items = (await readHistory(state, query)).map(({ item }) => item);
  return addEventsToHistory(items, events);
}

const VERSION_LENGTH = 8;

/** A request on record, as it is printed. */
function describeRequest(row: RequestRow): HistoryItem {
  const { account, account_id, kind, name, outcome, ended_at: endedMs, sent_at: sentMs, run, who } = row;
  const action = nameAction(row);
  const asked = action === 'create' ? parseAsked(row.asked) : null;
  // People compare versions of one resource, so the version of the digest itself says nothing to them.
  const digest = asked === null ? null : (row.content?.replace(/^\d+:/, '') ?? null);
  return {
    at: new Date(sentMs).toISOString(),
    ended_at: endedMs === null ? null : new Date(endedMs).toISOString(),
    run,
    who,
    address: formatAddress({ account, kind, name }),
    account,
    account_id,
    kind,
    name,
    action,
    purpose: row.purpose,
    outcome: outcome ?? 'unknown',
    live_id: row.live_id,
    content_digest: digest,
    // The first digits tell the versions of one resource apart.
    version: digest?.slice(0, VERSION_LENGTH) ?? null,
    supersedes: asked?.replaces ?? [],
    message: row.because ?? describeAnswer(row.answer),
    entry: row.entry,
  };
}

/** Why it was refused, or not sent. */
function describeAnswer(answer: string | null): string {
  const { what } = (JSON.parse(answer ?? 'null') ?? {}) as { readonly what?: unknown };
  return typeof what === 'string' ? what : '';
}
