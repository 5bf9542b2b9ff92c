import { retryUpload } from '../../acts/upload/records.ts';
import { CATALOGUE } from '../../api/catalogue.ts';
import { chooseAccount, refuseMovedAliases, sayService } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { accountFlag, switchFlag, word } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';

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
    const account = await chooseAccount(service, given);
    const { alias, accountId } = account;
    sayService(context, service);
    await service.withReadingRun(({ state }) => refuseMovedAliases(service, [account], state));
    const { record, did } = await context.protect(() => retryUpload(service.client, accountId, upload));
    const { status = null, media_id = null } = record;
    return itemResult(
      {
        account: alias,
        account_id: accountId,
        upload_id: upload,
        status,
        media_id,
        queued_again: did === 'was queued again',
      },
      shown`Upload ${upload} ${did}; its status is ${status ?? 'unnamed'}.\n`,
    );
  },
});
