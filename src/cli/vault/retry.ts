import { describeProblem, ServiceError } from '../../api/errors.ts';
import { withoutSignatures } from '../../api/key.ts';
import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { AccountId, UploadId } from '../../domain/ids.ts';
import { shown } from '../../domain/visible.ts';
import { nameService } from '../../library/state-access.ts';
import {
  recordOfId,
  UPLOAD_TRAITS,
  type UploadRecord,
  type UploadStatus,
  uploadStatusOf,
} from '../../acts/upload/records.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { chooseAccount, openService, refuseMovedAlias, sayService, type Service } from '../accounts.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/**
 * `herald vault retry`: queues a stuck upload again. The request is idempotent, so it is retried after a lost answer.
 * A refusal is normal, because statuses are advisory (LOST-18); then the status is read and shown.
 */
export async function vaultRetryCommand(
  context: Context,
  uploadId: UploadId,
  flags: { readonly account: string | undefined },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const service = await openService(context);
  const account = await chooseAccount(service, flags.account);
  sayService(context, service);
  const state = await context.state.read(() => nameService(service.client));
  try {
    await refuseMovedAlias(service, account, state);
  } finally {
    await state.close();
  }
  const params = { account_id: account.accountId, upload_id: uploadId };
  const exchange = await context.protect(() => service.client.call('vault.upload-retry', { params }));
  const print = (record: UploadRecord, words: string) => {
    const { media_id: mediaId, status } = record;
    const item = {
      account: account.alias,
      account_id: account.accountId,
      upload_id: record.id,
      status: status ?? null,
      media_id: mediaId ?? null,
      queued_again: exchange.kind === 'done',
    };
    if (format === 'json') context.output.result(renderJson({ schema: 'herald/item/1', item }));
    else context.output.result(shown`${words}\n`);
    return EXIT.done;
  };
  if (exchange.kind === 'done') {
    const status = exchange.reply.status ?? 'unnamed';
    return print(exchange.reply, `Upload ${uploadId} was queued again; its status is ${status}.`);
  }
  const { problem } = exchange;
  const isRule = exchange.kind === 'refused' && problem.status !== 401 && problem.status !== 403;
  if (!isRule && exchange.kind !== 'unknown') throw new ServiceError(problem);
  const look = await readBack(service, account.accountId, uploadId);
  const { record } = look;
  const done = record === null ? null : nothingToRetry(record);
  if (record !== null && done !== null)
    return print(record, `Upload ${uploadId} ${done}, so there is nothing to retry: ${record.status ?? ''}.`);
  throw refused(exchange.kind === 'unknown', uploadId, look, describeProblem(problem));
}

/** The reason why there is nothing to retry: the upload continues by itself, or is finished. Otherwise null. */
function nothingToRetry(record: UploadRecord): string | null {
  const { moves, end } = UPLOAD_TRAITS[uploadStatusOf(record)];
  if (moves) return 'is already in progress';
  return end === 'exported' ? 'is already finished' : null;
}

const ADVICE: Readonly<Partial<Record<UploadStatus, () => string>>> = {
  failed: () =>
    `A failed upload cannot be retried. Upload the file again: ${formatCommand('vault', 'upload', 'FILE')}`,
  unprocessable: () => 'The service cannot use this file: it is damaged, or of an unsupported type.',
};

/** An upload in the list of uploads. `unread` is the reason if the list could not be read. */
interface UploadRead {
  readonly record: UploadRecord | null;
  readonly unread: string | null;
}

async function readBack({ client }: Service, accountId: AccountId, uploadId: UploadId): Promise<UploadRead> {
  try {
    return { record: await recordOfId(client, accountId, uploadId), unread: null };
  } catch (error) {
    return { record: null, unread: (error as Error).message };
  }
}

function whereabouts({ record, unread }: UploadRead): string {
  if (unread !== null) return `the list of uploads could not be read: ${unread}`;
  return record === null
    ? 'the list of uploads does not show it'
    : `its status is ${record.status ?? 'unnamed'}`;
}

function refused(lost: boolean, uploadId: UploadId, look: UploadRead, what: string): HeraldError {
  const { record } = look;
  const status = record?.status ?? null;
  const where = whereabouts(look);
  return new HeraldError(
    lost ? 'unknown-outcome' : 'not-queued',
    lost
      ? `Unconfirmed: upload ${uploadId} may have been queued again (${what}); ${where}.`
      : `Upload ${uploadId} was not queued again: ${what}; ${where}.`,
    lost
      ? 'Run the command again; a second retry is harmless.'
      : (ADVICE[uploadStatusOf({ status })]?.() ??
          `To see all uploads: ${formatCommand('vault', 'uploads', '--expired')}`),
    {
      exit: lost ? EXIT.unknown : EXIT.failed,
      details: withoutSignatures({ upload_id: uploadId, status, media_id: record?.media_id ?? null }),
    },
  );
}
