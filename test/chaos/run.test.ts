import { beforeAll, describe, expect, it } from 'vitest';
import { INDEX } from '../../src/commands/index.ts';
import { drawScenario } from './draw.ts';
import { judge } from './judge/invariants.ts';
import { optionsOf } from './options.ts';
import { play } from './play.ts';
import type { Scenario } from './scenario.ts';
import { tellStory } from './story.ts';

const APPLY = {
  operator: 0,
  afterSec: 0,
  command: { kind: 'apply', allow: [], target: null },
  cut: null,
  meanwhile: [],
  between: null,
} as const;

/** A campaign and a broadcast of which the first create is lost, and lands 60 s later. */
const LOST: Scenario = {
  seed: 1,
  startMin: 0,
  clocksSec: [0, 0],
  serviceClockSec: 0,
  crowded: false,
  steps: [
    {
      kind: 'edit',
      edits: [
        { slot: 'Welcome', does: 'write', hoursAhead: 0, both: false },
        { slot: 'Teaser', does: 'write', hoursAhead: 4, both: true },
      ],
    },
    { kind: 'fan' },
    {
      kind: 'run',
      runs: [
        APPLY,
        { ...APPLY, operator: 1, afterSec: 5, cut: { at: 'request', nth: 3, how: 'killed after' } },
      ],
      faults: [{ kind: 'late_commit', how: 'reset', after_sec: 60, operation: 'campaigns.create', nth: 1 }],
    },
  ],
};

// A command that is loaded while it plays would let virtual time pass.
beforeAll(async () => void (await Promise.all(INDEX.commands.map(({ load }) => load()))));

describe('a chaos run', () => {
  it('is clean after a lost create that lands in the end, and ends with everything live once', async () => {
    const trace = await play(LOST);
    expect(judge(trace)).toEqual([]);
    expect(trace.closing?.live.map(({ alias, name, status }) => `${alias} ${name} ${status}`)).toEqual([
      'alice Welcome active',
      'alice Teaser scheduled',
      'bob Teaser scheduled',
    ]);
    expect(tellStory(trace)).toContain('Welcome "Welcome text 1" → created: lost');
  });

  it('plays a seed the same way each time', async () => {
    for (const seed of [11, 12]) {
      const first = tellStory(await play(drawScenario(seed)));
      expect(tellStory(await play(drawScenario(seed)))).toBe(first);
    }
  });

  it('takes numbers only', () => {
    expect(optionsOf(['--seed', '7', '--trace'])).toMatchObject({ seed: 7, runs: 300, trace: true });
    expect(() => optionsOf(['--runs', 'many'])).toThrow('--runs takes a whole number, not "many".');
  });
});
