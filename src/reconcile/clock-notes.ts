import type { Client } from '../api/client.ts';
import { clocksApartMs } from '../apply/step-context.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Workspace } from '../domain/workspace.ts';

const LIMIT_MS = 30_000;

/** Warns if this machine's clock and the service's differ, or if the service's servers disagree on the time. */
export function clockNotes({ target }: Workspace['service'], client: Client): readonly Diagnostic[] {
  const { skewMs } = client.serverInfo();
  const apartMs = clocksApartMs({ client });
  if (skewMs === null && apartMs > LIMIT_MS) {
    const message = `the clocks of the service's servers are up to ${seconds(apartMs)} s apart. Herald uses the latest one, so nothing is sent early. Report it to the service.`;
    return [{ severity: 'warning', code: 'clocks-apart', message }];
  }
  const ownMs = skewMs ?? client.skewMs();
  // An embedded simulator has its own clock.
  if (target.kind === 'simulator' || Math.abs(ownMs) <= LIMIT_MS) return [];
  const direction = ownMs > 0 ? 'behind' : 'ahead of';
  const message = `this machine's clock is ${seconds(Math.abs(ownMs))} s ${direction} the service's. Herald cannot tell which one is right, so it starts no broadcast that is past by one of them. Set this machine's clock.`;
  return [{ severity: 'warning', code: 'clock-skew', message }];
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
