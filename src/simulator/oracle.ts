import { chatTruth, type ChatTruth } from './chat/truth.ts';
import { payoutTruth, type PayoutTruth } from './payouts/truth.ts';
import type { CommitRecord, DispatchRecord, RequestRecord } from './records.ts';
import { isoTime } from './records.ts';
import { storageTruth, vaultTruth, type StorageTruth, type VaultTruth } from './vault/truth.ts';
import { webhookTruth, type WebhookTruth } from './webhooks/truth.ts';
import type { World } from './world.ts';

/** How often a fan received the same content. More than once is a double send. */
interface DispatchCount {
  readonly account_id: string;
  readonly fan_id: string;
  readonly content: string;
  readonly text: string | null;
  readonly count: number;
  /** Kind and id of the objects that sent it, as `campaign:17`. */
  readonly sources: readonly string[];
}

/** The true state, for tests. Clients never use it. */
export interface Oracle {
  readonly now: string;
  readonly requests: readonly RequestRecord[];
  /** Requests that were answered 429. */
  readonly throttled: number;
  readonly commits: readonly CommitRecord[];
  readonly dispatches: readonly DispatchRecord[];
  readonly dispatch_counts: readonly DispatchCount[];
  /** By account id. */
  readonly payouts: Readonly<Record<string, PayoutTruth>>;
  /** By account id. */
  readonly chats: Readonly<Record<string, ChatTruth>>;
  /** By account id. */
  readonly vaults: Readonly<Record<string, VaultTruth>>;
  readonly storage: StorageTruth;
  readonly webhooks: WebhookTruth;
  /** The number of objects in each state, by account. A null state counts as `null`. */
  readonly live: Readonly<Record<string, LiveCounts>>;
}

interface LiveCounts {
  readonly campaigns: Readonly<Record<string, number>>;
  readonly broadcasts: Readonly<Record<string, number>>;
}

/** Returns a copy, so that it does not change later in the test. */
export function consultOracle(world: World): Oracle {
  return structuredClone({
    now: isoTime(world.nowMs),
    requests: world.requests,
    throttled: world.throttled,
    commits: world.commits,
    dispatches: world.dispatches,
    dispatch_counts: countDispatches(world.dispatches),
    payouts: payoutTruth(world),
    chats: chatTruth(world),
    vaults: vaultTruth(world),
    storage: storageTruth(world),
    webhooks: webhookTruth(world),
    live: Object.fromEntries(
      Object.entries(world.accounts).map(([id, { campaigns, broadcasts }]) => [
        id,
        { campaigns: countStates(campaigns), broadcasts: countStates(broadcasts) },
      ]),
    ),
  });
}

function countDispatches(dispatches: readonly DispatchRecord[]): DispatchCount[] {
  const counts = new Map<string, Omit<DispatchCount, 'sources'> & { count: number; sources: Set<string> }>();
  for (const { account_id, fan_id, content, text, kind, id } of dispatches) {
    const key = `${account_id} ${fan_id} ${content}`;
    const known = counts.get(key) ?? { account_id, fan_id, content, text, count: 0, sources: new Set() };
    known.count += 1;
    known.sources.add(`${kind}:${id}`);
    counts.set(key, known);
  }
  return [...counts.values()].map((known) => ({ ...known, sources: [...known.sources] }));
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
