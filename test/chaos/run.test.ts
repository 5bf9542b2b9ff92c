import { beforeAll, describe, expect, it } from 'vitest';
import { INDEX } from '../../src/commands/index.ts';
import { judgeCi } from './ci/judge.ts';
import { playCi } from './ci/play.ts';
import { drawScenario } from './draw.ts';
import { judge } from './judge/invariants.ts';
import { optionsOf } from './options.ts';
import { play } from './play.ts';
import { tellStory } from './story.ts';

// A command that is loaded while it plays would let virtual time pass.
beforeAll(async () => void (await Promise.all(INDEX.commands.map(({ load }) => load()))));

describe('a chaos run', () => {
  it('is clean, and plays a seed the same way each time', async () => {
    for (const seed of [11, 12]) {
      const trace = await play(drawScenario(seed));
      expect(trace.requests.length).toBeGreaterThan(0);
      expect(judge(trace)).toEqual([]);
      expect(tellStory(await play(drawScenario(seed)))).toBe(tellStory(trace));
    }
  });

  it('of the jobs of a CI is clean', async () => {
    for (let seed = 1; seed <= 20; seed += 1) expect([seed, judgeCi(await playCi(seed))]).toEqual([seed, []]);
  });

  it('takes numbers only', () => {
    expect(optionsOf(['--seed', '7', '--trace'])).toMatchObject({ seed: 7, runs: 300, trace: true });
    expect(() => optionsOf(['--runs', 'many'])).toThrow('--runs takes a whole number, not "many".');
  });
});
