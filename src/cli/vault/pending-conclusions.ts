import type { Context } from '../context.ts';
import { LockHeldError } from '../../domain/lease.ts';
import { shown } from '../../domain/visible.ts';
import type { Conclusion, Ledger } from '../../ledger/ledger.ts';
import type { ConnectedService } from '../../ledger/origins.ts';
import { keepsNothing } from '../../ledger/reduction.ts';
import { withLedger } from '../with-ledger.ts';

/** Attempts to get the lock, and the time between them. */
const ATTEMPTS = 10;
const WAIT_MS = 1_000;

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
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        await withLedger(context, service, keepsNothing, async (ledger) => {
          for (const { entry, conclusion } of this.#notes) await ledger.conclude(entry, conclusion);
        });
        return;
      } catch (error) {
        if (!(error instanceof LockHeldError)) return this.#giveUp(context, (error as Error).message);
        if (attempt === ATTEMPTS)
          return this.#giveUp(context, `another herald run is active, ${error.holder}`);
        await context.clock.sleep(WAIT_MS);
      }
    }
  }

  #giveUp({ output }: Context, why: string): void {
    output.say(
      shown`The result of this upload is not in the ledger yet: ${why}. The next upload of these bytes finds it in the list of uploads.`,
    );
  }
}
