import pLimit from 'p-limit';
import { describeProblem, ServiceError } from '../../api/errors.ts';
import { asOfNow, isUnchanged, printFile } from '../../api/upload-file.ts';
import { putFile, readDestination, type Destination } from './put.ts';
import { waitUntilOld, type Run } from '../../engine/run.ts';
import {
  ended,
  followExport,
  isDenied,
  recordsOfKey,
  type Ended,
  type Exported,
  type FollowPorts,
  type UploadResult,
} from './records.ts';
import {
  continueEarlier,
  endBy,
  exportUpload,
  type Sent,
  type Step,
  type UploadJob,
  type UploadPorts,
  type UploadRule,
} from './export.ts';

/** Uploads of one file that may be begun: lost addresses and broken puts need new ones (LOST-14, LOST-15). */
const STARTS_MAX = 3;
const FIRST_WAIT_MS = 1_000;

/**
 * Brings one file into the vault: looks at what was done before, starts, puts, finishes, exports (VAULT-6). Only the export
 * makes a media, so only it is recorded: a start or a finish without an answer costs a new start, and no second media.
 * Never rejects for what the service, the store or the file does.
 */
export async function sendFile(ports: UploadPorts, asked: UploadJob, rule: UploadRule): Promise<Sent> {
  const { interrupted } = ports.run;
  try {
    asked.onPhase('reading');
    const file = asked.planned === null ? asked.file : await asOfNow(ports.bytes, asked.file);
    const job = { ...asked, file };
    const fingerprint = await printFile(ports.bytes, file, interrupted);
    if (job.planned !== null && fingerprint !== job.planned) return describeChanged(job);
    const earlier = rule.isAgain ? null : await continueEarlier(ports, job, rule, fingerprint);
    if (earlier !== null) return earlier;
    for (let starts = 1; ; starts += 1) {
      interrupted.throwIfAborted();
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
        `${file.path}: ${why}. It is uploaded again from its beginning (${starts + 1} of ${STARTS_MAX}).`,
      );
      await ports.run.clock.sleep(FIRST_WAIT_MS * 2 ** (starts - 1) * (1 + ports.random() / 4), interrupted);
    }
  } catch (error) {
    if (interrupted.aborted) return ended('not_attempted', 'Interrupted. Nothing was uploaded now.');
    if (!(error instanceof Error)) throw error;
    const denied = error instanceof ServiceError && isDenied(error.problem);
    return ended('failed', `${error.message}. Nothing was exported now.`, { denied });
  }
}

async function sendOnce(ports: UploadPorts, job: UploadJob, fingerprint: string): Promise<Step<Exported>> {
  const { run, bytes } = ports;
  const { client, clock, interrupted } = run;
  const { account, file, wishes } = job;
  if (!(await isUnchanged(bytes, file))) return describeChanged(job);
  const about = { name: file.name, size: file.size, content_type: file.contentType };
  const { duration } = wishes;
  const started = await client.call('vault.upload-start', {
    params: { account_id: account.accountId },
    body: { ...about, ...(duration === undefined ? {} : { duration }) },
  });
  if (started.kind === 'unknown')
    return { kind: 'restart', why: `no usable answer to the start: ${started.problem.what}` };
  if (started.kind !== 'done')
    return endBy(started.problem, `${describeProblem(started.problem)}. Nothing was uploaded.`);
  const destination = readDestination(started.reply, file.size, client.address);
  if ('problem' in destination)
    return ended('failed', `The upload cannot continue: ${destination.problem}. No byte was sent.`);
  job.onPhase('uploading');
  const put = await putFile({ ...ports, clock, interrupted }, job, destination);
  if (put.kind === 'interrupted') return ended('not_attempted', 'Interrupted. Nothing was exported.');
  if (put.kind === 'failed') return ended('failed', `${put.message}. Nothing was exported.`);
  if (put.kind === 'restart') return put;
  job.onPhase('exporting');
  const finished = await finishUpload(run, job, destination, put.eTags);
  if (finished.kind !== 'done') return finished;
  interrupted.throwIfAborted();
  return exportUpload(run, job, destination, { eTag: finished.value, fingerprint });
}

/** Two changes may name the same bytes by two files, so the message names the file. */
function describeChanged({ file: { path }, planned }: UploadJob): Ended {
  const since = planned === null ? 'it was looked at' : 'the plan was made';
  return ended('failed', `${path} has changed since ${since}. Nothing was exported. Run it again.`);
}

/**
 * Joins the parts and returns the combined ETag. After a lost answer, the result is looked up by its key before the one
 * repeat (LOST-16).
 */
async function finishUpload(
  run: Run,
  { account: { accountId }, onPhase }: UploadJob,
  { uploadId, key }: Destination,
  eTags: readonly { readonly part: number; readonly e_tag: string }[],
): Promise<Step<string>> {
  if (uploadId === null) return { kind: 'done', value: eTags[0]?.e_tag ?? '' };
  const body = { key, upload_id: uploadId, parts: [...eTags] };
  const ask = () => run.client.call('vault.upload-finish', { params: { account_id: accountId }, body });
  const findJoined = async () => {
    const tags = (await recordsOfKey(run.client, accountId, key)).map(({ metadata }) => metadata?.e_tag);
    return tags.find((tag) => tag != null && tag !== '') ?? null;
  };
  let exchange = await ask();
  if (exchange.kind === 'unknown') {
    onPhase('looking for a lost finish');
    await waitUntilOld(run, [{ known_ms: 0 }]);
    run.interrupted.throwIfAborted();
    const joined = await findJoined();
    if (joined !== null) return { kind: 'done', value: joined };
    exchange = await ask();
    const late = exchange.kind === 'done' ? null : await findJoined();
    if (late !== null) return { kind: 'done', value: late };
  }
  if (exchange.kind === 'done') return { kind: 'done', value: exchange.reply.e_tag };
  const { problem } = exchange;
  const isOver = exchange.kind === 'unknown' || (exchange.kind === 'refused' && !isDenied(problem));
  return isOver
    ? { kind: 'restart', why: `the parts could not be joined: ${problem.what}` }
    : endBy(problem, `${describeProblem(problem)}. Nothing was exported.`);
}

/** The number of files of one account that are sent at once. The parts of each are sent in parallel too. */
export const FILES_AT_ONCE = 2;

/** A file that was sent, or why not; a twin shares what became of the first file of the same bytes. */
export interface SentFile {
  readonly job: UploadJob;
  readonly sent: Sent;
  readonly twinOf: UploadJob | null;
}

/**
 * Sends files of one account, a few at once, until the service has accepted the export of each. Two files of the same bytes are
 * one upload, unless each is uploaded again. Needs the lease; following them to their ends does not.
 */
export async function sendFiles(
  ports: UploadPorts,
  jobs: readonly UploadJob[],
  isAgain: boolean,
): Promise<readonly SentFile[]> {
  const twins = isAgain ? new Map<UploadJob, UploadJob>() : await findTwins(ports, jobs);
  const sent = new Map<UploadJob, Sent>();
  const firsts = jobs.filter((job) => !twins.has(job));
  await pLimit(FILES_AT_ONCE).map(firsts, async (job) => {
    sent.set(job, await sendFile(ports, job, { isAgain, samePurpose: true }));
    job.onPhase('waiting');
  });
  return jobs.map((job) => {
    const twinOf = twins.get(job) ?? null;
    return { job, twinOf, sent: sent.get(twinOf ?? job) ?? ended('not_attempted', 'Nothing was done.') };
  });
}

/**
 * Follows what was accepted to its end, in the order of the jobs. Only reads, and records media; that needs no lease. `waitMs` is
 * how long the end of each is waited for; null for not at all.
 */
export async function followFiles(
  ports: Pick<FollowPorts, 'client' | 'state' | 'watch' | 'waitMs'>,
  files: readonly SentFile[],
  onEnd: (job: UploadJob) => void,
): Promise<readonly UploadResult[]> {
  const ends = new Map<UploadJob, Promise<UploadResult>>();
  for (const { job, sent, twinOf } of files) {
    if (twinOf !== null) continue;
    const { onWarning, account } = job;
    const end =
      sent.kind === 'ended'
        ? Promise.resolve(sent.result)
        : followExport({ ...ports, onWarning }, account.accountId, sent.value);
    ends.set(
      job,
      end.finally(() => onEnd(job)),
    );
  }
  return Promise.all(
    files.map(async ({ job, twinOf }) => {
      const result = (await ends.get(twinOf ?? job)) ?? ended('not_attempted', 'Nothing was done.').result;
      if (twinOf === null) return result;
      const message = `The same bytes as ${twinOf.file.path}. ${result.message}`.trim();
      return { ...result, outcome: result.outcome === 'exported' ? 'already' : result.outcome, message };
    }),
  );
}

/** Files that hold the same bytes as one before them. Only files of one size are read for it. */
async function findTwins(
  { run, bytes }: UploadPorts,
  jobs: readonly UploadJob[],
): Promise<ReadonlyMap<UploadJob, UploadJob>> {
  const twins = new Map<UploadJob, UploadJob>();
  const firsts = new Map<string, UploadJob>();
  for (const job of jobs) {
    if (jobs.filter(({ file }) => file.size === job.file.size).length < 2) continue;
    job.onPhase('comparing');
    const print = await printFile(bytes, job.file, run.interrupted).catch(() => null);
    if (print === null) continue;
    const first = firsts.get(print);
    if (first === undefined) firsts.set(print, job);
    else twins.set(job, first);
  }
  return twins;
}
