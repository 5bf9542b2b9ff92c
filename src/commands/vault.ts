import {
  UPLOAD_TRAITS,
  type UploadRecord,
  type UploadStatus,
  recordOfId,
  uploadStatusOf,
} from '../acts/upload/records.ts';
import type { Client } from '../api/client.ts';
import { maskSecretUrls, type ListDefinition } from '../api/lists.ts';
import { ServiceError, describeProblem } from '../api/errors.ts';
import { withoutSignatures } from '../api/key.ts';
import {
  chooseAccount,
  openService,
  refuseMovedAlias,
  sayService,
  warnOfMoved,
  type Service,
} from '../cli/accounts.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemDocument, itemResult } from '../cli/define-command.ts';
import { requiredFlag, switchFlag, textFlag, word } from '../cli/flags.ts';
import { chooseFormat, REPORT_FORMATS } from '../cli/formats.ts';
import { drawItem } from '../cli/print-rows.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { FanId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { page, shown } from '../domain/visible.ts';
import { nameService, withState } from '../library/state-access.ts';
import { formatBytes } from '../render/values.ts';
import { renderJson } from '../render/json.ts';

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

/** Prints the id of a fan, given a link. */
export const verify = defineCommand({
  path: 'vault verify-fan',
  about: 'print the id of a fan, given a link',
  examples: ['herald vault verify-fan https://HOST/some_fan --account alice'],
  words: { link: word('URL') },
  flags: { account: textFlag('--account <name>', 'alias or id of the account') },
  needs: 'nothing',
  run: async (context, given) => {
    checkFanLink(given.link);
    const service = await openService(context);
    const account = await chooseAccount(service, given.account);
    await warnOfMoved(context, service, [account]);
    const fanId = await verifyFan(service.client, account, given.link);
    const { alias, accountId } = account;
    return itemResult(
      { account: alias, account_id: accountId, fan_link: given.link, fan_id: fanId },
      shown`${fanId}\n`,
    );
  },
});

/** Asks the service for the id of a fan, given a link. This is a lookup, so it may be retried. */
export async function verifyFan(client: Client, account: ResolvedAccount, link: string): Promise<FanId> {
  const { fan_id: fanId } = await client.read('vault.verify-fan', {
    params: { account_id: account.accountId },
    body: { fan_link: link },
  });
  return fanId;
}

/** Checks the form of the link. The service accepts only links to the platform's host, which Herald does not know. */
export function checkFanLink(link: string): void {
  const isAddress = URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
  if (!isAddress || link.length > 2048)
    throw new HeraldError(
      'bad-fan-link',
      `"${link}" is not an http or https address of at most 2048 characters.`,
      'Use the link of the fan on the platform, such as https://HOST/NAME.',
    );
}

interface GivenUpload {
  readonly id: string;
  readonly accounts: readonly string[] | undefined;
  readonly limit: number | undefined;
  readonly columns: string | undefined;
}

/**
 * Prints one upload, in any state. No endpoint reads a single one, so the whole list is searched, expired ones included
 * (VAULT-13).
 */
export async function printUpload(
  context: Context,
  definition: ListDefinition,
  { id, accounts = [], limit, columns }: GivenUpload,
  service: Service,
): Promise<ExitCode> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const refused = [
    ...(limit === undefined ? [] : ['--limit']),
    ...(columns === undefined ? [] : ['--columns']),
  ];
  if (refused.length > 0)
    throw new HeraldError(
      'bad-flag',
      `--id shows one upload and cannot be combined with ${refused.join(', ')}.`,
    );
  if (accounts.length > 1)
    throw new HeraldError(
      'bad-flag',
      `--account was given ${accounts.length} times, and --id takes one account.`,
    );
  const { alias, accountId } = await chooseAccount(service, accounts[0]);
  await warnOfMoved(context, service, [{ alias, accountId }]);
  // New uploads shift the pages, so one reading without it does not prove that it is missing.
  const record =
    (await recordOfId(service.client, accountId, id)) ?? (await recordOfId(service.client, accountId, id));
  if (record === null)
    throw new HeraldError(
      'not-found',
      `Account ${alias} does not have an upload ${id}. Expired uploads were searched, too.`,
      `To see all uploads: ${formatCommand('vault', 'uploads', '--account', alias, '--expired')}`,
    );
  const item = maskSecretUrls(definition, record);
  context.output.result(
    format === 'json'
      ? renderJson(itemDocument({ account: alias, ...item }))
      : page(drawItem(context.output, definition, alias, item)),
  );
  return EXIT.done;
}
