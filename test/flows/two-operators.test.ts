import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  messages,
  outcomes,
  planned,
  statuses,
  worstDispatch,
} from '../helpers/flows.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { replacedByTwo } from '../helpers/replaced-by-two.ts';
import { aScene, WORKSPACE } from '../helpers/scene.ts';
import { serveWorld } from '../helpers/served.ts';

const FILES = declaring({ campaigns: [campaign()] });

describe('another operator who creates the same at the same moment', () => {
  /** What the key of the simulator leaves on everything that it creates. */
  const creatorOfOurs = async () => {
    const scene = aScene({ files: FILES });
    await scene.herald('apply', '--yes');
    return scene.service(
      (_, world) => Object.values(world.accounts['101']?.campaigns ?? {})[0]?.live.created_by,
    );
  };

  it('leaves one of the two: the lowest id stays, the other is archived within the same apply', async () => {
    const scene = aScene({ files: FILES });
    const created_by = (await creatorOfOurs()) ?? { type: 'api_token', id: '1' };
    const theirs = { name: 'Welcome', trigger: 'welcome_message', messages: [{ text: 'Hey' }], created_by };
    await scene.fault({
      kind: 'change_before',
      operation: 'campaigns.create',
      nth: 1,
      seed: { account_id: '101', kind: 'campaign', set: theirs },
    });
    const { code, report } = await applied(scene);
    expect(code).toBe(0);
    expect(outcomes({ report })).toEqual(['create applied', 'retire applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['active', 'archived']);
    expect(decisions(await planned(scene))).toEqual([]);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    scene.clock.move(3_600_000);
    expect(await worstDispatch(scene)).toBe(1);
  });
});

describe('another operator who creates the same while lists do not show ours yet', () => {
  it('leaves one of the two: lists are read again once they must show what was created', async () => {
    const scene = aScene({ files: FILES });
    await scene.fault({ kind: 'list_lag', operation: 'campaigns.create', lag_sec: 4, nth: 1, times: 1 });
    const theirs = { name: 'Welcome', trigger: 'welcome_message', messages: [{ text: 'Hey' }] };
    await scene.fault({
      kind: 'change_before',
      operation: 'campaigns.create',
      nth: 1,
      seed: { account_id: '101', kind: 'campaign', set: theirs },
    });
    const run = await applied(scene, '--allow', 'adopt');
    expect([run.code, outcomes(run)]).toEqual([0, ['create applied', 'retire applied']]);
    expect((await statuses(scene, 'campaign')).toSorted()).toEqual(['active', 'archived']);
  });
});

describe('another operator who replaces the same at the same moment', () => {
  it('leaves one of the two new versions, also where the old one changes before this run stops it', async () => {
    const theirs = { text: 'Hello', sameKey: true, old: 'archived' } as const;
    const { scene, run } = await replacedByTwo(theirs);
    expect([run.code, outcomes(run)], messages(run)).toEqual([4, ['replace failed', 'retire applied']]);
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'active', 'archived']);
    expect(decisions(await planned(scene))).toEqual([]);
  });
});

describe('two runs at once, in two workspaces, on a real line', () => {
  let herald: RealHerald;
  beforeAll(() => {
    herald = builtHerald();
  });
  afterAll(() => herald.dispose());

  it('converge to the same object, also when both lose the answers to their creates', async () => {
    const served = await serveWorld();
    try {
      served.simulator.control.addFault({
        kind: 'late_commit',
        operation: 'campaigns.create',
        how: 'reset',
        after_sec: 1,
        times: 2,
      });
      const files = {
        'herald.yaml': WORKSPACE.replace('world.json }', 'world.json, settle_sec: 3 }'),
        ...FILES,
      };
      const runs = [herald.workspace(files), herald.workspace(files)];
      const ends = await Promise.all(
        runs.map((directory) => herald.start(directory, ['apply', '--yes'], served.env).ran),
      );
      expect(
        ends.map(({ code }) => code),
        JSON.stringify(ends),
      ).toEqual([0, 0]);
      const campaigns = Object.values(served.simulator.world.accounts['101']?.campaigns ?? {});
      const active = campaigns.filter(({ live }) => live.status === 'active');
      expect(active).toHaveLength(1);
      expect(campaigns.filter(({ live }) => live.status !== 'active').map(({ live }) => live.status)).toEqual(
        campaigns.length === 2 ? ['archived'] : [],
      );
      for (const directory of runs) {
        const again = await heraldHere(directory, { args: ['plan', '--detailed-exitcode'], env: served.env });
        expect(again.code, again.stdout).toBe(0);
      }
    } finally {
      await served.close();
    }
  });
});
