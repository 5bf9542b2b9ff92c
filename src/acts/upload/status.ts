import type { Client } from '../../api/client.ts';
import type { AccountId, MediaId, UploadId } from '../../domain/ids.ts';
import {
  endOf,
  mayBeMedia,
  recordsOfKey,
  type UploadRecord,
  type UploadWatch,
  type WatchEnd,
} from './records.ts';
import type { Fact } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';

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
  if (waitMs === null && endOf(record) === null) {
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
