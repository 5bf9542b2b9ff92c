import type { Executed } from '../apply/execute.ts';
import { isPlanRefused } from '../domain/change.ts';
import type { Lease } from '../domain/lease.ts';
import { afterStops } from './after-stops.ts';
import type { ApplyOptions } from './apply-options.ts';
import { ofRun, stopMeanwhile, type OfRun } from './carry-out.ts';
import { keyOf, withoutStops, withStops, type SentStop } from './early-report.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Opened, Source } from './source.ts';
import { isStale } from './stale.ts';
import { stopsMeanwhile } from './stops-meanwhile.ts';

/**
 * What an apply stops while it waits for the unconfirmed requests of earlier runs. A broadcast may go out before that.
 *
 * | the apply                                     | a stop of its plan (`stops-meanwhile.ts`)         |
 * |-----------------------------------------------|---------------------------------------------------|
 * | was agreed to, as with --yes                  | is sent at once                                   |
 * | asks first                                    | waits, and is named with the command that does it |
 * | is refused, or its saved plan is stale by now | waits                                             |
 */
export class EarlyStops {
  /** Shared with what the run sends after the wait. */
  readonly ofRun: OfRun;
  readonly #ports: ReconcilePorts;
  readonly #source: Source;
  readonly #opened: Opened;
  readonly #options: ApplyOptions;
  readonly #lease: Lease;
  readonly #named = new Set<string>();
  readonly #sent = new Map<string, SentStop>();
  #ended: Pick<Executed, 'residue' | 'unrecorded' | 'leaseLost'> = { residue: false };

  constructor(
    ports: ReconcilePorts,
    source: Source,
    {
      opened,
      options,
      lease,
    }: { readonly opened: Opened; readonly options: ApplyOptions; readonly lease: Lease },
  ) {
    this.#ports = ports;
    this.#source = source;
    this.#opened = opened;
    this.#options = options;
    this.#lease = lease;
    this.ofRun = ofRun(ports);
  }

  /** Sends the stops of a look, or names them. */
  async send(look: Inspection): Promise<void> {
    const stops = stopsMeanwhile(look, this.#source.declared);
    if (stops.length === 0 || this.#ports.interrupted.aborted || (await this.#isRefused(look))) return;
    if (!this.#options.isAgreed) {
      const more = stops.filter((stop) => !this.#named.has(keyOf(stop)));
      for (const stop of more) this.#named.add(keyOf(stop));
      if (more.length > 0) this.#ports.report({ kind: 'stops-wait', stops: more });
      return;
    }
    const ended = await this.#options.protect(() =>
      stopMeanwhile(this.#ports, this.#source, look, { stops, lease: this.#lease, ...this.ofRun }),
    );
    const { residue, unrecorded, leaseLost } = this.#ended;
    this.#ended = {
      residue: residue || ended.residue,
      unrecorded: unrecorded === true || ended.unrecorded === true,
      leaseLost: leaseLost === true || ended.leaseLost === true,
    };
    for (const outcome of ended.report.outcomes) {
      const change = stops.find((stop) => keyOf(stop) === keyOf(outcome));
      if (change === undefined || outcome.outcome === 'not_attempted') continue;
      this.#sent.set(keyOf(change), { change, outcome, look });
      this.#ports.report({ kind: 'stopped-meanwhile', outcome });
    }
  }

  async #isRefused(look: Inspection): Promise<boolean> {
    if (isPlanRefused(look.plan)) return true;
    try {
      this.#options.check?.(look);
    } catch {
      return true;
    }
    const { saved } = this.#options;
    return saved !== null && (await isStale(saved, this.#opened, this.asBefore(look), this.#options));
  }

  /** The error of the run, with what had been sent before it. */
  failure(error: unknown): unknown {
    const outcomes = [...this.#sent.values()].map(({ outcome }) => outcome);
    return outcomes.length === 0 ? error : afterStops(error, outcomes);
  }

  /** A look as it was before these stops: a reviewed plan was made then. */
  asBefore(look: Inspection): Inspection {
    return withoutStops(look, [...this.#sent.values()]);
  }

  /** What the run came to, with these stops. `look` is the one that it went by. */
  report(executed: Executed, look: Inspection): Executed {
    const { residue, unrecorded = false, leaseLost = false } = this.#ended;
    return {
      ...executed,
      report: withStops(executed.report, [...this.#sent.values()], look),
      residue: executed.residue || residue,
      unrecorded: executed.unrecorded === true || unrecorded,
      leaseLost: executed.leaseLost === true || leaseLost,
    };
  }
}
