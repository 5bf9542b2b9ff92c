import type { Client } from '../../api/client.ts';
import { idShape } from '../../domain/ids.ts';
import type { SharedState } from '../../domain/ledger-store.ts';
import type { ByteFiles, Clock, PutBytes } from '../../domain/ports.ts';
import type { BeginUploads } from '../../domain/uploads.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { LedgerReader, type LedgerReading } from '../../ledger/reader.ts';
import type { LocalFile } from './local-file.ts';
import type { LocalMedia } from './local-media.ts';
import { isExport } from './past-exports.ts';
import type { UploadJob, UploadResult } from './upload.ts';

/** What uploads of an apply need from outside. */
export interface ApplyUploadPorts {
  readonly client: Client;
  readonly putBytes: PutBytes;
  readonly media: LocalMedia;
  readonly settleMs: number;
  readonly state: SharedState;
  readonly bytes: ByteFiles;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Shows how far the files are. Called with the first upload. */
  readonly openBoard: () => Promise<ProgressBoard>;
  /** Hears what the ledger held when the first upload began, its damaged lines included. */
  readonly onLedgerRead: (known: LedgerReading) => void;
}

/** Shows how far uploads are. */
interface ProgressBoard {
  follow(file: LocalFile): Pick<UploadJob, 'onBytes' | 'onPhase' | 'onWarning' | 'onEnd'>;
  clearWhenIdle(): void;
}

/** How long the service may take to make media of what it got; a later run goes on waiting. */
const WAIT_MS = 30 * 60_000;
/** Parts of one file that are put at once. */
const PARTS_AT_ONCE = 4;

/**
 * Brings declared files into vaults by the same flow as `herald vault upload`: what the ledger knows is not uploaded
 * again, and what an earlier run left under way is looked for first. The bytes must be those that were planned.
 */
export function uploadsForApply(ports: ApplyUploadPorts, ledger: Ledger): BeginUploads {
  return (stop) => {
    let begun: ReturnType<typeof begin> | null = null;
    return async (account, { path, digest }) => {
      begun ??= begin(ports, ledger, stop);
      const { queue, board } = await begun;
      const file = ports.media.fileOf(path);
      if (file === null) throw new Error(`${path} is uploaded, but was never checked`);
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

/** The code of uploads is loaded with the first one: most runs have none. */
async function begin(ports: ApplyUploadPorts, ledger: Ledger, stop: AbortSignal) {
  const { client, putBytes, settleMs, state, bytes, clock, random } = ports;
  const [{ UploadQueue }, { VaultLook }, board] = await Promise.all([
    import('./upload-queue.ts'),
    import('./vault-look.ts'),
    ports.openBoard(),
  ]);
  const known = await new LedgerReader(state.ledger, client.address, { keeps: isExport }).read();
  ports.onLedgerRead(known);
  const work = { client, ledger, bytes, putBytes, clock, random, interrupted: stop, settleMs };
  const upload = { ...work, vaults: new VaultLook() };
  return { queue: new UploadQueue(upload, known.lines, WAIT_MS), board };
}
