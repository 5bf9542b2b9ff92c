import type { Client } from '../../api/client.ts';
import { describeProblem, ServiceError } from '../../api/errors.ts';
import { readPages } from '../../api/pages.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { AccountId } from '../../domain/ids.ts';
import { isDenied, listOfUploads, readTraits, type UploadEnd, type UploadRecord } from './records.ts';

interface Retried {
  readonly record: UploadRecord;
  readonly did:
    | 'was queued again'
    | 'is already in progress, so there is nothing to retry'
    | 'is already finished, so there is nothing to retry';
}

/**
 * Queues an upload again. Idempotent, so retried after a lost answer. A refusal is normal: statuses are advisory (LOST-18), so the
 * list says whether there was anything to retry. Throws if there was.
 */
export async function retryUpload(client: Client, accountId: AccountId, uploadId: string): Promise<Retried> {
  const params = { account_id: accountId, upload_id: uploadId };
  const exchange = await client.prepare('vault.upload-retry', { params })();
  if (exchange.kind === 'done') return { record: exchange.reply, did: 'was queued again' };
  const { problem, kind } = exchange;
  if (kind !== 'unknown' && (kind !== 'refused' || isDenied(problem))) throw new ServiceError(problem);
  const record = await findRecord(client, accountId, uploadId).catch(() => null);
  const { moves, end } = readTraits(record ?? {});
  if (record !== null && moves)
    return { record, did: 'is already in progress, so there is nothing to retry' };
  if (record !== null && end === 'exported')
    return { record, did: 'is already finished, so there is nothing to retry' };
  const { status = null, media_id = null } = record ?? {};
  const details = {
    facts: [`answer: ${describeProblem(problem)}`, `status in the list of uploads: ${status ?? 'not known'}`],
    upload_id: uploadId,
    status,
    media_id,
  };
  if (kind === 'unknown')
    throw new HeraldError(
      'unknown-outcome',
      `Unconfirmed: upload ${uploadId} may have been queued again.`,
      'Run the command again; a second retry is harmless.',
      { details },
    );
  throw new HeraldError('not-queued', `Upload ${uploadId} was not queued again.`, chooseAdvice(end), {
    details,
  });
}

async function findRecord(client: Client, accountId: AccountId, id: string): Promise<UploadRecord | null> {
  for await (const page of readPages(client, 'vault.uploads', listOfUploads(accountId))) {
    const found = page.find((record) => record.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

function chooseAdvice(end: UploadEnd): string {
  if (end === 'failed')
    return `A failed upload cannot be retried. Upload the file again: ${formatCommand('vault', 'upload', 'FILE')}`;
  return end === 'unprocessable'
    ? 'The service cannot use this file: it is damaged, or of an unsupported type.'
    : `To see all uploads: ${formatCommand('vault', 'uploads', '--expired')}`;
}
