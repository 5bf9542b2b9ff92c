import { chooseAccount, warnOfMoved } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { requiredFlag, textFlag, word } from '../../cli/flags.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';
import { formatBytes } from '../../render/values.ts';

/** Writes a thumbnail to standard output or into a file. */
export const thumbnail = defineCommand({
  path: 'vault thumbnail',
  about: "save a media's thumbnail",
  examples: ['herald vault thumbnail 9007199254740993 --account alice --out thumb.jpg'],
  words: { media: word('MEDIA') },
  flags: {
    account: textFlag('--account <name>', 'alias or id of the account'),
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
