import { WINDOW_MS } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process } from '../state.ts';

/** An apply that nothing hinders does not end while a create of which it heard nothing may still be carried out. */
export function endsTooSoon(chaos: Chaos, { process, report, interrupted }: Ended): string[] {
  const { run, writes } = process;
  if (run.command.kind !== 'apply' || report === null || interrupted || isHindered(process)) return [];
  const nowMs = chaos.simulator.control.now();
  return writes.flatMap(({ write, answer, sentMs, request }) => {
    if (write.kind !== 'create' || answer !== 'unconfirmed' || nowMs - sentMs >= WINDOW_MS) return [];
    if (hasMissedLook(chaos, process, sentMs)) return [];
    const sec = Math.round((nowMs - sentMs) / 1000);
    return [`it ended ${sec} s after its request ${request} (create), of which it heard nothing`];
  });
}

/** What it cannot record, and what another run may do meanwhile, it leaves to the next run. */
function isHindered({ run: { cut }, lockLostMs }: Process): boolean {
  return cut?.how === 'full_disk' || lockLostMs !== null;
}

/** Without a complete list nothing can be settled. */
function hasMissedLook({ simulator: { world } }: Chaos, { requests }: Process, sinceMs: number): boolean {
  return world.requests.some(
    ({ request, at, method, status, fault }) =>
      requests.has(request) &&
      method === 'GET' &&
      Date.parse(at) >= sinceMs &&
      (status !== 200 || fault !== null),
  );
}
