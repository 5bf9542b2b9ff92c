import type { RequestRecord } from '../../../src/simulator/records.ts';
import type { PostgresServer } from '../../helpers/postgres.ts';
import type { RealRun } from '../../helpers/start-process.ts';
import { senderOf, type TestBed } from './test-bed.ts';
import type { Accident } from './shape.ts';

interface AccidentPorts {
  readonly bed: TestBed;
  readonly server: PostgresServer | null;
  readonly accidents: readonly Accident[];
}

/** Lets the accidents of one round happen. */
export class Accidents {
  /** The processes that run now. */
  readonly runs = new Map<number, RealRun>();
  /** When a process went on after its lease had ended, epoch milliseconds. */
  readonly staleSinceMs = new Map<number, number>();
  readonly #ports: AccidentPorts;
  readonly #seen = { any: 0, write: 0 };
  readonly #happening: Promise<void>[] = [];

  constructor(ports: AccidentPorts) {
    this.#ports = ports;
    ports.bed.onRequest = (request) => this.#hear(request);
  }

  /** Resolves when everything that began has ended. */
  async end(): Promise<void> {
    this.#ports.bed.onRequest = () => undefined;
    await Promise.all(this.#happening);
  }

  #hear(request: RequestRecord): void {
    this.#seen.any += 1;
    if (request.method !== 'GET') this.#seen.write += 1;
    for (const { at, afterMs, what } of this.#ports.accidents) {
      const isDue = at.nth === this.#seen[at.request] && (at.request === 'any' || request.method !== 'GET');
      if (isDue) this.#happening.push(this.#happen(what, senderOf(request), afterMs));
    }
  }

  async #happen(what: Accident['what'], process: number, afterMs: number): Promise<void> {
    const { bed, server } = this.#ports;
    // At once where nothing is waited for: the process must not hear the answer before.
    if (afterMs > 0) await pause(afterMs);
    const run = this.runs.get(process);
    switch (what.kind) {
      case 'kill':
        run?.kill('SIGKILL');
        if (run !== undefined) await this.#endLease(run.pid);
        return;
      case 'pause':
        run?.kill('SIGSTOP');
        if (run === undefined) return;
        await this.#pauseLong(process, run, what);
        run.kill('SIGCONT');
        return;
      case 'restart':
        return server?.restart();
      case 'sever':
        bed.proxy?.cutAll();
    }
  }

  async #pauseLong(process: number, run: RealRun, { ms, endsLease }: Pause): Promise<void> {
    const [isStale] = await Promise.all([endsLease ? this.#endLease(run.pid) : false, pause(ms)]);
    // A process without a lease, which waits for one, may get it later and write.
    if (isStale && ms > LEAVES_MAX_MS) this.staleSinceMs.set(process, Date.now());
  }

  /** Its lease would end by itself. The scenario does not wait for that. False if it had none. */
  async #endLease(pid: number): Promise<boolean> {
    const ended = await this.#ports.bed.database
      ?.query(
        `UPDATE herald.leases SET expires_at = clock_timestamp() - interval '1 second' WHERE holder LIKE $1`,
        [`%process ${pid} on %`],
      )
      // The server may be restarting at this moment. Then the lease goes on, and ends by itself after all.
      .catch(() => null);
    return (ended?.rowCount ?? 0) > 0;
  }
}

type Pause = Extract<Accident['what'], { readonly kind: 'pause' }>;

/** A request leaves within 5 s after the lease was checked, or not at all. */
const LEAVES_MAX_MS = 5_000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
