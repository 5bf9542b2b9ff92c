import { chooseAccount, openService, warnOfMoved } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { requiredFlag, textFlag, word } from '../../cli/flags.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown } from '../../domain/visible.ts';
import { formatBytes } from '../../render/values.ts';

/** Limit of a thumbnail, in case the answer does not end. */
const THUMBNAIL_BYTES_MAX = 50 * 1024 * 1024;
const INTERRUPTS = { first: 'Stopping.', second: 'Stopped immediately.' };

/** Streams a thumbnail to standard output or into a file, which is written whole or not at all. */
export const thumbnail = defineCommand({
  path: 'vault thumbnail',
  about: "save a media's thumbnail",
  examples: ['herald vault thumbnail 9007199254740993 --account alice --out thumb.jpg'],
  words: { media: word('MEDIA') },
  flags: {
    account: textFlag('--account <name>', 'alias or id of the account'),
    out: requiredFlag('--out <file>', 'file to write, - for standard output'),
  },
  needs: 'nothing',
  run: async (context, { media, out, format, account: given }) => {
    const { interrupted, output } = context;
    const toOutput = out === '-';
    if (toOutput && (output.isTerminal || format === 'json'))
      throw new HeraldError(
        'bad-flag',
        'Bytes cannot be printed to a terminal or as JSON.',
        'Use --out FILE.',
      );
    const service = await openService(context);
    const account = await chooseAccount(service, given);
    await warnOfMoved(context, service, [account]);
    const params = { account_id: account.accountId, media_id: media };
    const answer = await service.client.read('vault.thumbnail', { params });
    // An interrupt ends the stream, so that what is written of the file is removed before the process ends.
    const stream = answer.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal: interrupted });
    const got = { bytes: 0 };
    const pieces = checkPieces(stream, media, got);
    try {
      await context.protect(async () => {
        if (toOutput) await output.bytes(pieces);
        else await context.typed.bytes.writeBytes(out, pieces);
      }, INTERRUPTS);
    } catch (error) {
      if (error instanceof HeraldError) throw error;
      if (error instanceof Error && 'syscall' in error && !toOutput) throw error;
      throw describeCut(media, out, formatBytes(got.bytes), interrupted.aborted ? null : (error as Error));
    }
    if (format === 'text' && !toOutput) output.say(shown`${out}: ${formatBytes(got.bytes)}`);
    const { alias, accountId } = account;
    return itemResult(
      { account: alias, account_id: accountId, media_id: media, file: out, size: got.bytes },
      [],
    );
  },
});

/** The bytes of a thumbnail, as they come. Throws where they are none. */
async function* checkPieces(
  stream: AsyncIterable<Uint8Array>,
  media: string,
  got: { bytes: number },
): AsyncGenerator<Uint8Array, void> {
  const refuse = (what: string) =>
    new HeraldError(
      'no-thumbnail',
      `The answer for the thumbnail of media ${media} is ${what}. Nothing was written.`,
      'Try again later.',
    );
  for await (const piece of stream) {
    // Gateways send a page instead of a picture.
    const isPage = /^\s*<(!doctype|html)/i.test(Buffer.from(piece.subarray(0, 64)).toString('latin1'));
    if (got.bytes === 0 && isPage) throw refuse('a web page, probably from a gateway');
    got.bytes += piece.byteLength;
    if (got.bytes > THUMBNAIL_BYTES_MAX) throw refuse(`larger than ${formatBytes(THUMBNAIL_BYTES_MAX)}`);
    yield piece;
  }
  if (got.bytes === 0) throw refuse('empty');
}

/** `error` is null for an interrupt. */
function describeCut(media: string, out: string, size: string, error: Error | null): HeraldError {
  const next = out === '-' ? 'The output is incomplete. Try again.' : `${out} was not written. Try again.`;
  if (error === null)
    return new HeraldError('interrupted', `Interrupted. The thumbnail ended after ${size}.`, next, {
      exit: EXIT.interrupted,
    });
  const what = `The thumbnail of media ${media} ended after ${size}: ${error.message}.`;
  return new HeraldError('cut-stream', what, next);
}
