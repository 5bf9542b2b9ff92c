import type { Context } from '../context.ts';
import { LockHeldError } from '../../domain/lease.ts';
import { shown } from '../../domain/visible.ts';
import type { Conclusion, Ledger } from '../../ledger/ledger.ts';
import type { Counterpart } from '../../ledger/origins.ts';
import { keepsNothing } from '../../ledger/reduction.ts';
import { withLedger } from '../with-ledger.ts';

/** How often, and how far apart, the lock of another run is asked for. */
const ATTEMPTS = 10;
const WAIT_MS = 1_000;

/**
 * What is learned about accepted exports while nobody holds the ledger: what became of them. It can wait, and it can
 * be lost: the next run finds them in the list of uploads by the key that is on record.
 */
export class MediaNotes implements Pick<Ledger, 'conclude'> {
  readonly #notes: { readonly entry: string; readonly conclusion: Conclusion }[] = [];

  conclude(entry: string, conclusion: Conclusion): Promise<void> {
    this.#notes.push({ entry, conclusion });
    return Promise.resolve();
  }

  /** Writes them to the ledger, once no other run is at work. */
  async writeDown(context: Context, service: Counterpart): Promise<void> {
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
          return this.#giveUp(context, `another run is at work here, ${error.holder}`);
        await context.clock.sleep(WAIT_MS);
      }
    }
  }

  #giveUp({ output }: Context, why: string): void {
    output.say(
      shown`The ledger does not know yet what became of it: ${why}. The next upload of these bytes finds it in the list of uploads.`,
    );
  }
}
