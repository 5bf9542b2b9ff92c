import { createHash } from 'node:crypto';
import { advancePayouts } from './payouts.ts';
import { isoTime, type DispatchRecord } from './records.ts';
import type { AccountState, UploadPart } from './state.ts';
import { advanceVault } from './vault.ts';
import type { World } from './world.ts';

/** The true state, for tests. Clients never use it. */
export function consultOracle(world: World) {
  const { requests, throttled, commits, dispatches, accounts, storage, webhooks } = world;
  const byAccount = <Truth>(read: (account: AccountState) => Truth): Record<string, Truth> =>
    Object.fromEntries(Object.entries(accounts).map(([id, account]) => [id, read(account)]));
  const { happened, deliveries, drops, pauses, outgoing } = webhooks;
  return {
    now: isoTime(world.nowMs),
    requests,
    /** Requests that were answered 429. */
    throttled,
    commits,
    dispatches,
    dispatch_counts: countDispatches(dispatches),
    payouts: byAccount((account) => tellPayouts(world, account)),
    chats: byAccount(tellChats),
    vaults: byAccount((account) => tellVault(world, account)),
    storage: {
      puts: storage.puts,
      /** The number of requests with the service's key. */
      auth_headers_seen: storage.puts.filter(({ auth_header_seen }) => auth_header_seen).length,
    },
    webhooks: { happened, deliveries, drops, pauses, waiting: outgoing.length },
    /** The number of objects in each state, by account. A null state counts as `null`. */
    live: byAccount(({ campaigns, broadcasts }) => ({
      campaigns: countStates(campaigns),
      broadcasts: countStates(broadcasts),
    })),
  };
}
export type Oracle = ReturnType<typeof consultOracle>;

/** How often a fan received the same content. More than once is a double send. */
function countDispatches(dispatches: readonly DispatchRecord[]) {
  /** A source is the kind and id of an object that sent it, as `campaign:17`. */
  type Count = Pick<DispatchRecord, 'account_id' | 'fan_id' | 'content' | 'text'> & {
    count: number;
    readonly sources: string[];
  };
  const counts = new Map<string, Count>();
  for (const { account_id, fan_id, content, text, kind, id } of dispatches) {
    const key = `${account_id} ${fan_id} ${content}`;
    const known = counts.get(key) ?? { account_id, fan_id, content, text, count: 0, sources: [] };
    known.count += 1;
    if (!known.sources.includes(`${kind}:${id}`)) known.sources.push(`${kind}:${id}`);
    counts.set(key, known);
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

/** Every committed request, oldest first. More than requested means that money was sent twice. */
function tellPayouts(world: World, account: AccountState) {
  const { availableCents, pendingCents, requests } = advancePayouts(world, account);
  const committed = requests.map(({ createdMs, invoiceId: invoice_id, cents, state, cause }) => ({
    at: isoTime(createdMs),
    invoice_id,
    cents,
    state,
    cause,
  }));
  return { available_cents: availableCents, pending_cents: pendingCents, committed };
}

/**
 * Every committed send of the API by chat, oldest first: more than requested is a double send. Every subscription that
 * was started: each was charged.
 */
function tellChats({ chats: { chats, labels, follows } }: AccountState) {
  const sends = Object.entries(chats).map(([chatId, { written }]) => {
    const own = written.flatMap(({ send_id, text, price, lockedText, media, writtenMs, blocked, cause }) =>
      send_id === null
        ? []
        : [{ at: isoTime(writtenMs), send_id, text, price, locked_text: lockedText, media, blocked, cause }],
    );
    return [chatId, own] as const;
  });
  return {
    sends: Object.fromEntries(sends.filter(([, own]) => own.length > 0)),
    labels,
    follows: follows.map(({ subscribedMs, fan_id, price, cause }) => ({
      at: isoTime(subscribedMs),
      fan_id,
      price,
      cause,
    })),
  };
}
export type ChatTruth = ReturnType<typeof tellChats>;

/** Two uploaded media with the same sha256 are a double upload; two records of a key, a repeated export. */
function tellVault(world: World, account: AccountState) {
  const { uploads, records } = advanceVault(world, account);
  const byKey: Record<string, { id: string; status: string }[]> = {};
  for (const { id, status, key } of records) (byKey[key] ??= []).push({ id, status });
  const exported = records.flatMap(({ id, key, media_id }) => {
    const upload = uploads[key];
    if (media_id === null || upload === undefined) return [];
    const { name, size, parts } = upload;
    const bytes = parts.map((part) => ({
      id: part.id,
      size: part.stored?.size ?? 0,
      sha256: part.stored?.sha256 ?? null,
    }));
    return [{ media_id, upload: id, key, name, size, sha256: digestParts(parts), parts: bytes }];
  });
  /** The number of starts without an export. */
  const unfinished = Object.keys(uploads).filter((key) => byKey[key] === undefined).length;
  return { exported, records: byKey, unfinished };
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
