import type { Actor, Chaos, SentWrite } from '../state.ts';

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

/**
 * Whether every clock that the run can hear of is behind the time, the machine's and those of all servers. A run goes by the
 * latest one. So what is too near its hour looks as if there were time left.
 */
export function isTooEarlyByAll(
  chaos: Pick<Chaos, 'clock' | 'scenario'>,
  actor: Pick<Actor, 'clock'>,
): boolean {
  return allOffMs(chaos, actor).every((ms) => ms < -SAME_MS);
}

/**
 * By how much all these clocks are ahead of the time, at least; 0 if one is not. A run goes by the earliest one, so a message
 * in a chat looks that much older than it is.
 */
export function olderByAllMs(chaos: Pick<Chaos, 'clock' | 'scenario'>, actor: Pick<Actor, 'clock'>): number {
  return Math.max(0, Math.min(...allOffMs(chaos, actor)));
}

function allOffMs(
  { clock, scenario }: Pick<Chaos, 'clock' | 'scenario'>,
  actor: Pick<Actor, 'clock'>,
): readonly number[] {
  const servers = scenario.modes.serverClocksSec ?? [0];
  return [actor.clock.now() - clock.now(), ...servers.map((sec) => sec * 1000)];
}

/** Ages that differ by less are one age. */
const SAME_AGE_MS = 30_000;

/**
 * Whether the machine's clock was set between two requests by what two servers differ. If one server answered before and the
 * other one since, both clocks call the first request older than it is, and nothing tells the run (decision 18).
 */
export function isDeceivedOfAge({ scenario }: Pick<Chaos, 'scenario'>, earlier: Off, later: Off): boolean {
  const setMs = later.machineOffMs - earlier.machineOffMs;
  const servers = scenario.modes.serverClocksSec ?? [];
  const isAsFar = (one: number, other: number) => Math.abs((other - one) * 1000 - setMs) <= SAME_AGE_MS;
  return setMs > SAME_AGE_MS && servers.some((one) => servers.some((other) => isAsFar(one, other)));
}

type Off = Pick<SentWrite, 'machineOffMs'>;
