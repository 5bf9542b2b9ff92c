import type { Actor, Chaos } from '../state.ts';

/** Herald takes two clocks that differ by less for one. */
const SAME_MS = 3_000;

/**
 * Whether the machine's clock and that of a server are wrong by the same amount. The two agree, and nothing tells the run
 * that both are wrong (decision 18). So it is not judged by when something was to go out.
 */
export function isDeceived(
  { clock, simulator }: Pick<Chaos, 'clock' | 'simulator'>,
  actor: Pick<Actor, 'clock'>,
): boolean {
  const offMs = actor.clock.now() - clock.now();
  const isAsWrong = (sec: number) => Math.abs(sec * 1000 - offMs) <= SAME_MS;
  return Math.abs(offMs) > SAME_MS && simulator.world.modes.serverClocksSec.some(isAsWrong);
}
