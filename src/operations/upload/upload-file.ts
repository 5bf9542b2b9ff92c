import type { Reply } from '../../api/catalogue.ts';
import { describeProblem, ServiceError } from '../../api/errors.ts';
import type { Exchange } from '../../api/exchange.ts';
import { continueExport } from './continue-export.ts';
import { readDestination, type Destination } from '../../api/upload-destination.ts';
import { exportUpload } from './export.ts';
import { asOfNow, isUnchanged } from '../../api/local-file.ts';
import { printFile } from '../../api/print-file.ts';
import { finishUpload } from './finish.ts';
import { dayOf, earlierExportsOf, type PastExport } from './past-exports.ts';
import { putFile } from '../../acts/upload/put.ts';
import { endedBy, isDenied } from './refusals.ts';
import type { Exported } from './resolve-export.ts';
import { ended, type Ended, type Reached, type Step, type UploadJob, type UploadPorts } from './upload.ts';

/** Uploads of one file that may be begun: lost addresses and broken puts need new ones (LOST-14, LOST-15). */
const STARTS_MAX = 3;
const FIRST_WAIT_MS = 1_000;

/** What the first half of an upload came to: an export, or an end. */
export type Sent = Reached<Exported>;

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
    const { same, other } = earlierExportsOf(past, { fingerprint, wishes: job.wishes, samePurpose });
    const step = await continueExport(ports, job, same);
    if (step !== null) return step;
    if (other !== null) return anotherExport(other.difference, other.past);
    return await sendAnew(ports, job, fingerprint);
  } catch (error) {
    if (ports.interrupted.aborted) return ended('not_attempted', 'Interrupted. Nothing was uploaded now.');
    if (!(error instanceof Error)) throw error;
    const denied = error instanceof ServiceError && isDenied(error.problem);
    return ended('failed', `${error.message}. Nothing was exported now.`, { denied });
  }
}

function anotherExport(difference: string, { act }: PastExport): Sent {
  const media = act.liveId === null ? 'these bytes' : `these bytes (media ${act.liveId})`;
  return ended(
    'not_attempted',
    `The ledger has an export of ${media} of ${dayOf(act)} for another purpose: ${difference}. Nothing was uploaded. To upload them for this purpose too: add --again.`,
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
        `Gave up after ${starts} uploads: ${why}. Nothing was exported. Try again later.`,
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
  if (put.kind === 'interrupted') return ended('not_attempted', 'Interrupted. Nothing was exported.');
  if (put.kind === 'failed') return ended('failed', `${put.message}. Nothing was exported.`);
  if (put.kind !== 'done') return put;
  job.onPhase('exporting');
  const finished = await finishUpload(ports, job, destination, put);
  if (finished.kind !== 'done') return finished;
  ports.interrupted.throwIfAborted();
  return exportUpload(ports, job, destination, { eTag: finished.value, fingerprint });
}

/** Two changes may name the same bytes by two files, so the message names the file. */
function changed({ file: { path }, planned }: UploadJob): Ended {
  const since = planned === null ? 'it was looked at' : 'the plan was made';
  return ended('failed', `${path} has changed since ${since}. Nothing was exported. Run it again.`);
}

/** A start with a lost answer created addresses that are not known: starting again costs nothing (LOST-14). */
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
    return endedBy(problem, `${describeProblem(problem)}. Nothing was uploaded.`);
  }
  const destination = readDestination(exchange.reply, size, client.address);
  if ('problem' in destination)
    return ended('failed', `The upload cannot continue: ${destination.problem}. No byte was sent.`);
  return { kind: 'done', value: destination };
}
