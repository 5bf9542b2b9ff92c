import {
  type UploadRecord,
  type UploadStatus,
  recordOfId,
  UPLOAD_TRAITS,
  uploadStatusOf,
} from '../../acts/upload/records.ts';
import { describeProblem, ServiceError } from '../../api/errors.ts';
import { withoutSignatures } from '../../api/key.ts';
import { chooseAccount, refuseMovedAlias, sayService } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { switchFlag, textFlag, word } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { shown } from '../../domain/visible.ts';
import { nameService, withState } from '../../library/state-access.ts';

/**
 * Queues a stuck upload again. The request is idempotent, so it is retried after a lost answer. A refusal is normal, because
 * statuses are advisory (LOST-18); then the status is read and shown.
 */
export const retry = defineCommand({
  path: 'vault retry',
  about: 'queue a stuck upload again',
  examples: ['herald vault retry 0b0f7a52-5d7e-4a55-9d62-3f1d3c0c8a11 --account alice'],
  words: { upload: word('UPLOAD') },
  flags: {
    account: textFlag('--account <name>', 'alias or id of the account'),
    yes: switchFlag('--yes', 'accepted for consistency; has no effect'),
  },
  needs: 'service',
  run: async (context, { upload, account: given }, service) => {
    const { client } = service;
    const account = await chooseAccount(service, given);
    const { accountId } = account;
    sayService(context, service);
    await withState(
      context.state.read(() => nameService(client)),
      (state) => refuseMovedAlias(service, account, state),
    );
    const params = { account_id: accountId, upload_id: upload };
    const exchange = await context.protect(() => client.call('vault.upload-retry', { params }));
    const report = (record: UploadRecord, words: string) =>
      reportUpload(account, record, words, exchange.kind === 'done');
    if (exchange.kind === 'done') {
      const status = exchange.reply.status ?? 'unnamed';
      return report(exchange.reply, `Upload ${upload} was queued again; its status is ${status}.`);
    }
    const { problem } = exchange;
    const isLost = exchange.kind === 'unknown';
    const isRule = exchange.kind === 'refused' && problem.status !== 401 && problem.status !== 403;
    if (!isRule && !isLost) throw new ServiceError(problem);
    const read = await recordOfId(client, accountId, upload).catch((error: unknown) => error as Error);
    const record = read instanceof Error ? null : read;
    const { moves, end } = UPLOAD_TRAITS[uploadStatusOf(record ?? { status: null })];
    const done = moves ? 'is already in progress' : end === 'exported' ? 'is already finished' : null;
    if (record !== null && done !== null)
      return report(
        record,
        `Upload ${upload} ${done}, so there is nothing to retry: ${record.status ?? ''}.`,
      );
    throw refuse(upload, read, describeProblem(problem), isLost);
  },
});

function reportUpload(
  { alias, accountId }: ResolvedAccount,
  { id, status, media_id: mediaId }: UploadRecord,
  words: string,
  isQueued: boolean,
) {
  const item = { account: alias, account_id: accountId, upload_id: id, status: status ?? null };
  return itemResult({ ...item, media_id: mediaId ?? null, queued_again: isQueued }, shown`${words}\n`);
}

const ADVICE: Readonly<Partial<Record<UploadStatus, () => string>>> = {
  failed: () =>
    `A failed upload cannot be retried. Upload the file again: ${formatCommand('vault', 'upload', 'FILE')}`,
  unprocessable: () => 'The service cannot use this file: it is damaged, or of an unsupported type.',
};

/** `read`: the upload in the list of uploads, or why that could not be read. */
function refuse(
  upload: string,
  read: UploadRecord | Error | null,
  why: string,
  isLost: boolean,
): HeraldError {
  const record = read instanceof Error ? null : read;
  const status = record?.status ?? null;
  const details = withoutSignatures({ upload_id: upload, status, media_id: record?.media_id ?? null });
  const where =
    read instanceof Error
      ? `the list of uploads could not be read: ${read.message}`
      : read === null
        ? 'the list of uploads does not show it'
        : `its status is ${status ?? 'unnamed'}`;
  if (isLost)
    return new HeraldError(
      'unknown-outcome',
      `Unconfirmed: upload ${upload} may have been queued again (${why}); ${where}.`,
      'Run the command again; a second retry is harmless.',
      { exit: EXIT.unknown, details },
    );
  return new HeraldError(
    'not-queued',
    `Upload ${upload} was not queued again: ${why}; ${where}.`,
    ADVICE[uploadStatusOf({ status })]?.() ??
      `To see all uploads: ${formatCommand('vault', 'uploads', '--expired')}`,
    { details },
  );
}
