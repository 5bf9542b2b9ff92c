import { isDenied, listOfUploads, readTraits } from '../../acts/upload/records.ts';
import type { UploadEnd, UploadRecord } from '../../acts/upload/records.ts';
import { readPages } from '../../api/pages.ts';
import { CATALOGUE } from '../../api/catalogue.ts';
import { describeProblem, ServiceError } from '../../api/errors.ts';
import { chooseAccount, refuseMovedAliases, sayService } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { accountFlag, switchFlag, word } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';
import { withReadingRun } from '../../library/with-run.ts';
import type { Client } from '../../api/client.ts';
import type { AccountId } from '../../domain/ids.ts';

/** Idempotent, so retried after a lost answer. A refusal is normal: statuses are advisory (LOST-18). */
export const retry = defineCommand({
  path: 'vault retry',
  about: 'queue a stuck upload again',
  examples: ['herald vault retry 0b0f7a52-5d7e-4a55-9d62-3f1d3c0c8a11 --account alice'],
  words: { upload: word('UPLOAD') },
  flags: {
    account: accountFlag,
    yes: switchFlag('--yes', 'accepted for consistency; has no effect'),
  },
  needs: 'service',
  run: async (context, { upload, account: given }, service) => {
    if (!CATALOGUE['vault.upload-retry'].params.shape.upload_id.safeParse(upload).success)
      throw new HeraldError(
        'bad-flag',
        `"${upload}" is not the id of an upload.`,
        `To see them: ${formatCommand('vault', 'uploads')}`,
      );
    const { client } = service;
    const account = await chooseAccount(service, given);
    const { accountId } = account;
    sayService(context, service);
    await withReadingRun(service, ({ state }) => refuseMovedAliases(service, [account], state));
    const params = { account_id: accountId, upload_id: upload };
    const exchange = await context.protect(() => client.prepare('vault.upload-retry', { params })());
    const about = { account: account.alias, account_id: accountId, upload_id: upload };
    const report = ({ status = null, media_id: media = null }: UploadRecord, words: string) =>
      itemResult(
        { ...about, status, media_id: media, queued_again: exchange.kind === 'done' },
        shown`Upload ${upload} ${words}; its status is ${status ?? 'unnamed'}.\n`,
      );
    if (exchange.kind === 'done') return report(exchange.reply, 'was queued again');
    const { problem, kind } = exchange;
    if (kind !== 'unknown' && (kind !== 'refused' || isDenied(problem))) throw new ServiceError(problem);
    const record = await findRecord(client, accountId, upload).catch(() => null);
    const { moves, end } = readTraits(record ?? {});
    if (record !== null && (moves || end === 'exported'))
      return report(record, `is already ${moves ? 'in progress' : 'finished'}, so there is nothing to retry`);
    const { status = null, media_id = null } = record ?? {};
    const details = {
      facts: [
        `answer: ${describeProblem(problem)}`,
        `status in the list of uploads: ${status ?? 'not known'}`,
      ],
      upload_id: upload,
      status,
      media_id,
    };
    if (kind === 'unknown')
      throw new HeraldError(
        'unknown-outcome',
        `Unconfirmed: upload ${upload} may have been queued again.`,
        'Run the command again; a second retry is harmless.',
        { details },
      );
    throw new HeraldError('not-queued', `Upload ${upload} was not queued again.`, chooseAdvice(end), {
      details,
    });
  },
});

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
