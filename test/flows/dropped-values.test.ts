import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, planned } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const SET = { unsend_delay_sec: 3600, end_at: '2027-03-01T00:00:00.000Z' };

const KINDS = [
  { kind: 'campaign', files: (more = {}) => declaring({ campaigns: [campaign(more)] }) },
  { kind: 'broadcast', files: (more = {}) => declaring({ broadcasts: [broadcast(more)] }) },
] as const;
type Kind = (typeof KINDS)[number];

/** Applied, and someone has set two rules on the service since. */
async function withRules({ kind, files }: Kind): Promise<Scene> {
  const scene = aScene({ files: files() });
  expect((await applied(scene)).code).toBe(0);
  const [object] = await liveOn(scene, '101', kind);
  await scene.service((control) =>
    (kind === 'campaign' ? control.editCampaign : control.editBroadcast)('101', object?.id ?? '', {
      rules: SET,
    }),
  );
  return scene;
}

const EDITED = { messages: [{ text: 'Edited' }] };

describe.each(KINDS)('rules of a $kind that someone has set on the service', (kind) => {
  it('are shown by plan and drift, and are not drift', async () => {
    const scene = await withRules(kind);
    for (const command of ['plan', 'drift']) {
      const ran = await scene.herald(command, ...(command === 'plan' ? ['--detailed-exitcode'] : []));
      expect(ran.code, command).toBe(0);
      expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'not-in-file: rules.end_at "2027-03-01T00:00:00.000Z", rules.unsend_delay_sec 3600: set on the service and not in the file. A replace would drop it.',
      );
    }
    expect(decisions(await planned(scene))).toEqual([]);
  });

  it('are shown by every format of a plan that would drop them', async () => {
    const scene = await withRules(kind);
    Object.assign(scene.files.tree, kind.files(EDITED));
    const { plan } = await planned(scene);
    expect(plan.changes[0]?.dropped.map(({ path }) => path).toSorted()).toEqual([
      'rules.end_at',
      'rules.unsend_delay_sec',
    ]);
    const text = (await scene.herald('plan')).stdout;
    expect(text).toContain('rules.unsend_delay_sec: 1 h → not set (not in the file)');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('The new version is created without it.');
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(2);
    expect(drift.stdout).toContain(
      'rules.unsend_delay_sec\n        file: not set (not in the file)\n        live: 1 h\n',
    );
    const markdown = (await scene.herald('plan', '--format', 'markdown')).stdout;
    expect(markdown).toContain(
      '- rules.unsend_delay_sec: 1 h\n+ rules.unsend_delay_sec: not set (not in the file)\n',
    );
    expect(markdown).toContain('The new version is created without it.');
  });

  it('are taken over by import --update, and are not shown any more', async () => {
    const scene = await withRules(kind);
    expect((await scene.herald('import', '--update')).code).toBe(0);
    const ran = await scene.herald('plan', '--detailed-exitcode');
    expect([ran.code, ran.stdout]).toEqual([0, expect.not.stringContaining('not-in-file')]);
    expect(scene.files.tree['live/all.yaml']).toContain('unsend_delay_sec');
  });
});

it('a rule of several parts is taken over as a whole', async () => {
  const scene = aScene({ files: KINDS[0].files() });
  await applied(scene);
  const [object] = await liveOn(scene, '101', 'campaign');
  const rules = { send_delay_interval: { min_sec: 0, range_sec: 9 } };
  await scene.service((control) => control.editCampaign('101', object?.id ?? '', { rules }));
  const ran = await scene.herald('import', '--update');
  expect(ran.stdout).toContain('0 imported, 1 updated, 0 left out.');
  expect((await scene.herald('plan')).stdout).toContain('No changes: 1 resource matches.\n');
});

describe('values that the service fills in by itself', () => {
  it('are learned at the create, and are not loss', async () => {
    const scene = aScene({ files: KINDS[0].files() });
    const rules = { unsend_delay_sec: 86_400 };
    for (const operation of ['campaigns.create', 'campaigns.list'] as const)
      await scene.fault({ kind: 'odd_reply', operation, set: { rules } });
    expect((await applied(scene)).code).toBe(0);
    const quiet = await scene.herald('plan');
    expect(quiet.stdout).not.toContain('not-in-file');
    Object.assign(scene.files.tree, KINDS[0].files(EDITED));
    expect((await planned(scene)).plan.changes[0]?.dropped).toEqual([]);
  });

  it('are not learned where a person sets them while the run is at work', async () => {
    const scene = aScene({ files: KINDS[0].files() });
    const edit = { kind: 'campaign', account_id: '101', name: 'Welcome', set: { rules: SET } } as const;
    await scene.fault({ kind: 'change_before', operation: 'campaigns.list', nth: 2, edit });
    expect((await applied(scene)).code).toBe(0);
    expect((await scene.herald('plan')).stdout).toContain('not-in-file');
  });
});
