import type { Client } from '../../api/client.ts';
import { readById } from '../../live/read-object.ts';
import type { LiveId } from '../../domain/ids.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import { objectKey, type OpenCreate } from '../../domain/knowledge.ts';
import type { Kind, ResolvedAccount } from '../../domain/resource.ts';
import { STATUS_TRAITS } from '../../domain/status.ts';
import { Ages } from '../../ledger/ages.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { ensureAgesKnown } from '../../live/hear-clock.ts';
import { scanScope } from '../../live/read.ts';
import { isExpected } from '../errors.ts';
import { onOwnClock } from '../clocks.ts';
import type { ReconcilePorts } from '../ports.ts';

/** What a person stops by hand. The name is null where it was typed as an id. */
export interface StoppedObject {
  readonly ports: ReconcilePorts;
  readonly client: Client;
  readonly account: ResolvedAccount;
  readonly kind: Kind;
  readonly settleMs: number;
  readonly name: string | null;
}

/** Time between reads of the ledger while another run has a create in progress. */
const POLL_MS = 1_000;

/**
 * Creates without an end that a stop must stop as well: those of its name, and those that replace its object. They may be
 * requests of a run that is at work now.
 */
export class OpenCreates {
  readonly #stop: StoppedObject;
  readonly #ages: Ages;
  readonly #reader: LedgerReader;
  readonly #found = new Map<string, OpenCreate>();
  /** What is stopped itself; null where nothing has the name yet. */
  liveId: LiveId | null = null;

  constructor(stop: StoppedObject) {
    const { ports, client } = stop;
    this.#stop = stop;
    this.#ages = new Ages(ports.clock, client);
    this.#reader = new LedgerReader(ports.state.ledger, client.address);
  }

  /** The name of the first, or the one that was typed. */
  get name(): string {
    return [...this.#found.values()][0]?.address.name ?? this.#stop.name ?? '';
  }

  /** Looks for them in the ledger. One that has ended since counts as well. */
  async look(): Promise<void> {
    await this.#openNow();
  }

  get areFound(): boolean {
    return this.#found.size > 0;
  }

  /**
   * Waits until none of them can still be carried out, and gives the ids of what they made and runs. Null if that is not
   * known: the wait was interrupted, or the list cannot be read.
   */
  async made(): Promise<readonly LiveId[] | null> {
    const { ports, client, account, kind } = this.#stop;
    const { liveId } = this;
    await ensureAgesKnown(client);
    for (let isFirst = true; ; isFirst = false) {
      const left = (await this.#openNow()).map(({ sentAtMs }) => this.#leftMs(sentAtMs));
      const leftMs = Math.max(...left);
      if (left.length === 0 || leftMs <= 0) break;
      ports.report({ kind: 'resolving', requests: left.length, leftMs, isFirst });
      await ports.clock.sleep(Math.min(POLL_MS, leftMs), ports.interrupted).catch(() => undefined);
      if (ports.interrupted.aborted) return null;
    }
    ports.report({ kind: 'idle' });
    try {
      const list = await scanScope(client, { account, kind });
      const creates = [...this.#found.values()];
      const isMade = (id: string, name: string | null | undefined) =>
        creates.some((create) => create.address.name === name && !create.baseline.includes(id));
      return list
        .filter(({ live }) => STATUS_TRAITS[KIND_ROWS[kind].statusOf(live)].runs)
        .flatMap(({ live: { id, name } }) => (id !== liveId && isMade(id, name) ? [id] : []));
    } catch (error) {
      if (!isExpected(error)) throw error;
      return null;
    }
  }

  #leftMs(sentAtMs: number): number {
    return sentAtMs + this.#stop.settleMs - this.#stop.ports.clock.now();
  }

  async #openNow(): Promise<readonly OpenCreate[]> {
    const { account, kind } = this.#stop;
    const { liveId } = this;
    const { knowledge } = await this.#reader.read();
    const creates = onOwnClock(knowledge, this.#ages).open.filter(
      (entry): entry is typeof entry & OpenCreate =>
        entry.call === 'create' && entry.accountId === account.accountId && entry.address.kind === kind,
    );
    if (creates.length === 0) return [];
    const known = knowledge.objects.get(objectKey(account.accountId, kind, liveId ?? ''))?.name;
    const names = [await this.#name(), known];
    const own = creates.filter(
      ({ address, supersedes }) => names.includes(address.name) || supersedes.includes(liveId ?? ''),
    );
    for (const create of own) this.#found.set(create.entry, create);
    return own;
  }

  /** As it was typed, or as the object has it. */
  async #name(): Promise<string | null | undefined> {
    const { client, account, kind, name } = this.#stop;
    const { liveId } = this;
    if (name !== null || liveId === null) return name;
    const read = await readById(client, { accountId: account.accountId, kind, liveId });
    return read.kind === 'done' ? read.reply.name : null;
  }
}
