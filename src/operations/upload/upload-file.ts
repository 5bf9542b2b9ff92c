import { describeProblem } from '../../api/errors.ts';
import type { Reply } from '../../api/catalogue.ts';
import type { Exchange } from '../../api/exchange.ts';
import { conclusionOf, exportUpload, secondCopy, type Exported } from './export.ts';
import { printFile } from './fingerprint.ts';
import { finishUpload } from './finish.ts';
import { continueExport, pastOfBytes, type PastExport } from './history.ts';
import { asOfNow, isUnchanged } from './local-file.ts';
import { readDestination, type Destination } from './destination.ts';
import { putFile } from './put-file.ts';
import { recordsOfKey } from './records.ts';
import {
  ended,
  type Step,
  type UploadJob,
  type UploadPorts,
  type UploadRecord,
  type UploadResult,
} from './upload.ts';
import { endOf, type UploadWatch, type Watched } from './watch.ts';

/** How an export is followed. */
export interface Follow {
  readonly watch: UploadWatch;
  /** How long the end is waited for, in milliseconds; null for not at all. */
  readonly waitMs: number | null;
}

/** Uploads of one file that may be begun: lost addresses and broken puts need new ones (rulebook M14, M15). */
const STARTS_MAX = 3;
const FIRST_WAIT_MS = 1_000;

/** What the first half of an upload came to: an export, or an end. */
export type Sent =
  { readonly kind: 'done'; readonly value: Exported } | Extract<Step<never>, { kind: 'ended' }>;

/**
 * Brings one file into the vault: look at what was done before, start, put, finish, export.
 * Never rejects for what the service, the store or the file does.
 */
export async function sendFile(
  ports: UploadPorts,
  asked: UploadJob,
  { past, samePurpose }: { readonly past: readonly PastExport[]; readonly samePurpose: boolean },
): Promise<Sent> {
  try {
    asked.onPhase('reading');
    const file = asked.planned === null ? asked.file : await asOfNow(ports.bytes, asked.file);
    const job = { ...asked, file };
    const fingerprint = await printFile(ports.bytes, file, ports.interrupted);
    if (job.planned !== null && fingerprint !== job.planned) return changed(job);
    const { same, other } = pastOfBytes(past, { fingerprint, wishes: job.wishes, samePurpose });
    const step = await continueExport(ports, job, same);
    if (step !== null && step.kind !== 'restart') return step;
    if (other !== null) return anotherExport(other.difference, other.past);
    return await sendAnew(ports, job, fingerprint);
  } catch (error) {
    if (ports.interrupted.aborted) return ended('not_attempted', 'Interrupted. Nothing was uploaded now.');
    if (!(error instanceof Error)) throw error;
    return ended('failed', `${error.message}. Nothing was exported now.`);
  }
}

/** What following an export needs of the ledger: to write down what came of it. */
export type Recorder = Pick<UploadPorts['ledger'], 'conclude'>;

/** Follows an accepted export to its end, and writes down what came of it. */
export async function followExport(
  { client, ledger }: Pick<UploadPorts, 'client'> & { readonly ledger: Recorder },
  job: Pick<UploadJob, 'account' | 'onWarning'>,
  { entry, record, earlier, repeatedKey }: Exported,
  { watch, waitMs }: Follow,
): Promise<UploadResult> {
  const message = earlier === true ? 'An earlier run uploaded the same bytes; nothing was uploaded now.' : '';
  if (waitMs === null && endOf(record) === null)
    return ended(
      'accepted',
      message === '' ? 'The service has accepted it; the media is still to come.' : message,
      { uploadId: record.id, status: record.status ?? null },
    ).result;
  const watched = await watch.follow(record, waitMs ?? 0);
  const known = conclusionOf(watched.record);
  if (known !== null) await ledger.conclude(entry, known);
  if (repeatedKey !== undefined) await warnOfSecond(client, job, watched.record, repeatedKey);
  const result = resultOf(watched);
  return earlier === true && result.outcome === 'exported'
    ? { ...result, outcome: 'already', message }
    : result;
}

/** The copy that was lost may have landed after all, when nobody looked any more (rulebook M17, F3x). */
async function warnOfSecond(
  client: UploadPorts['client'],
  { account, onWarning }: Pick<UploadJob, 'account' | 'onWarning'>,
  followed: UploadRecord,
  key: string,
): Promise<void> {
  const records = await recordsOfKey(client, account.accountId, key).catch(() => []);
  const others = records.filter(({ id }) => id !== followed.id);
  if (others.length > 0) onWarning(secondCopy(followed, others));
}

function anotherExport(difference: string, { act }: PastExport): Sent {
  const media = act.liveId === null ? 'these bytes' : `these bytes (media ${act.liveId})`;
  const when = new Date(act.sentAtMs).toISOString().slice(0, 16).replace('T', ' ');
  return ended(
    'not_attempted',
    `An export of ${media} is on record since ${when} UTC, for something else: ${difference}. Nothing was uploaded. --again uploads them for this as well.`,
    { mediaId: act.liveId },
  );
}

async function sendAnew(ports: UploadPorts, job: UploadJob, fingerprint: string): Promise<Sent> {
  for (let starts = 1; ; starts += 1) {
    ports.interrupted.throwIfAborted();
    const step = await sendOnce(ports, job, fingerprint);
    if (step.kind !== 'restart') return step;
    // The words of a store end as sentences do.
    const why = step.why.replace(/\.$/, '');
    if (starts >= STARTS_MAX)
      return ended(
        'failed',
        `Given up after ${starts} uploads: ${why}. Nothing was exported. Try again later.`,
      );
    job.onWarning(
      `${job.file.path}: ${why}. It is uploaded again from its beginning (${starts + 1} of ${STARTS_MAX}).`,
    );
    const wait = FIRST_WAIT_MS * 2 ** (starts - 1) * (1 + ports.random() / 4);
    await ports.clock.sleep(wait, ports.interrupted);
  }
}

async function sendOnce(ports: UploadPorts, job: UploadJob, fingerprint: string): Promise<Step<Exported>> {
  if (!(await isUnchanged(ports.bytes, job.file))) return changed(job);
  const started = await start(ports, job);
  if (started.kind !== 'done') return started;
  const destination = started.value;
  job.onPhase('uploading');
  const put = await putFile(ports, job, destination);
  if (put.kind !== 'done') return put;
  job.onPhase('exporting');
  const finished = await finishUpload(ports, job, destination, put.value);
  if (finished.kind !== 'done') return finished;
  ports.interrupted.throwIfAborted();
  return exportUpload(ports, job, destination, { eTag: finished.value, fingerprint });
}

/** Two changes may name the same bytes by two files, so it is said which of them it is. */
function changed({ file: { path }, planned }: UploadJob): Extract<Step<never>, { kind: 'ended' }> {
  const since = planned === null ? 'it was looked at' : 'the plan was made';
  return ended('failed', `${path} has changed since ${since}. Nothing was exported. Run it again.`);
}

/** A start whose answer was lost made addresses that nobody knows: beginning again costs nothing (rulebook M14). */
async function start(
  { client }: UploadPorts,
  { account, file, wishes }: UploadJob,
): Promise<Step<Destination>> {
  const { name, size, contentType } = file;
  const { duration } = wishes;
  const exchange: Exchange<Reply<'vault.upload-start'>> = await client.call('vault.upload-start', {
    params: { account_id: account.accountId },
    body: { name, size, content_type: contentType, ...(duration === undefined ? {} : { duration }) },
  });
  if (exchange.kind === 'unknown')
    return { kind: 'restart', why: `no usable answer to the start: ${exchange.problem.what}` };
  if (exchange.kind !== 'done') {
    const { problem } = exchange;
    return ended('failed', `${describeProblem(problem)}. Nothing was uploaded. ${problem.hint ?? ''}`.trim());
  }
  const destination = readDestination(exchange.reply, size);
  if ('problem' in destination)
    return ended('failed', `The upload cannot go on: ${destination.problem}. No byte was sent.`);
  return { kind: 'done', value: destination };
}

function resultOf({ end, record, why }: Watched): UploadResult {
  const known = { uploadId: record.id, mediaId: record.media_id ?? null, status: record.status ?? null };
  const later = 'The same command again looks for it and uploads nothing twice.';
  const trouble = why === null ? '' : ` The last look failed: ${why}.`;
  switch (end) {
    case 'exported':
      return { ...known, outcome: 'exported', message: '' };
    case 'failed':
      return { ...known, outcome: 'failed', message: 'The service failed to process it. Upload it again.' };
    case 'unprocessable':
      return {
        ...known,
        outcome: 'unprocessable',
        message:
          'The service cannot use it: the file is corrupt or of a kind that it does not support. No repeat helps.',
      };
    case 'timed_out':
      return {
        ...known,
        outcome: 'pending',
        message: `It had not come to its end when the wait was over.${trouble} ${later}`,
      };
    case 'interrupted':
      return { ...known, outcome: 'pending', message: `Interrupted while it was under way. ${later}` };
    case 'blind':
      return {
        ...known,
        outcome: 'pending',
        message: `It was accepted, but its state cannot be read.${trouble} ${later}`,
      };
  }
}
