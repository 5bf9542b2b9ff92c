import type { Client } from '../../api/client.ts';
import { ServiceError } from '../../api/errors.ts';
import { readPages } from '../../api/pages.ts';
import { hasCode } from '../../domain/herald-error.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Clock } from '../../domain/ports.ts';
import type { State } from '../../state/state.ts';
import {
  isDenied,
  listOfUploads,
  makeResult,
  readEnd,
  recordsOfKey,
  warnOfSecondCopy,
  type Exported,
  type UploadOutcome,
  type UploadRecord,
  type UploadResult,
} from './records.ts';

/** What following exports needs. Without the lease: facts are recorded next to any other run. */
export interface FollowPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  readonly interrupted: AbortSignal;
  readonly state: Pick<State, 'learn'>;
  /** How long the end of each is waited for, in milliseconds; null for not at all. */
  readonly waitMs: number | null;
}

/** Follows an accepted export to its end, and records its media. `onWarning` gets a sentence for a person, although it goes on. */
export type FollowExport = (
  accountId: AccountId,
  exported: Exported,
  onWarning: (sentence: string) => void,
) => Promise<UploadResult>;

/** How long the service may take to make media of what it got; a later run goes on waiting. */
export const MEDIA_WAIT_MS = 30 * 60_000;

/** Follows exports of any account. One reading of an account's list serves all of its files. */
export function followExports(ports: FollowPorts): FollowExport {
  const { client, state, waitMs } = ports;
  const watches = new Map<AccountId, UploadWatch>();
  return async (accountId, { record, isEarlier, isRepeated, key, mediaFacts }, onWarning) => {
    const earlier = isEarlier ? 'The same bytes were uploaded before; nothing was uploaded now.' : '';
    if (waitMs === null && readEnd(record) === null) {
      const words = earlier || 'The service has accepted it, but the media does not exist yet.';
      return makeResult('accepted', words, { uploadId: record.id, status: record.status ?? null });
    }
    const watch = watches.get(accountId) ?? new UploadWatch(ports, accountId);
    watches.set(accountId, watch);
    const watched = await watch.follow(record, waitMs ?? 0);
    const { media_id: mediaId } = watched.record;
    if (watched.end === 'exported' && mediaId != null)
      await state.learn(mediaFacts(mediaId)).catch((error: unknown) => {
        if (!hasCode(error, 'state-')) throw error;
        onWarning(
          `The result of this upload is not in the state: ${error.message}. The next upload of these bytes finds it in the list of uploads.`,
        );
      });
    if (isRepeated)
      warnOfSecondCopy(onWarning, watched.record, await recordsOfKey(client, accountId, key).catch(() => []));
    const result = describeEnd(watched);
    if (!isEarlier || result.outcome !== 'exported') return result;
    return { ...result, outcome: 'already', message: earlier };
  };
}

/** Looks double from 2 s up to 30 s, with up to a quarter more (VAULT-14). */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 30_000;

/** How a watch ended; `why` says what went wrong while looking, if anything did. */
interface WatchEnd {
  readonly end: 'exported' | 'failed' | 'unprocessable' | 'timed_out' | 'interrupted' | 'denied';
  readonly record: UploadRecord;
  readonly why: string | null;
}

interface Follower {
  record: UploadRecord;
  readonly untilMs: number;
  readonly resolve: (watched: WatchEnd) => void;
}

/**
 * Follows uploads of one account to their ends. The service has no way to read one upload, so one reading of the
 * list serves all that are followed. Statuses are advisory: only the three that nothing leaves end a watch, and
 * `exported` only with its media.
 */
export class UploadWatch {
  readonly #ports: Pick<FollowPorts, 'client' | 'clock' | 'random' | 'interrupted'>;
  readonly #accountId: AccountId;
  readonly #followers = new Set<Follower>();
  #waitMs = FIRST_LOOK_MS;
  #isRunning = false;
  #why: string | null = null;

  constructor(ports: Pick<FollowPorts, 'client' | 'clock' | 'random' | 'interrupted'>, accountId: AccountId) {
    this.#ports = ports;
    this.#accountId = accountId;
  }

  /** Resolves when the upload has come to its end, or after `waitMs`. Never rejects. */
  follow(record: UploadRecord, waitMs: number): Promise<WatchEnd> {
    const end = readEnd(record);
    if (end !== null) return Promise.resolve({ end, record, why: null });
    return new Promise((resolve) => {
      this.#followers.add({ record, untilMs: this.#ports.clock.monotonicMs() + waitMs, resolve });
      this.#waitMs = FIRST_LOOK_MS;
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    const { clock, random, interrupted } = this.#ports;
    while (this.#followers.size > 0) {
      const nowMs = clock.monotonicMs();
      const untilMs = Math.min(...[...this.#followers].map((follower) => follower.untilMs));
      const waitMs = Math.min(this.#waitMs * (1 + random() / 4), untilMs - nowMs);
      await clock.sleep(Math.max(0, waitMs), interrupted).catch(() => undefined);
      if (interrupted.aborted) break;
      this.#waitMs = Math.min(LONGEST_LOOK_MS, this.#waitMs * 2);
      await this.#look();
      for (const follower of this.#followers)
        if (clock.monotonicMs() >= follower.untilMs) this.#end(follower, 'timed_out');
    }
    for (const follower of this.#followers) this.#end(follower, 'interrupted');
    this.#isRunning = false;
  }

  /** Reads the list until all that are followed were seen. A reading that fails is the end only if the key is refused. */
  async #look(): Promise<void> {
    const unseen = new Set(this.#followers);
    this.#why = null;
    try {
      const list = readPages(this.#ports.client, 'vault.uploads', listOfUploads(this.#accountId));
      for await (const page of list) {
        for (const follower of unseen) {
          const record = page.find(({ id }) => id === follower.record.id);
          if (record === undefined) continue;
          unseen.delete(follower);
          follower.record = record;
          const end = readEnd(record);
          if (end !== null) this.#end(follower, end);
        }
        if (unseen.size === 0) return;
      }
    } catch (error) {
      this.#why = error instanceof Error ? error.message : String(error);
      if (error instanceof ServiceError && isDenied(error.problem))
        for (const follower of this.#followers) this.#end(follower, 'denied');
    }
  }

  #end(follower: Follower, end: WatchEnd['end']): void {
    this.#followers.delete(follower);
    follower.resolve({ end, record: follower.record, why: this.#why });
  }
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
  denied: [
    'pending',
    (trouble) => `The service has accepted it, but Herald stopped waiting.${trouble} ${LATER}`,
  ],
  interrupted: ['pending', () => `Interrupted while the upload was in progress. ${LATER}`],
};

function describeEnd({ end, record, why }: WatchEnd): UploadResult {
  const known = { uploadId: record.id, mediaId: record.media_id ?? null, status: record.status ?? null };
  const [outcome, words] = ENDS[end];
  const message = words(why === null ? '' : ` The last check failed: ${why}.`);
  return makeResult(outcome, message, { ...known, denied: end === 'denied' });
}
