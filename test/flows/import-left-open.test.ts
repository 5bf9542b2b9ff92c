import { describe, expect, it } from 'vitest';
import { decisions, planned, writesSent } from '../helpers/flows.ts';
import { anEmptyScene, fileOf, imported } from '../helpers/imports.ts';
import type { Scene } from '../helpers/scene.ts';

const PATH = 'campaigns/imported/alice.yaml';

function edit(scene: Scene, was: string | RegExp, is: string): void {
  const before = fileOf(scene, PATH);
  const after = before.replace(was, is);
  expect(after).not.toBe(before);
  scene.files.tree[PATH] = after;
}

describe('a fan list without a written name', () => {
  it('holds back every create, and is warned of until then', async () => {
    const scene = anEmptyScene();
    await scene.service((control) =>
      control.seedCampaign('101', {
        name: 'Listed',
        audience_filters: [
          {
            kind: 'new_kind',
            mode: 'include',
            options: { from_at: '2026-01-01T00:00:00Z', lists: [{ name: 'VIP' }] },
          },
        ],
      }),
    );
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
});

/** A campaign and a broadcast of alice's, built by hand, that may hide a range in days. */
async function aHiddenRange(options: { from_days?: number; to_days?: number } = {}): Promise<Scene> {
  const scene = anEmptyScene();
  await scene.service((control) => {
    const audience_filters = [{ kind: 'purchased_from_organisation', mode: 'exclude' as const, options }];
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
    expect(report.to_complete.map(({ name, what }) => `${name}: ${what}`)).toEqual(
      ['Bought', 'Teaser'].map(
        (name) =>
          `${name}: the service never returns a range in days; write from_days and to_days, or remove options if it has none`,
      ),
    );
    expect(fileOf(scene, PATH)).toContain(`      - kind: purchased_from_organisation
        mode: exclude
        options:
          from_days: 'TODO: range in days' # TODO: the service never returns a range in days;`);
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(0);
    expect(drift.stdout).toContain(`${PATH}:13:22: days-to-write`);
    expect(drift.stdout).toContain('unverifiable: audience_filters: cannot be compared');
  });

  it('hold back every replace, with the place and what to do, and nothing is sent', async () => {
    const scene = await aHiddenRange({ from_days: 30 });
    await imported(scene);
    edit(scene, 'text: Hello', 'text: Goodbye');
    const { code, plan } = await planned(scene);
    expect(code).toBe(5);
    expect(decisions({ plan })).toEqual(['blocked alice/campaign/Bought']);
    const blocked = plan.changes.find(({ action }) => action === 'blocked');
    expect(blocked?.reasons.join(' ')).toContain(
      `${PATH}:13 still has a TODO of the import: the filter purchased_from_organisation`,
    );
    expect((await scene.herald('apply', '--yes')).code).toBe(5);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('are sent as a person writes them', async () => {
    const scene = await aHiddenRange({ from_days: 30 });
    await imported(scene);
    edit(scene, 'text: Hello', 'text: Goodbye');
    edit(scene, /from_days: 'TODO.*/, 'from_days: 30');
    expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/Bought']);
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    const kept = await scene.service((_control, world) =>
      Object.values(world.accounts['101']?.campaigns ?? {}).map(({ live: { status, audience_filters } }) => [
        status,
        audience_filters,
      ]),
    );
    const thirty = [{ kind: 'purchased_from_organisation', mode: 'exclude', options: { from_days: 30 } }];
    expect(kept).toEqual([
      ['paused', thirty],
      ['active', thirty],
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
    await scene.service((control) => {
      for (const [account, days] of [
        ['101', 30],
        ['102', 60],
      ] as const)
        control.seedCampaign(account, {
          name: 'Bought',
          audience_filters: [
            { kind: 'purchased_from_organisation', mode: 'include', options: { from_days: days } },
          ],
        });
    });
    const { report } = await imported(scene);
    expect(report.files.map(({ path }) => path)).toEqual([PATH, 'campaigns/imported/bob.yaml']);
  });

  it('are left open by --update as well, where the audience was changed by hand', async () => {
    const scene = anEmptyScene();
    const { id } = await scene.service((control) => control.seedCampaign('101', { name: 'One' }));
    await imported(scene);
    await scene.service((control) =>
      control.editCampaign('101', id, {
        audience_filters: [{ kind: 'purchased_from_organisation', mode: 'include', options: { to_days: 9 } }],
      }),
    );
    const { report } = await imported(scene, '--update');
    expect(report.updated).toMatchObject([{ name: 'One', fields: ['audience_filters'] }]);
    expect(report.to_complete).toMatchObject([{ account: 'alice', name: 'One', file: PATH }]);
    expect(report.to_complete[0]?.what).toContain('a range in days');
    expect(fileOf(scene, PATH)).toContain("from_days: 'TODO: range in days'");
    expect((await planned(scene, '--detailed-exitcode')).code).toBe(0);
    edit(scene, 'text: Hello', 'text: Goodbye');
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/One']);
  });

  it('are not asked for again by --update where a person wrote them, nor are names of lists', async () => {
    const scene = anEmptyScene();
    const bought = { kind: 'purchased_from_organisation', mode: 'include' as const };
    const dated = (...lists: { name: string }[]) => {
      const options = { from_at: '2026-01-01T00:00:00Z', lists };
      return { kind: 'purchased_from_organisation', mode: 'exclude' as const, options };
    };
    const { id } = await scene.service((control) =>
      control.seedCampaign('101', { name: 'One', audience_filters: [bought, dated({ name: 'VIP' })] }),
    );
    await imported(scene);
    edit(scene, /from_days: 'TODO.*/, 'from_days: 30 # bought lately');
    edit(scene, /'TODO: name of fan list \d+'.*/, 'VIP');
    await scene.service((control) =>
      control.editCampaign('101', id, {
        audience_filters: [bought, dated({ name: 'VIP' }, { name: 'New' })],
      }),
    );
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
    audience_filters:
      - { kind: purchased_from_organisation, mode: include, options: { from_days: 30 } }
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
