import { describe, expect, it } from 'vitest';
import { aChaos } from './a-chaos.ts';
import { isDeceived } from './deceived.ts';

describe('a run to which no clock can tell the time', () => {
  it.each([
    [0, [0], false],
    [0, [0, 3600], false],
    [0, [3600], false],
    [3600, [0], false],
    [3600, [0, -3600], false],
    [3600, [3600], true],
    [3600, [0, 3600], true],
  ])('has a machine %i s ahead and servers %j s ahead: %s', (sec, servers, expected) => {
    const chaos = aChaos();
    chaos.actor.clock.set(sec * 1000);
    chaos.simulator.world.modes.serverClocksSec = servers;
    expect(isDeceived(chaos, chaos.actor)).toBe(expected);
  });
});
