import type { LedgerLine } from '../../ledger/lines.ts';
import { followExport } from './follow-export.ts';
import { pastExports, type PastExport } from './past-exports.ts';
import { UploadSlots } from './upload-slots.ts';
import type { UploadJob, UploadPorts, UploadResult } from './upload.ts';
import { sendFile } from './upload-file.ts';
import { UploadWatch } from '../../live/uploads.ts';
import type { AccountId } from '../../domain/ids.ts';

/**
 * Uploads files of many accounts as they are requested, some at once. Sending is limited; waiting for the service is not.
 * The caller makes sure that no bytes are requested twice.
 */
export class UploadQueue {
  readonly #ports: UploadPorts;
  readonly #lines: readonly LedgerLine[];
  readonly #waitMs: number;
  readonly #slots = new UploadSlots();
  readonly #past = new Map<string, readonly PastExport[]>();
  /** One reading of an account's list serves all of its files. */
  readonly #watches = new Map<string, UploadWatch>();

  /** `lines`: of the ledger, as they stood before. `waitMs`: how long the end of each is waited for. */
  constructor(ports: UploadPorts, lines: readonly LedgerLine[], waitMs: number) {
    this.#ports = ports;
    this.#lines = lines;
    this.#waitMs = waitMs;
  }

  /**
   * Brings the bytes into the account's vault, unless they are there already. Never rejects for what the service, the
   * store or the file does.
   */
  async upload(job: UploadJob): Promise<UploadResult> {
    const { accountId } = job.account;
    const past = this.#pastOf(accountId);
    const sent = await this.#slots.run(accountId, () =>
      sendFile(this.#ports, job, { past, samePurpose: false }),
    );
    if (sent.kind === 'ended') return sent.result;
    job.onPhase('waiting');
    return followExport(this.#ports, job, sent.value, {
      watch: this.#watchOf(accountId),
      waitMs: this.#waitMs,
    });
  }

  #pastOf(accountId: AccountId): readonly PastExport[] {
    const past = this.#past.get(accountId) ?? pastExports(this.#lines, accountId);
    this.#past.set(accountId, past);
    return past;
  }

  #watchOf(accountId: AccountId): UploadWatch {
    const watch = this.#watches.get(accountId) ?? new UploadWatch(this.#ports, accountId);
    this.#watches.set(accountId, watch);
    return watch;
  }
}
