import type { Client } from '../../api/client.ts';
import { readPages } from '../../api/pages/read-pages.ts';
import type { AccountId, PlatformAccountId } from '../../domain/ids.ts';
import type { Listed } from './listed.ts';

/** An account, as both kinds of endpoints know it. */
export interface EventAccount {
  /** Null if only the platform's id is known. */
  readonly accountId: AccountId | null;
  readonly platform: string;
  readonly platformAccountId: PlatformAccountId;
  /** Uploads and subscriptions exist on the primary platform only. */
  readonly isPrimary: boolean;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Assumed: the words for types of transactions (EVENT-1). Other types have no event. */
const KIND_OF_TYPE: Readonly<Record<string, string>> = {
  tip: 'fans.tip.received',
  message: 'fans.ppv.purchased',
  post: 'fans.ppv.purchased',
};

/** Assumed: a renewal is not a new subscriber (EVENT-1). */
const NOT_NEW = /renew/i;

/** Everything in the range that lists show and that the service sends an event of. Rejects if a list cannot be read. */
export async function listedEvents(
  client: Client,
  account: EventAccount,
  range: Range,
): Promise<readonly Listed[]> {
  const transactions = await transactionsIn(client, account, range);
  if (!account.isPrimary) return transactions;
  return [
    ...transactions,
    ...(await subscriptionsIn(client, account, range)),
    ...(await uploadsIn(client, account, range)),
  ];
}

function inputOf({ platform, platformAccountId }: EventAccount, { fromMs, toMs }: Range) {
  return {
    params: { platform, platform_account_id: platformAccountId },
    query: { start: new Date(fromMs).toISOString(), end: new Date(toMs).toISOString() },
  };
}

async function transactionsIn(client: Client, account: EventAccount, range: Range): Promise<Listed[]> {
  const found: Listed[] = [];
  for await (const page of readPages(client, 'revenue.transactions', inputOf(account, range)))
    for (const row of page) {
      const kind = KIND_OF_TYPE[String(row.type)];
      const atMs = Date.parse(String(row.timestamp));
      if (kind === undefined || Number.isNaN(atMs)) continue;
      const { id } = row;
      found.push({ ...base(account, row, atMs), kind, identity: id, id, amount: numberOf(row.amount) });
    }
  return found;
}

async function subscriptionsIn(client: Client, account: EventAccount, range: Range): Promise<Listed[]> {
  const found: Listed[] = [];
  for await (const page of readPages(client, 'traffic.subscriptions', inputOf(account, range)))
    for (const row of page) {
      const atMs = Date.parse(String(row.subscribed_at));
      if (NOT_NEW.test(String(row.action)) || Number.isNaN(atMs)) continue;
      const known = base(account, row, atMs);
      const same = `${known.fanId ?? ''}:${String(row.subscribed_at)}`;
      // The list has no ids.
      const before = found.filter(({ identity }) => identity.startsWith(`${same}:`)).length;
      const identity = `${same}:${before + 1}`;
      const kind = 'fans.subscription.new_subscriber';
      found.push({ ...known, kind, identity, id: null, amount: numberOf(row.price_gross) });
    }
  return found;
}

/** The list shows the last status only. The ones between were told by events alone. */
async function uploadsIn(client: Client, account: EventAccount, range: Range): Promise<Listed[]> {
  const { accountId } = account;
  if (accountId === null) return [];
  const found: Listed[] = [];
  const isIn = (ms: number) => ms >= range.fromMs && ms <= range.toMs;
  // Unfinished uploads are listed only with `expired` (VAULT-13).
  const input = { params: { account_id: accountId }, query: { expired: true } };
  for await (const page of readPages(client, 'vault.uploads', input))
    for (const row of page) {
      const { id, status } = row;
      const [createdMs, updatedMs] = [Date.parse(row.created_at ?? ''), Date.parse(row.updated_at ?? '')];
      if (typeof status !== 'string') continue;
      const told = (event: 'created' | 'updated', atMs: number, eventStatus: string): Listed => ({
        ...base(account, { ...row, event_status: eventStatus }, atMs),
        kind: `vault.media_upload.${event}`,
        identity: `${id}:${event}:${eventStatus}`,
        id,
        status: eventStatus,
        amount: null,
      });
      // Assumed: an export begins as uploaded (VAULT-12).
      if (isIn(createdMs)) found.push(told('created', createdMs, FIRST_STATUS));
      if (isIn(updatedMs) && status !== FIRST_STATUS) found.push(told('updated', updatedMs, status));
    }
  return found;
}

const FIRST_STATUS = 'uploaded';

function base({ accountId, platformAccountId }: EventAccount, row: object, atMs: number) {
  const fan: unknown = 'fan' in row ? row.fan : null;
  const fanId = typeof fan === 'object' && fan !== null && 'id' in fan ? String(fan.id) : null;
  return { accountId, platformAccountId, fanId, atMs, status: null, row };
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? null : number;
}
