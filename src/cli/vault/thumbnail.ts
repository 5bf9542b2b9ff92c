import { EXIT } from '../../domain/exit-codes.ts';
import type { Context } from '../context.ts';
import type { MediaId } from '../../domain/ids.ts';
import { shown } from '../../domain/visible.ts';
import { byteWords } from '../../render/byte-words.ts';
import { renderJson } from '../../render/json.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { chooseAccount, openService, warnOfMoved } from '../accounts.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** Limit of a thumbnail, in case the answer does not end. */
const THUMBNAIL_BYTES_MAX = 50 * 1024 * 1024;

const INTERRUPTS = { first: 'Stopping.', second: 'Stopped immediately.' };

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
  const { interrupted } = context;
  const format = chooseFormat(context, REPORT_FORMATS);
  const toOutput = flags.out === '-';
  if (toOutput && (context.output.isTerminal || format === 'json'))
    throw new HeraldError('bad-flag', 'Bytes cannot be printed to a terminal or as JSON.', 'Use --out FILE.');
  const service = await openService(context);
  const account = await chooseAccount(service, flags.account);
  await warnOfMoved(context, service, [account]);
  const answer = await service.client.read('vault.thumbnail', {
    params: { account_id: account.accountId, media_id: mediaId },
  });
  // An interrupt ends the stream, so that what is written of the file is removed before the process ends.
  const stream = answer.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal: interrupted });
  const got = { bytes: 0 };
  const pieces = checked(stream, mediaId, got);
  try {
    await context.protect(async () => {
      if (toOutput) await context.output.bytes(pieces);
      else await context.typed.bytes.writeBytes(flags.out, pieces);
    }, INTERRUPTS);
  } catch (error) {
    if (error instanceof HeraldError) throw error;
    if (error instanceof Error && 'syscall' in error && !toOutput) throw error;
    throw cutStream(mediaId, flags.out, byteWords(got.bytes), interrupted.aborted ? null : (error as Error));
  }
  const item = {
    account: account.alias,
    account_id: account.accountId,
    media_id: mediaId,
    file: flags.out,
    size: got.bytes,
  };
  if (format === 'json') context.output.result(renderJson({ schema: 'herald/item/1', item }));
  else if (!toOutput) context.output.say(shown`${flags.out}: ${byteWords(got.bytes)}`);
  return EXIT.done;
}

/** The bytes of a thumbnail, as they come. Throws where they are none. */
async function* checked(
  stream: AsyncIterable<Uint8Array>,
  mediaId: MediaId,
  got: { bytes: number },
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of stream) {
    if (got.bytes === 0 && isPage(piece)) throw noThumbnail(mediaId, 'a web page, probably from a gateway');
    got.bytes += piece.byteLength;
    if (got.bytes > THUMBNAIL_BYTES_MAX)
      throw noThumbnail(mediaId, `larger than ${byteWords(THUMBNAIL_BYTES_MAX)}`);
    yield piece;
  }
  if (got.bytes === 0) throw noThumbnail(mediaId, 'empty');
}

/** True for a web page, as gateways send it instead of a picture. */
function isPage(piece: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(Buffer.from(piece.subarray(0, 64)).toString('latin1'));
}

/** `error` is null for an interrupt. */
function cutStream(mediaId: MediaId, out: string, size: string, error: Error | null): HeraldError {
  const next = out === '-' ? 'The output is incomplete. Try again.' : `${out} was not written. Try again.`;
  return error === null
    ? new HeraldError('interrupted', `Interrupted. The thumbnail ended after ${size}.`, next, {
        exit: EXIT.interrupted,
      })
    : new HeraldError(
        'cut-stream',
        `The thumbnail of media ${mediaId} ended after ${size}: ${error.message}.`,
        next,
      );
}

function noThumbnail(mediaId: MediaId, what: string): HeraldError {
  return new HeraldError(
    'no-thumbnail',
    `The answer for the thumbnail of media ${mediaId} is ${what}. Nothing was written.`,
    'Try again later.',
  );
}
