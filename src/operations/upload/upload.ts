import type { Client } from '../../api/client.ts';
import type { Reply } from '../../api/catalogue.ts';
import { fileArgument, formatCommand } from '../../domain/command-line.ts';
import type { MediaId, UploadId } from '../../domain/ids.ts';
import type { ByteFiles, Clock, PutBytes } from '../../domain/ports.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { LocalFile } from '../../api/local-file.ts';
import type { UploadNews } from './news.ts';
import type { VaultLook } from './vault-look.ts';
import type { ExportWishes } from './wishes.ts';

/** What an upload works with. */
export interface UploadPorts {
  readonly client: Client;
  readonly ledger: Ledger;
  readonly bytes: ByteFiles;
  readonly putBytes: PutBytes;
  /** One for a run. */
  readonly vaults: VaultLook;
  readonly clock: Clock;
  /** One for a run. */
  readonly news: UploadNews;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** How long a lost request may still be carried out, in milliseconds. */
  readonly settleMs: number;
  /** Aborted by an interrupt: bytes stop at once, a call in flight is heard out. */
  readonly interrupted: AbortSignal;
}

/** What a wait for the end of a lost request needs. */
export function windowOf({ clock, settleMs, interrupted: stop }: UploadPorts) {
  return { clock, settleMs, stop };
}

/** One file on its way into the vault of one account. */
export interface UploadJob {
  readonly account: ResolvedAccount;
  readonly file: LocalFile;
  /** The fingerprint of the bytes that were agreed to; null where the file may hold what it likes. */
  readonly planned: string | null;
  readonly wishes: ExportWishes;
  /** Parts that are put at once. */
  readonly parallel: number;
  /** The progress: bytes sent, of the file's size. It returns to 0 when a put starts again. */
  readonly onBytes: (sent: number) => void;
  /** What it does now, in a word or two, for the progress line. */
  readonly onPhase: (phase: string) => void;
  /** It has come to its end, whatever that is. */
  readonly onEnd: () => void;
  /** A sentence that people should hear although it goes on. */
  readonly onWarning: (sentence: string) => void;
}

export type UploadRecord = Reply<'vault.upload-export'>;

/**
 * How far an upload came.
 *
 * | outcome       | the media is in the vault | what it means                                                |
 * |---------------|---------------------------|--------------------------------------------------------------|
 * | exported      | yes                       | uploaded now                                                 |
 * | already       | yes                       | the same bytes were uploaded before; nothing was sent        |
 * | accepted      | not yet                   | the service has it, and Herald did not wait for the end      |
 * | pending       | not yet                   | the wait ran out before the end                              |
 * | failed        | no                        | it may be uploaded again                                     |
 * | unprocessable | no                        | the service cannot use these bytes: no repeat helps          |
 * | unknown       | not known                 | an answer was lost, and another look did not resolve it      |
 * | not_attempted | no                        | nothing was exported: interrupted, or it takes --again        |
 */
export const UPLOAD_OUTCOMES = [
  'exported',
  'already',
  'accepted',
  'pending',
  'failed',
  'unprocessable',
  'unknown',
  'not_attempted',
] as const;
export type UploadOutcome = (typeof UPLOAD_OUTCOMES)[number];

/** What became of one file. */
export interface UploadResult {
  readonly outcome: UploadOutcome;
  readonly uploadId: UploadId | null;
  readonly mediaId: MediaId | null;
  /** The service's word for the state of the upload, as it was last read. */
  readonly status: string | null;
  /** What happened and what to do, as sentences; empty where there is nothing to say. */
  readonly message: string;
  /** The service refused the key or what it asked for: no other upload would go better. */
  readonly denied?: boolean;
}

/** The end of an upload. */
export interface Ended {
  readonly kind: 'ended';
  readonly result: UploadResult;
}

/** What was wanted, or the end of the upload. */
export type Reached<Value> = { readonly kind: 'done'; readonly value: Value } | Ended;

/** A step that may also give a reason to begin again with a new key. */
export type Step<Value> = Reached<Value> | { readonly kind: 'restart'; readonly why: string };

/** The command by which a person decides that the same bytes go up once more. */
export function againCommand({ account, file }: Pick<UploadJob, 'account' | 'file'>): string {
  return formatCommand('vault', 'upload', fileArgument(file.path), '--account', account.alias, '--again');
}

export function ended(outcome: UploadOutcome, message: string, known: Partial<UploadResult> = {}): Ended {
  return {
    kind: 'ended',
    result: { uploadId: null, mediaId: null, status: null, ...known, outcome, message },
  };
}
