import type { Context } from '../context.ts';
import type { MediaId } from '../../domain/ids.ts';
import { shown } from '../../domain/visible.ts';
import { byteWords } from '../../render/byte-words.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { warnOfMoved } from '../warn-of-moved.ts';
import { chooseAccount, openService } from '../accounts.ts';

/** Limit of a thumbnail, in case the answer does not end. */
const THUMBNAIL_BYTES_MAX = 50 * 1024 * 1024;

export interface ThumbnailFlags {
  readonly account: string | undefined;
  /** A file, or `-` for standard output. */
  readonly out: string;
}

/**
 * `herald vault thumbnail`: streams a thumbnail to standard output or into a file, which is written whole or not at
 * all.
 */
export async function vaultThumbnailCommand(
  context: Context,
  mediaId: MediaId,
  flags: ThumbnailFlags,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const toOutput = flags.out === '-';
  if (toOutput && (context.output.isTerminal || format === 'json'))
    throw new CommandError(
      'bad-flag',
      'Bytes cannot be printed to a terminal or as JSON.',
      'Use --out FILE.',
    );
  const service = await openService(context);
  const account = await chooseAccount(service, flags.account);
  await warnOfMoved(context, service, [account]);
  const stream = await service.client.read('vault.thumbnail', {
    params: { account_id: account.accountId, media_id: mediaId },
  });
  let size = 0;
  const counted = async function* () {
    for await (const piece of stream) {
      if (size === 0 && isPage(piece)) throw noThumbnail(mediaId, 'a web page, probably from a gateway');
      size += piece.byteLength;
      if (size > THUMBNAIL_BYTES_MAX)
        throw noThumbnail(mediaId, `larger than ${byteWords(THUMBNAIL_BYTES_MAX)}`);
      yield piece;
    }
    if (size === 0) throw noThumbnail(mediaId, 'empty');
  };
  try {
    if (toOutput) await context.output.bytes(counted());
    else await context.typed.bytes.writeBytes(flags.out, counted());
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof Error && 'syscall' in error && !toOutput) throw error;
    throw new CommandError(
      'cut-stream',
      `The thumbnail of media ${mediaId} ended after ${byteWords(size)}: ${(error as Error).message}.`,
      toOutput ? 'The output is incomplete. Try again.' : `${flags.out} was not written. Try again.`,
    );
  }
  const item = {
    account: account.alias,
    account_id: account.accountId,
    media_id: mediaId,
    file: flags.out,
    size,
  };
  if (format === 'json') context.output.result(renderJson({ schema: 'herald/item/1', item }));
  else if (!toOutput) context.output.say(shown`${flags.out}: ${byteWords(size)}`);
  return EXIT.done;
}

/** True for a web page, as gateways send it instead of a picture. */
function isPage(piece: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(Buffer.from(piece.subarray(0, 64)).toString('latin1'));
}

function noThumbnail(mediaId: MediaId, what: string): CommandError {
  return new CommandError(
    'no-thumbnail',
    `The answer for the thumbnail of media ${mediaId} is ${what}. Nothing was written.`,
    'Try again later.',
  );
}
