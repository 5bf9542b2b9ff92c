import type { Client } from '../../api/client.ts';
import { ServiceError } from '../../api/errors.ts';
import type { FanId } from '../../domain/ids.ts';
import type { EventStore } from '../../domain/event-store.ts';
import type { SharedState } from '../../domain/ledger-store.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { bytesPrintOf } from '../../domain/media-wishes.ts';
import { wishesDigest } from '../../domain/wishes-digest.ts';
import type { MediaFile } from '../../domain/message.ts';
import type { ByteFiles, Clock, PutBytes } from '../../domain/ports.ts';
import type { BeginUploads, Uploaded } from '../../domain/uploads.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { LedgerReader, type LedgerReading } from '../../ledger/reader.ts';
import type { LocalFile } from '../../api/local-file.ts';
import type { LocalMedia } from './local-media.ts';
import { isExport } from './past-exports.ts';
import { isDenied } from './refusals.ts';
import type { UploadJob, UploadResult } from './upload.ts';
import { verifyFan } from './verify-fan.ts';
import type { ExportWishes } from './wishes.ts';

/** What uploads of an apply need from outside. */
export interface ApplyUploadPorts {
  readonly client: Client;
  readonly putBytes: PutBytes;
  readonly media: LocalMedia;
  readonly settleMs: number;
  readonly state: SharedState;
  readonly bytes: ByteFiles;
  readonly clock: Clock;
  readonly events: EventStore;
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
    return async (account, media) => {
      const fan = await fanOf(ports.client, account, media);
      if (fan !== null && 'kind' in fan) return fan;
      begun ??= begin(ports, ledger, stop);
      const { queue, board } = await begun;
      const file = fileOf(ports.media, media);
      const job = {
        account,
        file,
        planned: bytesPrintOf(media.digest),
        parallel: PARTS_AT_ONCE,
        wishes: wishesOf(media, fan?.id ?? null),
      };
      const progress = board.follow(file);
      const result = await queue.upload({ ...job, ...progress });
      progress.onEnd();
      board.clearWhenIdle();
      const { mediaId, outcome, message, denied = false } = result;
      if (mediaId !== null && (outcome === 'exported' || outcome === 'already'))
        return { kind: 'uploaded', mediaId, earlier: outcome === 'already' };
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

/** The file as it was checked, with the name and the type that this message gives it. */
function fileOf(media: LocalMedia, { path, name, content_type: contentType }: MediaFile): LocalFile {
  const file = media.fileOf(path);
  if (file === null) throw new Error(`${path} is uploaded, but was never checked`);
  return { ...file, name, contentType };
}

/** Assumed: media that messages show is exported for messages (VAULT-10). */
function wishesOf({ wishes }: MediaFile, fanId: FanId | null): ExportWishes {
  const { rf_guest: guests = [], rf_partner: partners = [], rf_tag: tags = [], duration } = wishes ?? {};
  return { type: 'message', fanId, guests, partners, tags, duration, declared: wishesDigest(wishes) };
}

/** The fan that the media is for; null if it is for all. */
async function fanOf(
  client: Client,
  account: ResolvedAccount,
  { wishes }: MediaFile,
): Promise<{ readonly id: string } | null | Uploaded> {
  if (wishes?.export_fan_id !== undefined) return { id: wishes.export_fan_id };
  if (wishes?.fan === undefined) return null;
  try {
    return { id: await verifyFan(client, account, wishes.fan) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `The fan's link ${wishes.fan} was not confirmed: ${error.message}`;
    return { kind: 'failed', message, denied: isDenied(error.problem) };
  }
}

/** The code of uploads is loaded with the first one: most runs have none. */
async function begin(ports: ApplyUploadPorts, ledger: Ledger, stop: AbortSignal) {
  const { client, putBytes, settleMs, state, events, bytes, clock, random } = ports;
  const [{ UploadQueue }, { UploadNews }, { VaultLook }, board] = await Promise.all([
    import('./upload-queue.ts'),
    import('./news.ts'),
    import('./vault-look.ts'),
    ports.openBoard(),
  ]);
  const known = await new LedgerReader(state.ledger, client.address, { keeps: isExport }).read();
  ports.onLedgerRead(known);
  const work = { client, ledger, bytes, putBytes, clock, random, interrupted: stop, settleMs };
  const upload = { ...work, vaults: new VaultLook(), news: new UploadNews({ events, clock }) };
  return { queue: new UploadQueue(upload, known.lines, WAIT_MS), board };
}
