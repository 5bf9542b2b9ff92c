import { ServiceError } from '../../api/errors.ts';
import type { LocalFile } from '../../api/upload-file.ts';
import type { FanId } from '../../domain/ids.ts';
import type { MediaFile } from '../../domain/message.ts';
import type { ByteFiles, PutBytes } from '../../domain/ports.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import type { Run } from '../../engine/run.ts';
import type { ExportWishes, UploadJob } from './export.ts';
import { isDenied, verifyFan, type UploadResult } from './records.ts';
import { limitUploads, PARTS_AT_ONCE } from './upload.ts';
import { followExports, MEDIA_WAIT_MS } from './watch.ts';
import { type BeginUploads, type Uploaded, digestBytes, wishesDigest } from '../../domain/media.ts';

/** What uploads of an apply need, next to its run. */
export interface ApplyUploadPorts {
  readonly bytes: ByteFiles;
  readonly putBytes: PutBytes;
  /** From 0 to 1. */
  readonly random: () => number;
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
