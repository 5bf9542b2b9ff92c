import pLimit from 'p-limit';
import { ServiceError } from '../../api/errors.ts';
import { chooseWaitMs } from '../../api/send-call.ts';
import { isUnchanged, type LocalFile, printFile } from '../../api/upload-file.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { FanId } from '../../domain/ids.ts';
import { digestBytes, wishesDigest, type BeginUploads, type Uploaded } from '../../domain/media.ts';
import type { MediaFile } from '../../domain/content.ts';
import type { ByteFiles } from '../../domain/ports.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { isDenied } from '../../engine/reasons.ts';
import { waitUntilOld, type Run } from '../../engine/run.ts';
import {
  continueEarlier,
  exportUpload,
  type ExportWishes,
  type Sent,
  type UploadJob,
  type UploadPorts,
} from './export.ts';
import { putFile, readDestination, UploadError, type Destination, type PartTag } from './put.ts';
import {
  makeResult,
  readRecordsOfKey,
  type UploadResult,
  verifyFan,
  followExports,
  MEDIA_WAIT_MS,
} from './records.ts';

/** Parts of one file that are put at once, unless a person says otherwise. */
export const PARTS_AT_ONCE = 4;
/** Files that are sent at once, of one account or of several. The parts of each are sent in parallel too. */
const FILES_AT_ONCE = 4;

/**
 * Sends files, a few at once, until the service has accepted the export of each. Two files of the same bytes follow one another.
 * Needs the lease; following them to their ends does not. `isAgain` uploads bytes that are there already once more.
 */
export function limitUploads(
  given: Omit<UploadPorts, 'sending'>,
): (job: UploadJob, isAgain: boolean) => Promise<Sent> {
  const ports = { ...given, sending: new Map() };
  const limit = pLimit(FILES_AT_ONCE);
  return async (job, isAgain) => {
    const sent = await limit(() => sendFile(ports, job, isAgain));
    job.onPhase('waiting');
    return sent;
  };
}

/**
 * Brings one file into the vault: looks at what was done before, starts, puts, finishes, exports (VAULT-6). Only the export
 * makes a media, so only it is recorded: a start or a finish without an answer costs a new start, and no second media.
 * Never rejects for what the service, the store or the file does.
 */
async function sendFile(ports: UploadPorts, asked: UploadJob, isAgain: boolean): Promise<Sent> {
  const { interrupted } = ports.run;
  try {
    asked.onPhase('reading');
    const file = asked.planned === null ? asked.file : await readTime(ports.bytes, asked.file);
    const job = { ...asked, file };
    const fingerprint = await printFile(ports.bytes, file, interrupted);
    if (job.planned !== null && fingerprint !== job.planned) throw fileChanged(job);
    const key = `${job.account.accountId}/${fingerprint}`;
    const before = ports.sending.get(key);
    const work = (async () => {
      await before;
      const earlier = isAgain ? null : await continueEarlier(ports, job, fingerprint);
      return earlier ?? (await startUntilSent(ports, job, fingerprint));
    })();
    const ended = work.catch(() => undefined);
    ports.sending.set(key, ended);
    return await work;
  } catch (error) {
    if (interrupted.aborted) return makeResult('not_attempted', 'Interrupted. Nothing was uploaded now.');
    if (!(error instanceof Error)) throw error;
    const hint = error instanceof HeraldError ? (error.hint ?? '') : '';
    const message = `${asked.file.path}: ${error.message}. Nothing was exported now. ${hint}`.trim();
    return makeResult('failed', message, {
      denied: error instanceof ServiceError && isDenied(error.problem),
    });
  }
}

/** The file with its current time. If its bytes were agreed to, a new time alone changes nothing. */
async function readTime(bytes: ByteFiles, file: LocalFile): Promise<LocalFile> {
  const now = await bytes.stat(file.path).catch(() => null);
  return now === null ? file : { ...file, changedMs: now.changedMs };
}

/** Uploads of one file that may be begun: lost addresses and broken puts need new ones (LOST-14, LOST-15). */
const STARTS_MAX = 3;
const FIRST_WAIT_MS = 1_000;

async function startUntilSent(ports: UploadPorts, job: UploadJob, fingerprint: string): Promise<Sent> {
  const { clock, interrupted } = ports.run;
  for (let starts = 1; ; starts += 1) {
    interrupted.throwIfAborted();
    try {
      return await sendOnce(ports, job, fingerprint);
    } catch (error) {
      const mayRestart = error instanceof UploadError && error.kind !== 'failed' && !interrupted.aborted;
      if (!mayRestart) throw error;
      // The words of a store end as sentences do.
      const why = error.message.replace(/\.$/, '');
      if (starts >= STARTS_MAX) throw new UploadError(`gave up after ${starts} uploads: ${why}`, 'failed');
      job.onWarning(
        `${job.file.path}: ${why}. It is uploaded again from its beginning (${starts + 1} of ${STARTS_MAX}).`,
      );
    }
    await clock.sleep(chooseWaitMs(ports.random, FIRST_WAIT_MS, starts), interrupted);
  }
}

async function sendOnce(ports: UploadPorts, job: UploadJob, fingerprint: string): Promise<Sent> {
  const { run, bytes } = ports;
  const { client, clock, interrupted } = run;
  const { account, file, wishes } = job;
  if (!(await isUnchanged(bytes, file))) throw fileChanged(job);
  const about = { name: file.name, size: file.size, content_type: file.contentType };
  const { duration } = wishes;
  const start = client.prepare('vault.upload-start', {
    params: { account_id: account.accountId },
    body: { ...about, ...(duration === undefined ? {} : { duration }) },
  });
  const started = await start();
  if (started.kind === 'unknown')
    throw new UploadError(`no usable answer to the start: ${started.problem.what}`, 'restart');
  if (started.kind !== 'done') throw new ServiceError(started.problem);
  const destination = readDestination(started.reply, file.size, client.address);
  job.onPhase('uploading');
  const tags = await putFile({ ...ports, clock, interrupted }, job, destination);
  job.onPhase('exporting');
  const eTag = await finishUpload(run, job, destination, tags);
  interrupted.throwIfAborted();
  return exportUpload(run, job, destination, { eTag, fingerprint });
}

function fileChanged({ planned }: UploadJob): UploadError {
  return new UploadError(
    `it has changed since ${planned === null ? 'it was looked at' : 'the plan was made'}`,
    'failed',
  );
}

/** Returns the combined ETag. After a lost answer, looks it up by its key before the one repeat (LOST-16). */
async function finishUpload(
  run: Run,
  { account: { accountId }, onPhase }: UploadJob,
  { uploadId, key }: Destination,
  tags: readonly PartTag[],
): Promise<string> {
  if (uploadId === null) return tags[0]?.e_tag ?? '';
  const body = { key, upload_id: uploadId, parts: [...tags] };
  const ask = run.client.prepare('vault.upload-finish', { params: { account_id: accountId }, body });
  let exchange = await ask();
  if (exchange.kind === 'unknown') {
    onPhase('looking for a lost finish');
    await waitUntilOld(run, [{ known_ms: 0, kind: 'upload' }]);
    run.interrupted.throwIfAborted();
    const records = await readRecordsOfKey(run.client, accountId, key);
    const joined = records
      .map(({ record }) => record.metadata?.e_tag)
      .find((tag) => tag != null && tag !== '');
    if (joined != null) return joined;
    exchange = await ask();
  }
  if (exchange.kind === 'done') return exchange.reply.e_tag;
  const { problem } = exchange;
  if (exchange.kind !== 'unknown' && (exchange.kind !== 'refused' || isDenied(problem)))
    throw new ServiceError(problem);
  throw new UploadError(`the parts could not be joined: ${problem.what}`, 'restart');
}

export interface ApplyUploadPorts extends Pick<UploadPorts, 'bytes' | 'putBytes' | 'random'> {
  /** The file as it was checked when the workspace was loaded. */
  readonly findFile: (path: string) => LocalFile | null;
  /** Shows how far a file is. The last function ends that. */
  readonly follow: (
    file: LocalFile,
  ) => Pick<UploadJob, 'onBytes' | 'onPhase' | 'onWarning'> & { readonly onEnd: () => void };
}

/**
 * Brings declared files into vaults by the same flow as `herald vault upload`: what the state knows is not uploaded again, and
 * what an earlier run left under way is looked for first. The bytes must be those that were planned.
 */
export function uploadsForApply(outer: Run, ports: ApplyUploadPorts): BeginUploads {
  return (interrupted) => {
    const run = { ...outer, interrupted };
    const { client, clock, state } = run;
    const { bytes, putBytes, random } = ports;
    const send = limitUploads({ run, bytes, putBytes, random });
    const followExport = followExports({ client, clock, random, interrupted, state, waitMs: MEDIA_WAIT_MS });
    return async (account, media) => {
      const fan = await resolveFan(run, account, media);
      if (fan !== null && 'kind' in fan) return fan;
      const checked = ports.findFile(media.path);
      if (checked === null) throw new Error(`${media.path} is uploaded, but was never checked`);
      const file = { ...checked, name: media.name, contentType: media.content_type };
      const { onEnd, ...progress } = ports.follow(file);
      const wishes = readWishes(media, fan?.id ?? null);
      const planned = digestBytes(media.digest);
      const job = { account, file, planned, parallel: PARTS_AT_ONCE, wishes, ...progress };
      const sent = await send(job, false);
      const result =
        sent.outcome === null ? await followExport(account.accountId, sent, job.onWarning) : sent;
      onEnd();
      return describeUpload(interrupted, result);
    };
  };
}

function describeUpload(
  stop: AbortSignal,
  { mediaId, outcome, message, denied = false }: UploadResult,
): Uploaded {
  if (mediaId !== null && (outcome === 'exported' || outcome === 'already'))
    return { kind: 'uploaded', mediaId, earlier: outcome === 'already' };
  if (stop.aborted) {
    // What was accepted before it was stopped goes on in the service, and is worth a word.
    const why = stop.reason instanceof Error ? stop.reason.message : 'interrupted';
    return { kind: 'stopped', message: outcome === 'not_attempted' ? why : `${why}. ${message}` };
  }
  return outcome === 'unknown' ? { kind: 'unknown', message } : { kind: 'failed', message, denied };
}

/** Assumed: media that messages show is exported for messages (VAULT-10). */
function readWishes({ wishes }: MediaFile, fanId: FanId | null): ExportWishes {
  const { rf_guest: guests = [], rf_partner: partners = [], rf_tag: tags = [], duration } = wishes ?? {};
  return { type: 'message', fanId, guests, partners, tags, duration, declared: wishesDigest(wishes) };
}

/** The fan that the media is for; null if it is for all. Its link is only looked up, so nothing is recorded. */
async function resolveFan(
  { client }: Run,
  { accountId }: ResolvedAccount,
  { wishes }: MediaFile,
): Promise<{ readonly id: FanId } | null | Uploaded> {
  if (wishes?.export_fan_id !== undefined) return { id: wishes.export_fan_id };
  const link = wishes?.fan;
  if (link === undefined) return null;
  try {
    return { id: await verifyFan(client, accountId, link) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `The fan's link ${link} was not confirmed: ${error.message}`;
    return { kind: 'failed', message, denied: isDenied(error.problem) };
  }
}
