import type { Context } from '../context.ts';
import { LockHeldError } from '../../domain/lease.ts';
import { shown } from '../../domain/visible.ts';
import type { Conclusion, Ledger } from '../../ledger/ledger.ts';
import type { ConnectedService } from '../../ledger/origins.ts';
import { keepNoEntry } from '../../ledger/reduction.ts';
import { withLedger } from '../with-ledger.ts';

/** The result of an upload must not be held up for longer. */
const WAIT_MAX_MS = 10_000;

/**
 * Results of accepted exports that arrive after the lock was released. They can wait or be lost: the next run finds
 * the exports in the list of uploads, by their recorded key.
 */
export class PendingConclusions implements Pick<Ledger, 'conclude'> {
  readonly #notes: { readonly entry: string; readonly conclusion: Conclusion }[] = [];

  conclude(entry: string, conclusion: Conclusion): Promise<void> {
    this.#notes.push({ entry, conclusion });
    return Promise.resolve();
  }

  /** Writes them to the ledger when no other run is active. */
  async writeDown(context: Context, service: ConnectedService): Promise<void> {
    if (this.#notes.length === 0) return;
    const write = async (ledger: Ledger) => {
      for (const { entry, conclusion } of this.#notes) await ledger.conclude(entry, conclusion);
    };
    const wait = { timeoutMs: WAIT_MAX_MS, clock: context.clock, onWait: () => undefined };
    try {
      await withLedger(context, service, keepNoEntry, write, wait);
    } catch (error) {
      const isHeld = error instanceof LockHeldError;
      this.#giveUp(
        context,
        isHeld ? `another herald run is active, ${error.holder}` : (error as Error).message,
      );
    }
  }

  #giveUp({ output }: Context, why: string): void {
    output.say(
      shown`The result of this upload is not in the ledger yet: ${why}. The next upload of these bytes finds it in the list of uploads.`,
    );
  }
}
