import { conclusionOf } from './records.ts';
import {
  endOf,
  hasFailed,
  mayBeMedia,
  recordsOfKey,
  type UploadWatch,
  type WatchEnd,
} from '../../live/uploads.ts';
import { warnOfSecondCopy, type Exported } from './resolve-export.ts';
import { ended, type UploadJob, type UploadPorts, type UploadRecord, type UploadResult } from './upload.ts';

/** How an export is followed. */
export interface Follow {
  readonly watch: UploadWatch;
  /** How long the end is waited for, in milliseconds; null for not at all. */
  readonly waitMs: number | null;
}

/** What following an export needs of the ledger: to write down what came of it. */
export type Recorder = Pick<UploadPorts['ledger'], 'conclude'>;

type Ports = Pick<UploadPorts, 'client' | 'clock'> & { readonly ledger: Recorder };
type Job = Pick<UploadJob, 'account' | 'onWarning'>;

/** Follows an accepted export to its end, and writes down what came of it. */
export async function followExport(
  ports: Ports,
  job: Job,
  exported: Exported,
  follow: Follow,
): Promise<UploadResult> {
  const { entry, earlier, repeated, key } = exported;
  const message = earlier === true ? 'An earlier run uploaded the same bytes; nothing was uploaded now.' : '';
  const watched = await followOneOfKey(ports, job, exported, follow);
  if (watched === null)
    return ended(
      'accepted',
      message === '' ? 'The service has accepted it, but the media does not exist yet.' : message,
      { uploadId: exported.record.id, status: exported.record.status ?? null },
    ).result;
  const known = conclusionOf(watched.record);
  if (known !== null) await ports.ledger.conclude(entry, known);
  if (repeated === true) warnOfSecondCopy(job, watched.record, await recordsOrNone(ports, job, key));
  const result = resultOf(watched);
  return earlier === true && result.outcome === 'exported'
    ? { ...result, outcome: 'already', message }
    : result;
}

/**
 * Follows the upload. If it fails, follows another one of its key: an export that was executed twice creates two, and
 * the media may be in the vault anyway (LOST-17, FAULT-12). Null if the caller does not wait.
 */
async function followOneOfKey(
  ports: Ports,
  job: Job,
  { record, key }: Exported,
  { watch, waitMs }: Follow,
): Promise<WatchEnd | null> {
  if (waitMs === null && endOf(record) === null) return null;
  const untilMs = ports.clock.monotonicMs() + (waitMs ?? 0);
  const dead = new Set<string>();
  for (let followed = record; ;) {
    const watched = await watch.follow(followed, Math.max(0, untilMs - ports.clock.monotonicMs()));
    if (!hasFailed(watched.record)) return watched;
    dead.add(followed.id);
    const records = await recordsOrNone(ports, job, key);
    const next = records.find((other) => !dead.has(other.id) && mayBeMedia(other));
    if (next === undefined) return watched;
    job.onWarning(
      `Upload ${followed.id} failed (${watched.record.status ?? ''}). The service has another upload with the same key, ${next.id}. Herald waits for that one instead.`,
    );
    followed = next;
  }
}

/** The uploads of the key; none where the list cannot be read. */
function recordsOrNone({ client }: Ports, { account }: Job, key: string): Promise<readonly UploadRecord[]> {
  return recordsOfKey(client, account.accountId, key).catch(() => []);
}

function resultOf({ end, record, why }: WatchEnd): UploadResult {
  const known = { uploadId: record.id, mediaId: record.media_id ?? null, status: record.status ?? null };
  const later = 'Run the same command again: it looks for this upload and uploads nothing twice.';
  const trouble = why === null ? '' : ` The last check failed: ${why}.`;
  switch (end) {
    case 'exported':
      return { ...known, outcome: 'exported', message: '' };
    case 'failed':
      return { ...known, outcome: 'failed', message: 'The service failed to process it. Upload it again.' };
    case 'unprocessable':
      return {
        ...known,
        outcome: 'unprocessable',
        message:
          'The service cannot use it: the file is corrupt, or of a kind that the service does not support. Uploading it again does not help.',
      };
    case 'timed_out':
      return {
        ...known,
        outcome: 'pending',
        message: `It was still in progress when Herald stopped waiting.${trouble} ${later}`,
      };
    case 'interrupted':
      return {
        ...known,
        outcome: 'pending',
        message: `Interrupted while the upload was in progress. ${later}`,
      };
    case 'blind':
      return {
        ...known,
        outcome: 'pending',
        message: `It was accepted, but its state cannot be read.${trouble} ${later}`,
        denied: true,
      };
  }
}
