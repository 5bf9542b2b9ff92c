import type { BeginUploads } from '../../apply/upload-media.ts';
import type { Client } from '../../api/client.ts';
import type { Context } from '../context.ts';
import { idShape } from '../../domain/ids.ts';
import type { PutBytes } from '../../domain/ports.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { isExport } from '../../operations/upload/past-exports.ts';
import type { UploadResult } from '../../operations/upload/upload.ts';
import type { LocalMedia } from './media.ts';
import { sayUploadDoubts } from '../vault/upload-doubts.ts';

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
export function mediaUploads(context: Context, ports: MediaPorts, ledger: Ledger): BeginUploads {
  return (stop) => {
    let begun: ReturnType<typeof begin> | null = null;
    return async (account, { path, digest }) => {
      begun ??= begin(context, ports, ledger, stop);
      const { queue, board } = await begun;
      const file = ports.media.fileOf(path);
      if (file === null) throw new Error(`${path} is uploaded, and was never looked at`);
      const job = { account, file, planned: digest, parallel: PARTS_AT_ONCE, wishes: WISHES };
      const progress = board.follow(file);
      const result = await queue.upload({ ...job, ...progress });
      progress.onEnd();
      board.clearWhenIdle();
      const { mediaId, outcome, message, denied = false } = result;
      if (mediaId !== null && (outcome === 'exported' || outcome === 'already'))
        return idShape.safeParse(mediaId).success
          ? { kind: 'uploaded', mediaId, earlier: outcome === 'already' }
          : {
              kind: 'failed',
              message: `The vault calls it ${mediaId}, and a message shows media by numbers.`,
              denied: false,
            };
      if (stop.aborted) return { kind: 'stopped', message: stoppedWords(stop, result) };
      return outcome === 'unknown' ? { kind: 'unknown', message } : { kind: 'failed', message, denied };
    };
  };
}

/** What was accepted before it was stopped goes on in the service, and is worth a word. */
function stoppedWords(stop: AbortSignal, { outcome, message }: UploadResult): string {
  const why = (stop.reason as Error).message;
  return outcome === 'not_attempted' ? why : `${why}. ${message}`;
}

/** Assumed: media that messages show is exported for messages (VAULT-10). */
const WISHES = {
  type: 'message',
  fanId: null,
  guests: [],
  partners: [],
  tags: [],
  duration: undefined,
} as const;

/** Loaded with the first upload: most runs have none. */
async function begin(
  context: Context,
  { client, putBytes, settleMs }: MediaPorts,
  ledger: Ledger,
  stop: AbortSignal,
) {
  const [{ UploadQueue }, { VaultLook }, { UploadBoard }] = await Promise.all([
    import('../../operations/upload/upload-queue.ts'),
    import('../../operations/upload/vault-look.ts'),
    import('../vault/upload-board.ts'),
  ]);
  const { bytes, clock, random } = context;
  const known = await new LedgerReader(context.files, client.address, { keeps: isExport }).read();
  sayUploadDoubts(context, known);
  const work = { client, ledger, bytes, putBytes, clock, random, interrupted: stop, settleMs };
  const upload = { ...work, vaults: new VaultLook() };
  return { queue: new UploadQueue(upload, known.lines, WAIT_MS), board: new UploadBoard(context) };
}
