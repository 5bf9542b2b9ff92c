import { chooseAccount, warnOfMoved } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { accountFlag, requiredFlag, word } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';
import { formatBytes } from '../../render/values.ts';

/** How a web page begins, with or without the mark of its encoding. */
const PAGE_START = /^(\xef\xbb\xbf)?\s*<(!|html|head|body)/i;

export const thumbnail = defineCommand({
  path: 'vault thumbnail',
  about: "save a media's thumbnail",
  examples: ['herald vault thumbnail 9007199254740993 --account alice --out thumb.jpg'],
  words: { media: word('MEDIA') },
  flags: {
    account: accountFlag,
    out: requiredFlag('--out <file>', 'file to write'),
  },
  needs: 'service',
  run: async (context, { media, out, account: given }, service) => {
    const account = await chooseAccount(service, given);
    await warnOfMoved(context, service, [account]);
    const params = { account_id: account.accountId, media_id: media };
    const bytes = await service.client.read('vault.thumbnail', { params });
    // Gateways answer with a page, such as one to sign in.
    const isPage = PAGE_START.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'));
    if (isPage || bytes.byteLength === 0)
      throw new HeraldError(
        'no-thumbnail',
        `The answer for the thumbnail of media ${media} is ${isPage ? 'a web page, probably from a gateway' : 'empty'}. Nothing was written.`,
        `Try again later: ${formatCommand('vault', 'thumbnail', media, '--account', account.alias, '--out', out)}`,
      );
    await context.typed.files.writeAtomically(out, bytes);
    const { alias, accountId } = account;
    const size = bytes.byteLength;
    return itemResult(
      { account: alias, account_id: accountId, media_id: media, file: out, size },
      shown`${out}: ${formatBytes(size)}`,
    );
  },
});
