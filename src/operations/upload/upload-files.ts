import { inParallel } from '../in-parallel.ts';
import { printFile } from '../../api/print-file.ts';
import { followExport, type Recorder } from './follow-export.ts';
import type { PastExport } from './past-exports.ts';
import { FILES_AT_ONCE } from './upload-slots.ts';
import { ended, type UploadJob, type UploadPorts, type UploadResult } from './upload.ts';
import { sendFile, type Sent } from './upload-file.ts';
import { UploadWatch } from '../../live/uploads.ts';

interface SendOptions {
  /** Earlier exports of the account, from the ledger. */
  readonly past: readonly PastExport[];
  /** Upload bytes that are there already once more. */
  readonly again: boolean;
}

/** A file that was sent, or why not; a twin shares what became of the first file of the same bytes. */
export interface SentFile {
  readonly job: UploadJob;
  readonly sent: Sent;
  readonly twinOf: UploadJob | null;
}

/**
 * Sends files of one account, a few at once, until the service has accepted the export of each. Two files of the same
 * bytes are one upload, and media that was exported for something else will not do: it takes `again`. All that may be
 * done twice happens here: it needs the ledger and its lock.
 */
export async function sendFiles(
  ports: UploadPorts,
  jobs: readonly UploadJob[],
  { past, again }: SendOptions,
): Promise<readonly SentFile[]> {
  const twins = again ? new Map<UploadJob, UploadJob>() : await findTwins(ports, jobs);
  const sent = new Map<UploadJob, Sent>();
  const firsts = jobs.filter((job) => !twins.has(job));
  await inParallel(FILES_AT_ONCE, firsts, async (job) => {
    sent.set(job, await sendFile(ports, job, { past: again ? [] : past, samePurpose: true }));
    job.onPhase('waiting');
  });
  return jobs.map((job) => {
    const twinOf = twins.get(job) ?? null;
    return { job, twinOf, sent: sent.get(twinOf ?? job) ?? ended('not_attempted', 'Nothing was done.') };
  });
}

/**
 * Follows what was accepted to its end. The results stand in the order of the jobs. Only reads, and writes to the
 * ledger. `waitMs` is how long the end of each is waited for; null for not at all.
 */
export async function followFiles(
  ports: Omit<UploadPorts, 'ledger'> & { readonly ledger: Recorder },
  files: readonly SentFile[],
  waitMs: number | null,
): Promise<readonly UploadResult[]> {
  const account = files[0]?.job.account.accountId;
  if (account === undefined) return [];
  const watch = new UploadWatch(ports, account);
  const ends = new Map<UploadJob, Promise<UploadResult>>();
  for (const { job, sent, twinOf } of files) {
    if (twinOf !== null) continue;
    const end =
      sent.kind === 'ended'
        ? Promise.resolve(sent.result)
        : followExport(ports, job, sent.value, { watch, waitMs });
    ends.set(
      job,
      end.then((result) => {
        job.onEnd();
        return result;
      }),
    );
  }
  return Promise.all(
    files.map(async ({ job, twinOf }) => {
      const result = await ends.get(twinOf ?? job);
      if (result === undefined) return ended('not_attempted', 'Nothing was done.').result;
      return twinOf === null ? result : asTwin(twinOf, result);
    }),
  );
}

/** Files that hold the same bytes as one before them. Only files of one size are read for it. */
async function findTwins(
  { bytes, interrupted }: UploadPorts,
  jobs: readonly UploadJob[],
): Promise<ReadonlyMap<UploadJob, UploadJob>> {
  const twins = new Map<UploadJob, UploadJob>();
  const firsts = new Map<string, UploadJob>();
  const sizes = new Map<number, number>();
  for (const { file } of jobs) sizes.set(file.size, (sizes.get(file.size) ?? 0) + 1);
  for (const job of jobs) {
    const { file } = job;
    if ((sizes.get(file.size) ?? 0) < 2) continue;
    job.onPhase('comparing');
    const print = await printFile(bytes, file, interrupted).catch(() => null);
    if (print === null) continue;
    const first = firsts.get(print);
    if (first === undefined) firsts.set(print, job);
    else twins.set(job, first);
  }
  return twins;
}

function asTwin({ file }: UploadJob, result: UploadResult): UploadResult {
  const message = `The same bytes as ${file.path}. ${result.message}`.trim();
  return { ...result, outcome: result.outcome === 'exported' ? 'already' : result.outcome, message };
}
