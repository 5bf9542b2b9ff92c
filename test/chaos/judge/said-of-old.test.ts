import { describe, expect, it } from 'vitest';
import { wrongOfOld } from './said-of-old.ts';
import { aChaos } from './a-chaos.ts';
import { liveOf } from '../live.ts';

describe('what a replace says of the version before', () => {
  const withOld = (status: string) => {
    const chaos = aChaos();
    const { id } = chaos.simulator.control.seedCampaign('101', { name: 'Welcome', status });
    return { id, live: liveOf(chaos.simulator) };
  };

  it.each([
    ['active', true],
    ['paused', false],
  ])('that it is live together with one that is %s is right: %s', (status, isRight) => {
    const { id, live } = withOld(status);
    expect(wrongOfOld(`The new version 1 is live together with ${id}.`, live) === null).toBe(isRight);
  });

  it.each([
    ['paused', true],
    ['active', false],
  ])('that it was paused, of one that is %s, is right: %s', (status, isRight) => {
    const { id, live } = withOld(status);
    expect(wrongOfOld(`The old version ${id} was paused before that.`, live) === null).toBe(isRight);
  });
});
