import { canonical } from '../domain/digest.ts';
import type { FieldDifference } from '../domain/change.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { formatAddress } from '../domain/resource.ts';
import { parseAsked, type Asked } from '../plan/compare/asked.ts';
import { parsePatterns } from '../plan/targets.ts';
import type { RequestRow } from '../state/shapes.ts';
import type { State } from '../state/state.ts';

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

/** Matches items by an address, exactly or as a pattern of `--target`. */
export function matchAddress(written: string): (item: HistoryItem) => boolean {
  const pattern = parsePatterns([written]);
  return (item) => item.address === written || pattern.fits(item);
}

/** The first digits of a digest, for people: they tell the versions of one resource apart. */
export function shortenDigest(digest: string | null): string | null {
  return digest === null ? null : digest.slice(0, VERSION_LENGTH);
}

const VERSION_LENGTH = 8;

/** A request on record, as it is printed. */
export function describeRequest(row: RequestRow): HistoryItem {
  const { account, account_id, kind, name, outcome, ended_at: endedMs, sent_at: sentMs, run, who } = row;
  const asked = isCreate(row) ? parseAsked(row.asked) : null;
  // People compare versions of one resource, so the version of the digest itself says nothing to them.
  const digest = asked?.content?.replace(/^\d+:/, '') ?? null;
  return {
    at: instant(sentMs),
    ended_at: endedMs === null ? null : instant(endedMs),
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
    version: shortenDigest(digest),
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
  if (answer === null) return '';
  try {
    const { what } = (JSON.parse(answer) ?? {}) as { readonly what?: unknown };
    return typeof what === 'string' ? what : '';
  } catch {
    return '';
  }
}

/** A `Date` has no later time. */
const LATEST_MS = 8.64e15;

function instant(ms: number): string {
  return new Date(Math.min(ms, LATEST_MS)).toISOString();
}

/** One declared content of a resource, as a create of it asked for it. */
export interface Version {
  readonly item: HistoryItem;
  /** Null if this version of Herald cannot read it. */
  readonly asked: Asked | null;
}

/** The versions that a word of a command line means: an entry, a live id, or the beginning of a digest. */
export function findVersions(versions: readonly Version[], word: string): readonly Version[] {
  const exact = versions.filter(({ item }) => item.entry === word || item.live_id === word);
  if (exact.length > 0) return exact;
  return versions.filter(({ item }) => item.content_digest?.startsWith(word) === true);
}

/** The fields that one content has and the other does not, or has otherwise; null stands for absent. */
export function compareVersions(from: Asked, to: Asked): readonly FieldDifference[] {
  const [old, current] = [flatten(from), flatten(to)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((path) => ({ path, old: old.get(path) ?? null, new: current.get(path) ?? null }))
    .filter((field) => canonical(field.old) !== canonical(field.new));
}

function flatten({ wanted, hour }: Asked): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  const walk = (path: string, value: unknown): void => {
    if (Array.isArray(value) && value.some((entry) => typeof entry === 'object')) {
      for (const [index, entry] of value.entries()) walk(`${path}[${index}]`, entry);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, member] of Object.entries(value)) walk(path === '' ? key : `${path}.${key}`, member);
    } else if (value !== undefined) {
      fields.set(path, value);
    }
  };
  walk('', { ...(hour === null ? {} : { scheduled_at: hour }), ...wanted });
  return fields;
}
