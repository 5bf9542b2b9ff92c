import { inParallel } from '../in-parallel.ts';
import type { Destination } from './destination.ts';
import { isUnchanged } from './local-file.ts';
import { putPart, PutError, type PutDone } from './put-part.ts';
import { ended, type Step, type UploadJob, type UploadPorts } from './upload.ts';

/** All bytes of a file at the store. */
export interface FilePut {
  /** Of each part, by the id that start gave it. */
  readonly eTags: readonly { readonly part: number; readonly e_tag: string }[];
}

type PutPorts = Pick<UploadPorts, 'bytes' | 'putBytes' | 'clock' | 'random' | 'interrupted'>;

/**
 * Puts all parts, some at once. One that fails stops the others, because no part of an upload is of use without
 * the rest. The file must be the same before and after, or the bytes are of two files.
 */
export async function putFile(
  ports: PutPorts,
  job: Pick<UploadJob, 'file' | 'parallel' | 'onBytes'>,
  destination: Destination,
): Promise<Step<FilePut>> {
  const { file, parallel, onBytes } = job;
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ports.interrupted]);
  const done: PutDone[] = [];
  let sent = 0;
  onBytes(0);
  const count = (more: number) => onBytes((sent += more));
  try {
    await inParallel(parallel, destination.parts, async (part, index) => {
      try {
        done[index] = await putPart(ports, file, part, signal, count);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    });
  } catch (error) {
    return afterFailure(ports, file.path, error);
  }
  if (!(await isUnchanged(ports.bytes, file)))
    return ended('failed', `${file.path} changed while it was read. Nothing was exported. Upload it again.`);
  const eTags = destination.parts.flatMap(({ id }, index) => {
    const eTag = done[index]?.eTag;
    return eTag === undefined ? [] : [{ part: id, e_tag: eTag }];
  });
  return { kind: 'done', value: { eTags } };
}

function afterFailure({ interrupted }: PutPorts, path: string, error: unknown): Step<FilePut> {
  if (interrupted.aborted) return ended('not_attempted', 'Interrupted. Nothing was exported.');
  if (!(error instanceof PutError)) throw error;
  if (error.mayRestart) return { kind: 'restart', why: error.message };
  return ended('failed', `${path}: ${error.message}. Nothing was exported.`);
}
