import type { UploadMedia } from '../apply/step-upload.ts';
import type { Client } from '../api/client.ts';
import type { Context } from '../context.ts';
import type { PutBytes } from '../domain/ports.ts';
import { readLedger, type Ledger } from '../ledger/ledger.ts';
import type { LocalMedia } from './media.ts';

export interface MediaPorts {
  readonly client: Client;
  readonly putBytes: PutBytes;
  readonly media: LocalMedia;
  readonly settleMs: number;
}

/** How long the service may take to make media of what it got; a later run goes on waiting. */
const WAIT_MS = 30 * 60_000;
/** Parts of one file that are put at once. */
const PARTS_AT_ONCE = 4;

/**
 * Brings declared files into vaults by the same flow as `herald vault upload`: what the ledger knows is not uploaded
 * again, and what an earlier run left under way is looked for first. The bytes must be those that were planned.
 */
export function mediaUploads(context: Context, ports: MediaPorts, ledger: Ledger): UploadMedia {
  const { client, putBytes, media, settleMs } = ports;
  const { bytes, clock, random, interrupted } = context;
  return async (account, { path }) => {
    const [{ uploadFiles }, { pastExports }, { isUnchanged }, { UploadBoard }] = await loaded();
    const file = media.fileOf(path);
    if (file === null || !(await isUnchanged(bytes, file)))
      return { kind: 'failed', message: 'the file has changed since the plan was made. Run it again.' };
    const { lines } = await readLedger(context.files);
    const board = new UploadBoard(context);
    const job = { account, file, parallel: PARTS_AT_ONCE, wishes: WISHES, ...board.follow(file) };
    const upload = { client, ledger, bytes, putBytes, clock, random, interrupted, settleMs };
    const [result] = await uploadFiles(upload, [job], {
      past: pastExports(lines, account.accountId),
      again: false,
      waitMs: WAIT_MS,
      onResult: () => board.clear(),
    });
    if (result?.mediaId != null && IS_THERE.includes(result.outcome))
      return { kind: 'uploaded', mediaId: result.mediaId };
    const message = result?.message ?? 'nothing became of it';
    if (interrupted.aborted) return { kind: 'stopped', message: `interrupted. ${message}` };
    return { kind: result?.outcome === 'unknown' ? 'unknown' : 'failed', message };
  };
}

const IS_THERE: readonly string[] = ['exported', 'already'];

/** Assumed: media that messages show is exported for messages (service-api.md, Export body: `export_type`). */
const WISHES = {
  type: 'message',
  fanId: null,
  guests: [],
  partners: [],
  tags: [],
  duration: undefined,
} as const;

/** Loaded with the first upload: most runs have none. */
function loaded() {
  return Promise.all([
    import('../operations/upload/upload-files.ts'),
    import('../operations/upload/history.ts'),
    import('../operations/upload/local-file.ts'),
    import('./upload-board.ts'),
  ]);
}
