import { describe, expect, it } from 'vitest';
import { decisions, planned, writesSent } from '../helpers/flows.ts';
import { anEmptyScene, fileOf, imported } from '../helpers/imports.ts';
import type { Scene } from '../helpers/scene.ts';

const PATH = 'campaigns/imported/alice.yaml';
const KIND = 'purchased_from_organisation';

function edit(scene: Scene, was: string | RegExp, is: string): void {
  const before = fileOf(scene, PATH);
  const after = before.replace(was, is);
  expect(after).not.toBe(before);
  scene.files.tree[PATH] = after;
}

it('a fan list without a written name blocks every create, with a warning until then', async () => {
  const scene = anEmptyScene();
  const options = { from_at: '2026-01-01T00:00:00Z', lists: [{ name: 'VIP' }] };
  const audience_filters = [{ kind: 'new_kind', mode: 'include' as const, options }];
  await scene.service((control) => control.seedCampaign('101', { name: 'Listed', audience_filters }));
  const { report } = await imported(scene);
  expect(report.to_complete).toMatchObject([{ name: 'Listed', file: PATH }]);
  edit(scene, 'text: Hello', 'text: Goodbye');
  const held = await planned(scene);
  expect(held.code).toBe(5);
  expect(held.plan.changes[0]?.reasons.join(' ')).toContain('still has a TODO of the import');
  expect(held.plan.diagnostics.map(({ code }) => code)).toContain('list-to-name');

  edit(scene, /'TODO: name of fan list \d+'.*/, 'VIP');
  expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/Listed']);
});

/** A campaign and a broadcast of alice's, built by hand, that may hide a range in days. */
async function aHiddenRange(options: { from_days?: number } = {}): Promise<Scene> {
  const scene = anEmptyScene();
  await scene.service((control) => {
    const audience_filters = [{ kind: KIND, mode: 'exclude' as const, options }];
    control.seedCampaign('101', { name: 'Bought', audience_filters });
    control.seedBroadcast('101', { name: 'Teaser', audience_filters });
  });
  return scene;
}

describe('days that a live filter may hide', () => {
  it('are left open, and the plan is quiet; drift says what cannot be seen', async () => {
    const scene = await aHiddenRange({ from_days: 30 });
    const { report } = await imported(scene);
    expect(report).toMatchObject({ imported: 2, left_out: [] });
    expect(report.to_complete.map(({ name }) => name)).toEqual(['Bought', 'Teaser']);
    expect(report.to_complete[0]?.what).toBe(
      'the service never returns a range in days; write from_days and to_days, or remove options if it has none',
    );
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(0);
    expect(drift.stdout).toContain(`${PATH}:13:22: days-to-write`);
    expect(drift.stdout).toContain('unverifiable: audience_filters: cannot be compared');
  });

  it('block every replace, with the place, until a person writes them, and then are sent', async () => {
    const scene = await aHiddenRange({ from_days: 30 });
    await imported(scene);
    edit(scene, 'text: Hello', 'text: Goodbye');
    const { code, plan } = await planned(scene);
    expect([code, decisions({ plan })]).toEqual([5, ['blocked alice/campaign/Bought']]);
    expect(plan.changes.find(({ action }) => action === 'blocked')?.reasons.join(' ')).toContain(
      `${PATH}:13 still has a TODO of the import: the filter ${KIND}`,
    );
    expect((await scene.herald('apply', '--yes')).code).toBe(5);
    expect(await writesSent(scene)).toEqual([]);

    edit(scene, /from_days: 'TODO.*/, 'from_days: 30');
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    const live = await scene.service((_, world) => Object.values(world.accounts['101']?.campaigns ?? {}));
    expect(live.map((one) => [one.live.status, one.live.audience_filters?.[0]?.options])).toEqual([
      ['paused', { from_days: 30 }],
      ['active', { from_days: 30 }],
    ]);
  });

  it('are none once a person says so', async () => {
    const scene = await aHiddenRange();
    await imported(scene);
    edit(scene, 'text: Hello', 'text: Goodbye');
    edit(scene, /\n +options:\n +from_days: 'TODO.*/, '');
    expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/Bought']);
  });

  it('may be others on every account, so each has a file of its own', async () => {
    const scene = anEmptyScene();
    const filter = (days: number) => ({ kind: KIND, mode: 'include' as const, options: { from_days: days } });
    await scene.service((control) => {
      control.seedCampaign('101', { name: 'Bought', audience_filters: [filter(30)] });
      control.seedCampaign('102', { name: 'Bought', audience_filters: [filter(60)] });
    });
    const { report } = await imported(scene);
    expect(report.files.map(({ path }) => path)).toEqual([PATH, 'campaigns/imported/bob.yaml']);
  });

  it('are left open by --update as well, where the audience was changed by hand', async () => {
    const scene = anEmptyScene();
    const { id } = await scene.service((control) => control.seedCampaign('101', { name: 'One' }));
    await imported(scene);
    const audience_filters = [{ kind: KIND, mode: 'include' as const, options: { to_days: 9 } }];
    await scene.service((control) => control.editCampaign('101', id, { audience_filters }));
    const { report } = await imported(scene, '--update');
    expect(report.updated).toMatchObject([{ name: 'One', fields: ['audience_filters'] }]);
    expect(report.to_complete).toMatchObject([{ account: 'alice', name: 'One', file: PATH }]);
    expect((await planned(scene, '--detailed-exitcode')).code).toBe(0);
    edit(scene, 'text: Hello', 'text: Goodbye');
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/One']);
  });

  it('are not asked for again by --update where a person wrote them, nor are names of lists', async () => {
    const scene = anEmptyScene();
    const filters = (...lists: { name: string }[]) => [
      { kind: KIND, mode: 'include' as const },
      { kind: KIND, mode: 'exclude' as const, options: { from_at: '2026-01-01T00:00:00Z', lists } },
    ];
    const seed = { name: 'One', audience_filters: filters({ name: 'VIP' }) };
    const { id } = await scene.service((control) => control.seedCampaign('101', seed));
    await imported(scene);
    edit(scene, /from_days: 'TODO.*/, 'from_days: 30 # bought lately');
    edit(scene, /'TODO: name of fan list \d+'.*/, 'VIP');
    const audience_filters = filters({ name: 'VIP' }, { name: 'New' });
    await scene.service((control) => control.editCampaign('101', id, { audience_filters }));
    const { report } = await imported(scene, '--update');
    expect(report.to_complete.map(({ what }) => what)).toEqual([
      'the service never returns this name; write it here',
    ]);
    expect(fileOf(scene, PATH)).toContain('from_days: 30 # bought lately');
    expect(fileOf(scene, PATH)).toContain('name: VIP');
  });

  it('that Herald sent itself are reported as such, and not by the place in a file that was not written', async () => {
    const file = 'campaigns/made.yaml';
    const scene = anEmptyScene({
      [file]: `accounts: [alice]
campaigns:
  - name: Made
    trigger: welcome_message
    action: send_message
    audience_filters: [{ kind: ${KIND}, mode: include, options: { from_days: 30 } }]
    messages: [{ text: Hello }]
`,
    });
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    delete scene.files.tree[file];
    const { report } = await imported(scene);
    expect(report).toMatchObject({ files: [], left_out: [{ name: 'Made', code: 'not-quiet' }] });
    expect(report.left_out[0]?.reason).not.toContain(PATH);
    expect(report.left_out[0]?.reason).toContain('days, which the service never returns');
  });
});
