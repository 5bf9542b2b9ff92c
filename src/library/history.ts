import { addEventsToHistory } from '../events/blocked.ts';
import type { EventStore } from '../events/store.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { formatAddress } from '../domain/resource.ts';
import type { RequestRow } from '../state/shapes.ts';
import type { State } from '../state/state.ts';
import { parsePatterns } from '../plan/facts.ts';
import { parseAsked } from '../plan/compare/content.ts';

/** A row of the state is read in pages of so many. */
const PAGE = 1_000;

interface HistoryRange {
  readonly limit?: number | undefined;
  readonly sinceMs?: number;
}

/** What Herald did, newest first. `isAsked` chooses, and the first `limit` of these are read, or those since an instant. */
export async function readHistory(
  state: Pick<State, 'history'>,
  isAsked: (item: HistoryItem) => boolean,
  { limit = Number.POSITIVE_INFINITY, sinceMs = 0 }: HistoryRange = {},
): Promise<readonly { readonly row: RequestRow; readonly item: HistoryItem }[]> {
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

/** What `herald history` lists: newest first, with what events say of messages. `since` is an instant. */
export async function listHistory(
  state: Pick<State, 'history'>,
  events: EventStore,
  { address, since, limit }: HistoryQuery,
) {
  const isThere = address === undefined ? () => true : matchAddress(address);
  const isAsked = (item: HistoryItem) => isThere(item) && item.at >= (since ?? '');
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  const found = await readHistory(state, isAsked, { limit, sinceMs });
  return addEventsToHistory(
    found.map(({ item }) => item),
    events,
  );
}

/** Which items a history has. */
export interface HistoryQuery {
  /** An address, exactly or as a pattern of `--target`. Left out: all. */
  readonly address?: string | undefined;
  /** An ISO instant. */
  readonly since?: string | undefined;
  /** The largest number of items. */
  readonly limit?: number | undefined;
}

/** Matches items by an address, exactly or as a pattern of `--target`. */
export function matchAddress(written: string): (item: HistoryItem) => boolean {
  const pattern = parsePatterns([written]);
  return (item) => item.address === written || pattern.fits(item);
}

const VERSION_LENGTH = 8;

/** A request on record, as it is printed. */
export function describeRequest(row: RequestRow): HistoryItem {
  const { account, account_id, kind, name, outcome, ended_at: endedMs, sent_at: sentMs, run, who } = row;
  const asked = isCreate(row) ? parseAsked(row.asked) : null;
  // People compare versions of one resource, so the version of the digest itself says nothing to them.
  const digest = asked?.content?.replace(/^\d+:/, '') ?? null;
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
    action: nameAction(row),
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

const STATUS_ACTIONS: Readonly<Record<string, string>> = {
  active: 'activate',
  paused: 'pause',
  archived: 'archive',
  queued: 'resume',
};

function isCreate({ operation, kind }: RequestRow): boolean {
  return (kind === 'campaign' || kind === 'broadcast') && operation.endsWith('.create');
}

function nameAction(row: RequestRow): string {
  const { operation, kind, target } = row;
  if (isCreate(row)) return 'create';
  if ((kind !== 'campaign' && kind !== 'broadcast') || operation === 'state.forget') return operation;
  return target === null ? 'recall' : (STATUS_ACTIONS[target] ?? 'set status');
}

/** Why it was refused, or not sent. */
function describeAnswer(answer: string | null): string {
  const { what } = (JSON.parse(answer ?? 'null') ?? {}) as { readonly what?: unknown };
  return typeof what === 'string' ? what : '';
}
