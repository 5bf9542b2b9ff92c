import { closeOpenEntries, type Closed, type Unconfirmed } from '../apply/close-open.ts';
import type { BeforeStarts, MayStart } from '../apply/phases.ts';
import { rememberKept } from '../apply/remember.ts';
import type { Verdict } from '../apply/verdict.ts';
import type { Change } from '../domain/change.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import { isDeclaredToSend, startsSending } from '../domain/status.ts';
import { ReconcileError } from './errors.ts';
import { earlierHalfDone, notStartedWords } from './half-done.ts';
import type { Run, WhichRound } from './round.ts';
import type { Inspection, Source } from './source.ts';

/**
 * Closes the unconfirmed entries of one round.
 *
 * | the entry                               | is closed          | if the service does not confirm it                   |
 * |-----------------------------------------|--------------------|------------------------------------------------------|
 * | is decided by what is live              | before the stops   |                                                      |
 * | may be half done: it is repeated        | after the stops    | first round: nothing starts in this run              |
 * |                                         |                    | later: the changes of its address are left out       |
 * | the same, not confirmed in the first one | not in this run   |                                                      |
 * | may be half done, and a person changes  | before everything  | nothing is sent                                      |
 * | its object by hand                      |                    |                                                      |
 */
export class Closing {
  readonly #run: Run;
  readonly #inspection: Inspection;
  readonly #which: WhichRound;
  readonly #now: readonly Verdict[];
  readonly #later: readonly Verdict[];
  #closed: Closed = { adopted: [], confirmed: [], unconfirmed: [] };

  constructor(run: Run, inspection: Inspection, which: WhichRound) {
    this.#run = run;
    this.#inspection = inspection;
    this.#which = which;
    const givenUp = new Set(run.unconfirmed.map(({ address, liveId }) => keyOf(address, liveId)));
    const verdicts = which === 'meanwhile' ? [] : inspection.verdicts;
    const open = verdicts.filter(
      ({ repeat, entry }) => !repeat || !givenUp.has(keyOf(entry.address, entry.liveId)),
    );
    const repeats = open.filter(({ repeat }) => repeat);
    const addresses = new Set(repeats.map(({ entry }) => formatAddress(entry.address)));
    // The entries of one address are closed in their order.
    const isLater = ({ entry }: Verdict) => addresses.has(formatAddress(entry.address));
    this.#now = open.filter((verdict) => !isLater(verdict));
    this.#later = open.filter(isLater);
  }

  get closed(): Closed {
    return this.#closed;
  }

  /** Closes what goes before the stops. */
  async begin(): Promise<void> {
    await this.#close(this.#now, null);
    if (this.beforeStarts === null) await this.#remember();
  }

  /** The rest. Null if there is none. */
  get beforeStarts(): BeforeStarts | null {
    if (this.#later.length === 0 && this.#run.unconfirmed.length === 0) return null;
    const { declared, byHand } = this.#run.source;
    const sending = new Set(declared.filter(isDeclaredToSend).map(({ address }) => formatAddress(address)));
    const doubtful = new Set(this.#later.filter(isStart).map(({ entry }) => formatAddress(entry.address)));
    return {
      // A copy is one too many only if the object that stays has really started.
      isNeededBy: ({ address }) => {
        const key = formatAddress(address);
        return byHand !== null || (doubtful.has(key) && sending.has(key));
      },
      work: (halted) => this.#finish(halted),
    };
  }

  async #finish(halted: string | null): Promise<MayStart> {
    const run = this.#run;
    await this.#close(this.#later, halted);
    const { unconfirmed } = this.#closed;
    if (run.source.byHand !== null) {
      if (this.#which === 'first') refuseUnconfirmed(unconfirmed, run.source);
    } else if (this.#which === 'first') run.unconfirmed = unconfirmed;
    if (run.unconfirmed.length > 0) return { halt: notStartedWords(run.unconfirmed), isLeftOut: () => false };
    await this.#remember();
    const unsure = new Set(unconfirmed.map(({ address }) => formatAddress(address)));
    return { halt: null, isLeftOut: ({ address }: Change) => unsure.has(formatAddress(address)) };
  }

  async #close(verdicts: readonly Verdict[], halted: string | null): Promise<void> {
    const { ports, source, ledger, repeats } = this.#run;
    const all = { client: source.client, ledger, repeats, clock: ports.clock };
    const closed = await closeOpenEntries(all, verdicts, halted);
    for (const { address, liveId } of closed.confirmed) ports.report({ kind: 'repeated', address, liveId });
    const { adopted, confirmed, unconfirmed } = this.#closed;
    this.#closed = {
      adopted: [...adopted, ...closed.adopted],
      confirmed: [...confirmed, ...closed.confirmed],
      unconfirmed: [...unconfirmed, ...closed.unconfirmed],
    };
  }

  async #remember(): Promise<void> {
    // An object that appeared during the wait may be another person's.
    if (this.#run.source.byHand !== null || this.#which === 'meanwhile') return;
    const { plan, observed, knowledge } = this.#inspection;
    await rememberKept(this.#run.ledger, plan, observed, knowledge);
  }
}

function keyOf(address: Address, liveId: string | null): string {
  return `${formatAddress(address)} ${liveId ?? ''}`;
}

function isStart({ repeat, entry }: Verdict): boolean {
  return repeat && entry.call === 'status' && startsSending(entry.target);
}

/** A person changes one object. What may be half done of it is confirmed before anything else is sent. */
function refuseUnconfirmed(unconfirmed: readonly Unconfirmed[], source: Source): void {
  if (unconfirmed.length === 0) return;
  const words = unconfirmed.map((change) => earlierHalfDone(change, source));
  throw new ReconcileError(
    'open-entry',
    `A change from an earlier run is not confirmed yet, so nothing was started. ${words.join(' ')}`,
    'Check its status on the service, then run the command again.',
    { unconfirmed: words },
  );
}
