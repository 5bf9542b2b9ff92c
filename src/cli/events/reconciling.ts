import { shown, visibleProse } from '../../domain/visible.ts';
import { ReadMarks } from '../../operations/events/reconcile-events.ts';
import type { Context } from '../context.ts';
import { reconciledWords, reconcileWorkspace } from './reconcile.ts';
import type { EventWorkspace } from './workspaces.ts';

const MINUTE_MS = 60_000;

/** Compares the lists of one workspace while its receiver listens: at the start, and regularly. */
export class Reconciling {
  readonly #context: Context;
  readonly #workspace: EventWorkspace;
  readonly #everyMs: number;
  /** Null while it has not run. */
  #ranMs: number | null = null;
  #isRunning = false;
  /** Null until one comparison has ended. */
  #sinceMs: number | null = null;
  readonly #marks = new ReadMarks();

  constructor(context: Context, workspace: EventWorkspace, everyMinutes: number) {
    this.#context = context;
    this.#workspace = workspace;
    this.#everyMs = everyMinutes * MINUTE_MS;
  }

  /** Called every second. Begins to compare if it is time to. */
  tick(): void {
    const nowMs = this.#context.clock.monotonicMs();
    const isEarly = this.#ranMs !== null && nowMs - this.#ranMs < this.#everyMs;
    if (this.#everyMs === 0 || this.#isRunning || isEarly) return;
    this.#isRunning = true;
    this.#ranMs = nowMs;
    void this.#run().finally(() => (this.#isRunning = false));
  }

  /** A list that cannot be read is read the next time, from the same place. */
  async #run(): Promise<void> {
    const { context, writer } = this.#workspace;
    try {
      const found = await reconcileWorkspace(
        context,
        (event) => writer.add(event),
        this.#sinceMs,
        this.#marks.before(this.#sinceMs),
      );
      this.#sinceMs = found.nextMs;
      this.#marks.add(found);
      if (found.added.length > 0 || found.holes.length > 0) context.output.say(reconciledWords(found));
    } catch (error) {
      context.output.say(
        shown`The lists could not be compared with the events: ${visibleProse((error as Error).message)}`,
      );
    }
  }
}
