import type { Clock } from '../domain/ports.ts';

/** What it takes to wait for the end of a request whose answer was lost. */
export interface WaitPorts {
  readonly clock: Clock;
  /** Aborted by an interrupt: nothing that is not sent yet is sent, and nobody waits any longer. */
  readonly stop: AbortSignal;
  /** How long such a request may still be carried out, in milliseconds. */
  readonly settleMs: number;
  /** Told before a wait how many seconds it may take. */
  readonly onWait: (seconds: number) => void;
}

/** Waits until nothing of that age can be carried out any more; false when it was interrupted. */
export async function outwait({ clock, stop, settleMs, onWait }: WaitPorts, ageMs: number): Promise<boolean> {
  // A clock that was set back must not make anybody wait for longer than one window.
  const leftMs = settleMs - Math.max(0, ageMs);
  if (leftMs > 0) {
    onWait(Math.ceil(leftMs / 1000));
    await clock.sleep(leftMs, stop).catch(() => undefined);
  }
  return !stop.aborted;
}
