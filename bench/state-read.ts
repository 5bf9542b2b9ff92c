import { randomUUID } from 'node:crypto';
import { accountIdOf } from './workspace.ts';
import { systemClock } from '../src/host/clock.ts';
import { State, type StateLocation } from '../src/state/state.ts';

/** Reads what a plan reads of a state, and says what the process used. */
const { location, accounts } = JSON.parse(process.argv[2] ?? '') as {
  readonly location: StateLocation;
  readonly accounts: number;
};
const state = await State.openToRead({
  location,
  clock: systemClock,
  run: randomUUID(),
  who: null,
  holder: 'bench',
  service: () => 'live',
});
const { objects } = await state.known(Array.from({ length: accounts }, (_, index) => accountIdOf(index)));
await state.open();
await state.close();
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cpuMs = (userCPUTime + systemCPUTime) / 1000;
console.log(JSON.stringify({ cpuMs, peakMb: maxRSS / 1024, objects: objects.length }));
