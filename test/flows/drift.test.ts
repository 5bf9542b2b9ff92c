import { describe, expect, it } from 'vitest';
import { planShape, type DriftCause } from '../../src/domain/change.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, documentOf, planned, editLive, standing } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const text = (words: string) => ({ messages: [{ text: words }] });
const campaigns = (more = {}) => declaring({ campaigns: [campaign(more)] });
const broadcasts = (more = {}) => declaring({ broadcasts: [broadcast(more)] });

async function causesIn(scene: Scene): Promise<readonly (DriftCause | undefined)[]> {
  const { changes } = documentOf(await scene.herald('drift', '--format', 'json'), planShape);
  return changes.filter(({ action }) => action !== 'keep').map(({ cause }) => cause);
}

describe('the cause of a drift', () => {
  it('is the service, where only the live object was edited', async () => {
    const scene = await standing(campaigns());
    await editLive(scene, 'campaign', text('edited'));
    expect(await causesIn(scene)).toEqual(['service']);
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(2);
    expect(drift.stdout).toMatch(
      /± changed on the service campaign "Welcome" \(\d+\) on alice\n {6}Last applied by \S+ at /,
    );
    expect(drift.stdout).toContain('messages[0].text\n        file: "Hey"\n        live: "edited"\n');
    expect(drift.stdout).toContain(
      "Drift: 1 changed on the service.\nTo put the files' version on the service:\n  herald apply\nTo keep what is live, in the files:\n  herald import --update\n",
    );
    const { stdout } = await scene.herald('drift', '--format', 'markdown');
    expect(stdout).toMatch(/^### Herald drift: 1 changed on the service\n/);
    expect(stdout).toContain('<code>herald import --update</code>');
  });

  it('names commands with the limits of the run', async () => {
    const scene = await standing(campaigns());
    await editLive(scene, 'campaign', text('edited'));
    const { stdout } = await scene.herald('drift', '--target', 'alice/*');
    expect(stdout).toMatch(/service:\n {2}herald apply --target 'alice\/\*'\n$/);
  });

  it('is the files, where only they were edited, and the service is not accused', async () => {
    const scene = await standing(campaigns());
    Object.assign(scene.files.tree, campaigns(text('new')));
    expect(await causesIn(scene)).toEqual(['files']);
    const drift = await scene.herald('drift');
    expect(drift.stdout).toContain('Drift: 1 not applied yet.\nTo apply the files:\n  herald apply\n');
    expect(drift.stdout).not.toContain('import --update');
    await editLive(scene, 'campaign', text('edited'));
    expect(await causesIn(scene)).toEqual(['both']);
    const bare = aScene({ files: scene.files.tree, clock: scene.clock });
    expect((await causesIn(bare))[0], 'without the state').not.toBe('service');
  });

  it('is the files, where only they widened a range in days, which a plan shows with the days that were sent', async () => {
    const reaching = (from_days: number) => {
      const options = { from_days, to_days: 0 };
      return campaigns({
        audience: undefined,
        audience_filters: [{ kind: 'subscribed_date', mode: 'include', options }],
      });
    };
    const scene = await standing(reaching(30));
    Object.assign(scene.files.tree, reaching(365));
    expect(await causesIn(scene)).toEqual(['files']);
    expect((await planned(scene)).plan.changes[0]?.fields).toEqual([
      { path: 'audience_filters[0].options.from_days', old: 30, new: 365 },
    ]);
  });

  it('is a person who stopped it: both ways out are named', async () => {
    const scene = await standing(campaigns());
    expect((await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes')).code).toBe(0);
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(2);
    expect(drift.stdout).toContain(
      'To start it again:\n  herald apply --allow resume --target alice/campaign/Welcome\n',
    );
    expect(drift.stdout).toContain('For what is paused, this does it:\n  herald import --update\n');
    expect((await scene.herald('import', '--update')).code).toBe(0);
    expect((await scene.herald('drift')).code).toBe(0);
  });

  it('is the service, where a declared pause was undone there', async () => {
    const scene = await standing(campaigns());
    Object.assign(scene.files.tree, campaigns({ status: 'paused' }));
    expect((await applied(scene)).code).toBe(0);
    await editLive(scene, 'campaign', { status: 'active' });
    expect(await causesIn(scene)).toEqual(['service']);
  });
});

it('what cannot be done any more is not called as declared', async () => {
  const scene = await standing(broadcasts());
  scene.clock.move(3 * 3_600_000 - 60_000);
  Object.assign(scene.files.tree, broadcasts(text('Not tomorrow')));
  const drift = await scene.herald('drift');
  expect(drift.code).toBe(0);
  expect(drift.stdout).toContain('too-late');
  expect(drift.stdout).toMatch(/\nNo other drift: 1 different and left as it is\.\n$/);
  scene.clock.move(3_600_000);
  expect((await scene.herald('drift')).stdout).toBe(
    'Service: simulator .herald/world.json\n\nNo drift: 1 done.\n',
  );
});

const RULES = { unsend_delay_sec: 3600, end_at: '2027-03-01T00:00:00.000Z' };

describe('rules that someone has set on the service', () => {
  const withRules = madeOnce(async () => {
    const scene = await standing(broadcasts());
    await editLive(scene, 'broadcast', { rules: RULES });
    return scene;
  });

  it('are shown by plan and drift, and are not drift', async () => {
    const scene = await withRules();
    for (const args of [['plan', '--detailed-exitcode'], ['drift']]) {
      const ran = await scene.herald(...args);
      expect(ran.code, args[0]).toBe(0);
      expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'not-in-file: rules.end_at "2027-03-01T00:00:00.000Z", rules.unsend_delay_sec 3600: set on the service and not in the file. A replace would drop it.',
      );
    }
  });

  it('are shown by every format of a plan that would drop them', async () => {
    const scene = await withRules();
    Object.assign(scene.files.tree, broadcasts(text('Edited')));
    const { plan } = await planned(scene);
    expect(plan.changes[0]?.dropped.map(({ path }) => path).toSorted()).toEqual([
      'rules.end_at',
      'rules.unsend_delay_sec',
    ]);
    const shown = (await scene.herald('plan')).stdout;
    expect(shown).toContain('rules.unsend_delay_sec: 1 h → not set (not in the file)');
    const drift = await scene.herald('drift');
    expect([drift.code, drift.stdout]).toEqual([
      2,
      expect.stringContaining('file: not set (not in the file)\n        live: 1 h\n'),
    ]);
    expect((await scene.herald('plan', '--format', 'markdown')).stdout).toContain(
      '- rules.unsend_delay_sec: 1 h\n+ rules.unsend_delay_sec: not set (not in the file)\n',
    );
  });
});

describe('values that the service fills in by itself', () => {
  it('are learned at the create, and are not loss', async () => {
    const scene = aScene({ files: campaigns() });
    const rules = { unsend_delay_sec: 86_400 };
    for (const operation of ['campaigns.create', 'campaigns.list'] as const)
      await scene.fault({ kind: 'odd_reply', operation, set: { rules } });
    expect((await applied(scene)).code).toBe(0);
    expect((await planned(scene)).plan).toMatchObject({ summary: { keep: 1 }, diagnostics: [] });
    Object.assign(scene.files.tree, campaigns(text('Edited')));
    expect((await planned(scene)).plan.changes[0]?.dropped).toEqual([]);
  });

  it('are not learned where a person sets them while the run is at work', async () => {
    const scene = aScene({ files: campaigns() });
    const edit = { kind: 'campaign', account_id: '101', name: 'Welcome', set: { rules: RULES } } as const;
    await scene.fault({ kind: 'change_before', operation: 'campaigns.list', nth: 2, edit });
    expect((await applied(scene)).code).toBe(0);
    expect((await scene.herald('plan')).stdout).toContain('not-in-file');
    expect(decisions(await planned(scene))).toEqual([]);
  });
});

it.each<[string, string, (scene: Scene) => Promise<void>, DriftCause]>([
  [
    'a recall that the file asks for',
    'recall',
    async (scene) => void Object.assign(scene.files.tree, campaigns({ status: 'recalled' })),
    'files',
  ],
  [
    'a pause of an earlier file',
    'resume',
    async (scene) => {
      Object.assign(scene.files.tree, campaigns({ status: 'paused' }));
      expect((await applied(scene)).code).toBe(0);
      Object.assign(scene.files.tree, campaigns());
    },
    'files',
  ],
  ['a pause by a person', 'resume', (scene) => editLive(scene, 'campaign', { status: 'paused' }), 'service'],
])('the cause of %s, with --allow %s in herald.yaml', async (_what, allow, change, cause) => {
  const scene = await standing(campaigns());
  await change(scene);
  scene.files.tree['herald.yaml'] += `allow: [${allow}]\n`;
  expect(await causesIn(scene)).toEqual([cause]);
});
