import { compareIds } from '../domain/ids.ts';
import { accountOf, covers } from './access.ts';
import { RawJson, type Call } from './call.ts';
import { invalid } from './refusal.ts';
import type { AccountState } from './state.ts';
import type { World } from './world.ts';

/** Assumed: the default page size is not shown (ACCOUNT-4). */
const LIMIT_DEFAULT = 100;

/** The position of a list: the last id shown, and how many empty pages came before. */
interface Place {
  readonly after: string;
  readonly empty: number;
}

const BEGINNING: Place = { after: '', empty: 0 };

/** Assumed: accounts with a lapsed subscription are hidden by default (ACCOUNT-4). */
export function listAccounts(world: World, { key, query, effects }: Call<'accounts.list'>): RawJson {
  const withExpired = query.withExpiredSubscriptions ?? false;
  const { after, empty } =
    query.cursor === undefined ? BEGINNING : readCursor(world, query.cursor, withExpired);
  if (effects.emptyPage)
    return new RawJson(`{"accounts":[],"nextCursor":"${writeCursor(after, withExpired, empty + 1)}"}`);
  const accounts = Object.values(world.accounts)
    .filter((account) => covers(key, account) && (withExpired || !hasLapsed(world, account)))
    .filter(({ live }) => after === '' || compareIds(live.id, after) > 0)
    .sort((left, right) => compareIds(left.live.id, right.live.id));
  const page = accounts.slice(0, query.limit ?? LIMIT_DEFAULT);
  const last = page.at(-1);
  const hasMore = page.length < accounts.length && last !== undefined;
  const next = hasMore ? writeCursor(last.live.id, withExpired, 0) : undefined;
  const nextCursor = effects.repeatPage ? (query.cursor ?? next) : next;
  const cursorMember = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  return new RawJson(`{"accounts":[${page.map(accountText).join(',')}]${cursorMember}}`);
}

export function getAccount(world: World, { params }: Call<'accounts.get'>): RawJson {
  return new RawJson(`{"account":${accountText(accountOf(world, params.account_id))}}`);
}

function hasLapsed(world: World, { live }: AccountState): boolean {
  return Date.parse(live.subscription_expiration_date) <= world.nowMs;
}

/** `id` is an integer in JSON and may be longer than a JavaScript number holds (ACCOUNT-1). */
function accountText({ live: { id, ...rest } }: AccountState): string {
  return `{"id":${id},${JSON.stringify(rest).slice(1)}`;
}

/** Opaque to clients, and valid only for its own query (LIST-1). */
function writeCursor(after: string, withExpired: boolean, empty: number): string {
  return Buffer.from(JSON.stringify([after, withExpired, empty])).toString('base64');
}

function readCursor(world: World, cursor: string, withExpired: boolean): Place {
  const text = Buffer.from(cursor, 'base64').toString();
  const [, after, flag, empty] = /^\["(\d*)",(true|false),(\d{1,9})\]$/.exec(text) ?? [];
  if (after === undefined) throw invalid(world.modes, 'unknown cursor', 'cursor');
  if (flag !== String(withExpired))
    throw invalid(world.modes, 'the cursor belongs to another query', 'cursor');
  return { after, empty: Number(empty) };
}
