import { conclusion } from '../../requests/conclusion.ts';
import { pollUntilResolved } from '../../requests/settle-window.ts';
import type { ExportDetails } from './past-exports.ts';
import { kindOfRecord, mayBeMedia, recordsOfKey } from '../../live/uploads.ts';
import {
  ended,
  type Reached,
  type UploadJob,
  type UploadPorts,
  type UploadRecord,
  windowOf,
} from './upload.ts';
import { formatCommand } from '../../domain/command-line.ts';

/** An export that the service has accepted, and its entry in the ledger. */
export interface Exported {
  readonly entry: string;
  readonly record: UploadRecord;
  /** An earlier run exported the same bytes; nothing was uploaded now. */
  readonly earlier?: true;
  readonly key: string;
  /** An export of this key was lost before and sent once more: one that lands late makes a second media. */
  readonly repeated?: true;
}

interface LostExport {
  readonly entry: string;
  /** How old it is at least. */
  readonly ageMs: number;
  readonly details: ExportDetails;
}

/** Looks for an export with a lost answer; null if it certainly does not exist. The ledger then says so. */
export async function resolveExport(
  ports: UploadPorts,
  job: UploadJob,
  { entry, ageMs, details }: LostExport,
): Promise<Reached<Exported> | null> {
  const lost = (why: string) =>
    ended(
      'unknown',
      `Unconfirmed: the export got no answer, and it may have succeeded: ${why}. Run the same command again. It looks for ${details.name} by its key, and uploads nothing before the result is known. To check the uploads: ${formatCommand('vault', 'uploads', '--expired')}`,
    );
  try {
    const found = await pollUntilResolved(windowOf(ports), ageMs, async () => {
      const records = await recordsOfKey(ports.client, job.account.accountId, details.key);
      return adopt(
        ports,
        job,
        { entry, key: details.key },
        records.filter((record) => kindOfRecord(record) === 'export'),
      );
    });
    if (found !== null) return found;
  } catch (error) {
    return lost(ports.interrupted.aborted ? 'interrupted' : (error as Error).message);
  }
  await ports.ledger.conclude(entry, conclusion('absent', 'not in the list of uploads after the window'));
  return null;
}

async function adopt(
  { ledger }: Pick<UploadPorts, 'ledger'>,
  job: Pick<UploadJob, 'onWarning'>,
  { entry, key }: Pick<Exported, 'entry' | 'key'>,
  exports: readonly UploadRecord[],
): Promise<Reached<Exported> | null> {
  const [record] = exports;
  if (record === undefined) return null;
  warnOfSecondCopy(job, record, exports);
  await ledger.conclude(entry, conclusion('adopted', `upload ${record.id}`));
  return { kind: 'done', value: { entry, record, key } };
}

/** Exports of one key that were carried out twice make two media (LOST-17, FAULT-12). */
export function warnOfSecondCopy(
  { onWarning }: Pick<UploadJob, 'onWarning'>,
  { id }: UploadRecord,
  records: readonly UploadRecord[],
): void {
  const others = records.filter((record) => record.id !== id && mayBeMedia(record));
  if (others.length === 0) return;
  onWarning(
    `The vault has ${others.length + 1} uploads with the same key. Herald waits for ${id}; ${others.map((other) => other.id).join(', ')} may be a second copy of the media.`,
  );
}
