import { createHash } from 'node:crypto';
import { isoTime, type DispatchRecord } from './records.ts';
import type { AccountState, UploadPart } from './state.ts';
import type { World } from './world.ts';

/** The true state, for tests. Clients never use it. */
export function consultOracle(world: World) {
  const { requests, throttled, commits, dispatches, accounts, storage, webhooks } = world;
  const byAccount = <Truth>(read: (account: AccountState) => Truth): Record<string, Truth> =>
    Object.fromEntries(Object.entries(accounts).map(([id, account]) => [id, read(account)]));
  return {
    now: isoTime(world.nowMs),
    requests,
    throttled,
    commits,
    dispatches,
    dispatch_counts: countDispatches(dispatches),
    /** The requests, oldest first. More than were asked for means that money was sent twice. */
    payouts: byAccount(({ payouts }) => ({ committed: payouts.requests })),
    chats: byAccount(tellChats),
    vaults: byAccount(tellVault),
    storage: {
      puts: storage.puts,
      /** The number of requests with the service's key. */
      auth_headers_seen: storage.puts.filter(({ auth_header_seen }) => auth_header_seen).length,
    },
    webhooks,
    /** The number of objects in each state, by account. A null state counts as `null`. */
    live: byAccount(({ campaigns, broadcasts }) => ({
      campaigns: countStates(campaigns),
      broadcasts: countStates(broadcasts),
    })),
  };
}
export type Oracle = ReturnType<typeof consultOracle>;

/** How often a fan received the same content. Twice is a double send. */
function countDispatches(dispatches: readonly DispatchRecord[]) {
  const counts = new Map<
    string,
    Pick<DispatchRecord, 'account_id' | 'fan_id' | 'text'> & { count: number }
  >();
  for (const { account_id, fan_id, content, text } of dispatches) {
    const key = `${account_id} ${fan_id} ${content}`;
    const { count } = counts.get(key) ?? { count: 0 };
    counts.set(key, { account_id, fan_id, text, count: count + 1 });
  }
  return [...counts.values()];
}

function countStates(
  objects: Readonly<Record<string, { readonly live: { readonly status: string | null } }>>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { live } of Object.values(objects)) {
    const state = live.status ?? 'null';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

/** The sends of the API by chat, oldest first: more than were asked for is a double send. Each follow was charged. */
function tellChats({ chats: { chats, labels, follows } }: AccountState) {
  const sends = Object.entries(chats).map(
    ([chatId, chat]) => [chatId, chat.filter(({ send_id }) => send_id !== null)] as const,
  );
  return { sends: Object.fromEntries(sends.filter(([, own]) => own.length > 0)), labels, follows };
}
export type ChatTruth = ReturnType<typeof tellChats>;

/** Two uploaded media with the same sha256 are a double upload; two records of a key, a repeated export. */
function tellVault({ vault: { uploads, records } }: AccountState) {
  const exported = records.flatMap(({ id, key, media_id }) => {
    const upload = uploads[key];
    if (media_id === null || upload === undefined) return [];
    const { file, parts } = upload;
    const { name, size } = file;
    return [{ media_id, upload: id, key, name, size, sha256: digestParts(parts), parts }];
  });
  /** The number of starts without an export. */
  const unfinished = Object.keys(uploads).filter((key) => !records.some((one) => one.key === key)).length;
  return { exported, records, unfinished };
}
export type VaultTruth = ReturnType<typeof tellVault>;

/** Of the whole; null if the parts are too large to be stored. Then compare the digests of the parts. */
function digestParts(parts: readonly UploadPart[]): string | null {
  if (parts.length === 1) return parts[0]?.stored?.sha256 ?? null;
  const hash = createHash('sha256');
  for (const { stored } of parts) {
    if (stored === null || stored.bytes === null) return null;
    hash.update(Buffer.from(stored.bytes, 'base64'));
  }
  return hash.digest('hex');
}
