import { describe, expect, it } from 'vitest';
import { aChaos } from './a-chaos.ts';
import { isDeceived, isDeceivedOfAge, olderByAllMs } from './deceived.ts';

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

describe('a request that no clock can tell the age of', () => {
  it.each<[number, number[], boolean]>([
    [3600, [0], false],
    [3600, [0, 90], false],
    [0, [0, 3600], false],
    [-3600, [0, 3600], false],
    [3600, [0, 3600], true],
    [3600, [0, -3600], true],
    [90, [0, 90], true],
    [7200, [0, -3600, 3600], true],
  ])('is before the machine was set by %i s, next to servers %j s ahead: %s', (sec, servers, expected) => {
    const chaos = aChaos();
    Object.assign(chaos.scenario.modes, { serverClocksSec: servers });
    const later = { machineOffMs: sec * 1000 };
    expect(isDeceivedOfAge(chaos, { machineOffMs: 0 }, later)).toBe(expected);
  });
});

describe('a message in a chat', () => {
  it.each<[number, number[], number]>([
    [0, [0], 0],
    [0, [86_400], 0],
    [3600, [0], 0],
    [-3600, [-90], 0],
    [3600, [-90], 0],
    [3600, [86_400, 0], 0],
    [3600, [86_400], 3600],
    [3600, [90], 90],
  ])('to a machine %i s ahead, next to servers %j s ahead, looks older by %i s', (sec, servers, expected) => {
    const chaos = aChaos();
    chaos.actor.clock.set(sec * 1000);
    Object.assign(chaos.scenario.modes, { serverClocksSec: servers });
    expect(olderByAllMs(chaos, chaos.actor)).toBe(expected * 1000);
  });
});
