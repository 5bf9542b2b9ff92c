import { chooseAccount, warnOfMoved } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { accountFlag, requiredFlag, word } from '../../cli/flags.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';
import { formatBytes } from '../../render/values.ts';

/** How a web page begins, with or without the mark of its encoding. */
const PAGE_START = /^(\xef\xbb\xbf)?\s*<(!|html|head|body)/i;

/** Writes a thumbnail to standard output or into a file. */
export const thumbnail = defineCommand({
  path: 'vault thumbnail',
  about: "save a media's thumbnail",
  examples: ['herald vault thumbnail 9007199254740993 --account alice --out thumb.jpg'],
  words: { media: word('MEDIA') },
  flags: {
    account: accountFlag,
    out: requiredFlag('--out <file>', 'file to write, - for standard output'),
  },
  needs: 'service',
  run: async (context, { media, out, format, account: given }, service) => {
    const { output } = context;
    const toOutput = out === '-';
    if (toOutput && (output.isTerminal || format === 'json'))
      throw new HeraldError(
        'bad-flag',
        'Bytes cannot be printed to a terminal or as JSON.',
        'Use --out FILE.',
      );
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
    if (toOutput) await output.bytes(bytes);
    else await context.typed.files.writeAtomically(out, bytes);
    if (format === 'text' && !toOutput) output.say(shown`${out}: ${formatBytes(bytes.byteLength)}`);
    const { alias, accountId } = account;
    return itemResult(
      { account: alias, account_id: accountId, media_id: media, file: out, size: bytes.byteLength },
      [],
    );
  },
});
