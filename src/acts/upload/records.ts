import type { Reply } from '../../api/catalogue.ts';
import type { Client } from '../../api/client.ts';
import { ServiceError, type Problem } from '../../api/errors.ts';
import { readPages } from '../../api/pages.ts';
import { compareText } from '../../domain/diagnostic.ts';
import type { AccountId, MediaId, UploadId } from '../../domain/ids.ts';
import type { Clock } from '../../domain/ports.ts';
import type { WithStatus } from '../../domain/status.ts';
import type { Fact } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';

export type UploadRecord = Reply<'vault.upload-export'>;

interface UploadTraits {
  /** Only during an export. */
  readonly isExport: boolean;
  /** The result of the upload. Null while it continues, or if it is unknown. */
  readonly end: 'exported' | 'failed' | 'unprocessable' | null;
  /** It continues by itself, so there is nothing to retry. */
  readonly moves: boolean;
}

/** The traits of each documented status (VAULT-12), and of a record with none or with an unknown one. */
export const UPLOAD_TRAITS = {
  uploaded: { isExport: false, end: null, moves: false },
  processing: { isExport: true, end: null, moves: true },
  processed: { isExport: true, end: null, moves: false },
  exporting: { isExport: true, end: null, moves: true },
  exported: { isExport: true, end: 'exported', moves: false },
  failed: { isExport: true, end: 'failed', moves: false },
  unprocessable: { isExport: true, end: 'unprocessable', moves: false },
  none: { isExport: false, end: null, moves: false },
  unnamed: { isExport: false, end: null, moves: false },
} as const satisfies Readonly<Record<string, UploadTraits>>;
export type UploadStatus = keyof typeof UPLOAD_TRAITS;

/** Reads the status of an upload. Its record keeps the text. */
export function uploadStatusOf({ status }: WithStatus): UploadStatus {
  if (status === null || status === undefined) return 'none';
  return Object.hasOwn(UPLOAD_TRAITS, status) ? (status as UploadStatus) : 'unnamed';
}

/**
 * The account's upload records, page by page. Unfinished ones are listed only with `expired` (VAULT-13), and none may be
 * missed.
 */
function uploadPages(client: Client, accountId: AccountId): AsyncGenerator<readonly UploadRecord[], void> {
  return readPages(client, 'vault.uploads', { params: { account_id: accountId }, query: { expired: true } });
}

/**
 * All records of one key; there should be at most one. The oldest first, but a failed one never comes before one that
 * may be a media.
 */
export async function recordsOfKey(
  client: Client,
  accountId: AccountId,
  key: string,
): Promise<readonly UploadRecord[]> {
  const found: UploadRecord[] = [];
  for await (const page of uploadPages(client, accountId))
    found.push(...page.filter((record) => record.metadata?.key === key));
  return found.toSorted(
    (left, right) =>
      Number(hasFailed(left)) - Number(hasFailed(right)) ||
      compareText(left.created_at ?? '', right.created_at ?? ''),
  );
}

/** Will not become a media any more. */
function hasFailed(record: UploadRecord): boolean {
  const { end } = UPLOAD_TRAITS[uploadStatusOf(record)];
  return end === 'failed' || end === 'unprocessable';
}

/**
 * What a record of our key says about the export of it. The service lists the type of an export. A record without one,
 * without a media and in no later state than `uploaded` is an upload that was only started (VAULT-13).
 */
export function kindOfRecord(record: UploadRecord): 'export' | 'start' {
  const { media_id: mediaId, metadata } = record;
  if (mediaId != null || (metadata != null && typeof metadata['export_type'] === 'string')) return 'export';
  return UPLOAD_TRAITS[uploadStatusOf(record)].isExport ? 'export' : 'start';
}

/** Certainly an export, and not failed. */
function mayBeMedia(record: UploadRecord): boolean {
  return kindOfRecord(record) === 'export' && !hasFailed(record);
}

/** The record of one upload; null when the list does not show it. */
export async function recordOfId(
  client: Client,
  accountId: AccountId,
  id: string,
): Promise<UploadRecord | null> {
  for await (const page of uploadPages(client, accountId)) {
    const found = page.find((record) => record.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

/** Assumed: `failed` and `unprocessable` may be reached from any state (VAULT-12). */
export function readEnd(record: UploadRecord): 'exported' | 'failed' | 'unprocessable' | null {
  const { end } = UPLOAD_TRAITS[uploadStatusOf(record)];
  return end === 'exported' && record.media_id == null ? null : end;
}

/** The key is not accepted, or may not do this: no new start helps it. */
export function isDenied({ status }: Problem): boolean {
  return status === 401 || status === 403;
}

/** Looks double from 2 s up to 30 s, with up to a quarter more (VAULT-14). */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 30_000;

/** How a watch ended; `why` says what went wrong while looking, if anything did. */
export interface WatchEnd {
  readonly end: 'exported' | 'failed' | 'unprocessable' | 'timed_out' | 'interrupted' | 'blind';
  /** As it was last read. */
  readonly record: UploadRecord;
  readonly why: string | null;
}

interface Follower {
  record: UploadRecord;
  readonly untilMs: number;
  nextMs: number;
  waitMs: number;
  readonly resolve: (watched: WatchEnd) => void;
}

interface WatchPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly interrupted: AbortSignal;
}

/**
 * Follows uploads of one account to their ends. The service has no way to read one upload, so one reading of the
 * list serves all that are followed. Statuses are advisory: only the three that nothing leaves end a watch, and
 * `exported` only with its media.
 */
export class UploadWatch {
  readonly #ports: WatchPorts;
  readonly #accountId: AccountId;
  readonly #followers = new Map<string, Follower>();
  #wakeUp = new AbortController();
  #running = false;
  #why: string | null = null;

  constructor(ports: WatchPorts, accountId: AccountId) {
    this.#ports = ports;
    this.#accountId = accountId;
  }

  /** Resolves when the upload has come to its end, or after `waitMs`. Never rejects. */
  follow(record: UploadRecord, waitMs: number): Promise<WatchEnd> {
    const end = readEnd(record);
    if (end !== null) return Promise.resolve({ end, record, why: null });
    const nowMs = this.#ports.clock.monotonicMs();
    // What is followed already has one end for all who ask.
    const before = this.#followers.get(record.id)?.resolve;
    return new Promise((hear) => {
      const resolve = (watched: WatchEnd) => {
        before?.(watched);
        hear(watched);
      };
      const follower = { record, untilMs: nowMs + waitMs, nextMs: 0, waitMs: FIRST_LOOK_MS, resolve };
      this.#schedule(follower, nowMs);
      this.#followers.set(record.id, follower);
      if (this.#running) this.#wakeUp.abort();
      else void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    const { clock, interrupted } = this.#ports;
    while (this.#followers.size > 0 && !interrupted.aborted) {
      const nextMs = Math.min(...[...this.#followers.values()].map((follower) => follower.nextMs));
      await this.#sleep(nextMs - clock.monotonicMs());
      const nowMs = clock.monotonicMs();
      if (nowMs < nextMs || interrupted.aborted) continue;
      await this.#look();
      for (const follower of this.#followers.values()) {
        if (clock.monotonicMs() >= follower.untilMs) this.#end(follower, 'timed_out');
        else if (follower.nextMs <= nowMs) this.#schedule(follower, clock.monotonicMs());
      }
    }
    for (const follower of this.#followers.values()) this.#end(follower, 'interrupted');
    this.#running = false;
  }

  /** Until then, or until another upload is followed, or an interrupt. */
  async #sleep(ms: number): Promise<void> {
    if (ms <= 0) return;
    this.#wakeUp = new AbortController();
    const signal = AbortSignal.any([this.#wakeUp.signal, this.#ports.interrupted]);
    await this.#ports.clock.sleep(ms, signal).catch(() => undefined);
  }

  /** Reads the list until all that are followed were seen. A reading that fails is not the end: the next may do. */
  async #look(): Promise<void> {
    const unseen = new Set(this.#followers.keys());
    this.#why = null;
    try {
      for await (const page of uploadPages(this.#ports.client, this.#accountId)) {
        for (const record of page) {
          const follower = this.#followers.get(record.id);
          if (follower === undefined || !unseen.delete(record.id)) continue;
          follower.record = record;
          const end = readEnd(record);
          if (end !== null) this.#end(follower, end);
        }
        if (unseen.size === 0) return;
      }
    } catch (error) {
      this.#why = (error as Error).message;
      if (error instanceof ServiceError && isDenied(error.problem))
        for (const follower of this.#followers.values()) this.#end(follower, 'blind');
    }
  }

  #schedule(follower: Follower, nowMs: number): void {
    const wait = follower.waitMs * (1 + this.#ports.random() / 4);
    follower.nextMs = Math.min(nowMs + wait, follower.untilMs);
    follower.waitMs = Math.min(LONGEST_LOOK_MS, follower.waitMs * 2);
  }

  #end({ record, resolve }: Follower, end: WatchEnd['end']): void {
    this.#followers.delete(record.id);
    resolve({ end, record, why: this.#why });
  }
}

/**
 * How far an upload came.
 *
 * | outcome       | the media is in the vault | what it means                                                |
 * |---------------|---------------------------|--------------------------------------------------------------|
 * | exported      | yes                       | uploaded now                                                 |
 * | already       | yes                       | the same bytes were uploaded before; nothing was sent        |
 * | accepted      | not yet                   | the service has it, and Herald did not wait for the end      |
 * | pending       | not yet                   | the wait ran out before the end                              |
 * | failed        | no                        | it may be uploaded again                                     |
 * | unprocessable | no                        | the service cannot use these bytes: no repeat helps          |
 * | unknown       | not known                 | an answer was lost, and the list of uploads did not tell     |
 * | not_attempted | no                        | nothing was exported: interrupted, or it takes --again       |
 */
export const UPLOAD_OUTCOMES = [
  'exported',
  'already',
  'accepted',
  'pending',
  'failed',
  'unprocessable',
  'unknown',
  'not_attempted',
] as const;
export type UploadOutcome = (typeof UPLOAD_OUTCOMES)[number];

/** What became of one file. */
export interface UploadResult {
  readonly outcome: UploadOutcome;
  readonly uploadId: UploadId | null;
  readonly mediaId: MediaId | null;
  /** The service's word for the state of the upload, as it was last read. */
  readonly status: string | null;
  /** What happened and what to do, as sentences; empty where there is nothing to say. */
  readonly message: string;
  /** The service refused the key or what it asked for: no other upload would succeed. */
  readonly denied?: boolean;
}

/** The end of an upload, before or after its export. */
export interface Ended {
  readonly kind: 'ended';
  readonly result: UploadResult;
}

export function ended(outcome: UploadOutcome, message: string, known: Partial<UploadResult> = {}): Ended {
  const nothing = { uploadId: null, mediaId: null, status: null };
  return { kind: 'ended', result: { ...nothing, ...known, outcome, message } };
}

/** An export that the service has accepted. */
export interface Exported {
  readonly record: UploadRecord;
  readonly key: string;
  /** What to record when its media is known. */
  readonly mediaFacts: (mediaId: MediaId) => readonly Fact[];
  /** An earlier run exported the same bytes; nothing was uploaded now. */
  readonly isEarlier: boolean;
  /** An export of this key was lost before and sent once more: one that takes effect late makes a second media. */
  readonly isRepeated: boolean;
  /** Why the state does not have its end. */
  readonly unrecorded: string | null;
}

/** What following an export needs. Without the lease: facts are recorded next to any other run. */
export interface FollowPorts {
  readonly client: Client;
  readonly state: Pick<State, 'learn'>;
  readonly watch: UploadWatch;
  /** How long the end is waited for, in milliseconds; null for not at all. */
  readonly waitMs: number | null;
  /** A sentence for a person, although it goes on. */
  readonly onWarning: (sentence: string) => void;
}

/** Follows an accepted export to its end, and records its media. */
export async function followExport(
  ports: FollowPorts,
  accountId: AccountId,
  exported: Exported,
): Promise<UploadResult> {
  const { record, isEarlier, isRepeated, key, mediaFacts } = exported;
  const { watch, waitMs } = ports;
  const message = isEarlier ? 'An earlier run uploaded the same bytes; nothing was uploaded now.' : '';
  if (waitMs === null && readEnd(record) === null) {
    const words = isEarlier ? message : 'The service has accepted it, but the media does not exist yet.';
    return ended('accepted', words, { uploadId: record.id, status: record.status ?? null }).result;
  }
  const watched = await watch.follow(record, waitMs ?? 0);
  const { media_id: mediaId } = watched.record;
  if (watched.end === 'exported' && mediaId != null) await ports.state.learn(mediaFacts(mediaId));
  if (isRepeated) {
    const records = await recordsOfKey(ports.client, accountId, key).catch(() => []);
    warnOfSecondCopy(ports, watched.record, records);
  }
  const result = describeEnd(watched);
  return isEarlier && result.outcome === 'exported' ? { ...result, outcome: 'already', message } : result;
}

/** Exports of one key that were carried out twice make two media (LOST-17, FAULT-12). */
export function warnOfSecondCopy(
  { onWarning }: Pick<FollowPorts, 'onWarning'>,
  { id }: UploadRecord,
  records: readonly UploadRecord[],
): void {
  const others = records.filter((record) => record.id !== id && mayBeMedia(record));
  if (others.length === 0) return;
  onWarning(
    `The vault has ${others.length + 1} uploads with the same key. Herald waits for ${id}; ${others.map((other) => other.id).join(', ')} may be a second copy of the media.`,
  );
}

const LATER = 'Run the same command again: it looks for this upload and uploads nothing twice.';

/** How each end of a watch is shown. `trouble`: why the last look failed. */
const ENDS: Readonly<Record<WatchEnd['end'], readonly [UploadOutcome, (trouble: string) => string]>> = {
  exported: ['exported', () => ''],
  failed: ['failed', () => 'The service failed to process it. Upload it again.'],
  unprocessable: [
    'unprocessable',
    () =>
      'The service cannot use it: the file is corrupt, or of a kind that the service does not support. Uploading it again does not help.',
  ],
  timed_out: [
    'pending',
    (trouble) => `It was still in progress when Herald stopped waiting.${trouble} ${LATER}`,
  ],
  interrupted: ['pending', () => `Interrupted while the upload was in progress. ${LATER}`],
  blind: ['pending', (trouble) => `It was accepted, but its state cannot be read.${trouble} ${LATER}`],
};

function describeEnd({ end, record, why }: WatchEnd): UploadResult {
  const known = { uploadId: record.id, mediaId: record.media_id ?? null, status: record.status ?? null };
  const [outcome, words] = ENDS[end];
  const message = words(why === null ? '' : ` The last check failed: ${why}.`);
  return { ...known, outcome, message, ...(end === 'blind' ? { denied: true } : {}) };
}
