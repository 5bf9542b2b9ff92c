import { describe, expect, it } from 'vitest';
import { decisions, planned, writesSent } from '../helpers/flows.ts';
import { aHandBuiltScene, anEmptyScene, fileOf, imported, NOTHING_DECLARED } from './imports.ts';
import type { Scene } from '../helpers/scene.ts';

const PATH = 'campaigns/imported/alice.yaml';
const KIND = 'purchased_from_organisation';

function edit(scene: Scene, was: string | RegExp, is: string): void {
  const before = fileOf(scene, PATH);
  const after = before.replace(was, is);
  expect(after).not.toBe(before);
  scene.files.tree[PATH] = after;
}

it('a fan list without a written name blocks every create', async () => {
  const options = { from_at: '2026-01-01T00:00:00Z', lists: [{ name: 'VIP' }] };
  const audience_filters = [{ kind: 'new_kind', mode: 'include' as const, options }];
  const scene = await aHandBuiltScene({ name: 'Listed', audience_filters });
  const { report } = await imported(scene);
  expect(report.to_complete).toMatchObject([{ name: 'Listed', file: PATH }]);
  edit(scene, 'text: Hello', 'text: Goodbye');
  const held = await planned(scene);
  expect(held.code).toBe(5);
  expect(held.plan.changes[0]?.reasons.join(' ')).toContain('still has a TODO of the import');

  edit(scene, /'TODO: name of fan list \d+'.*/, 'VIP');
  expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/Listed']);
});

/** A campaign and a broadcast of alice's, built by hand, that may hide a range in days. */
async function aHiddenRange(options: { from_days?: number } = {}): Promise<Scene> {
  const audience_filters = [{ kind: KIND, mode: 'exclude' as const, options }];
  const scene = await aHandBuiltScene({ name: 'Bought', audience_filters });
  await scene.service((control) => control.seedBroadcast('101', { name: 'Teaser', audience_filters }));
  return scene;
}

describe('days that a live filter may hide', () => {
  it('are left open, and the plan is quiet; drift says what cannot be seen', async () => {
    const scene = await aHiddenRange({ from_days: 30 });
    const { report } = await imported(scene);
    expect(report).toMatchObject({ imported: 2, left_out: [] });
    expect(report.to_complete.map(({ name }) => name)).toEqual(['Bought', 'Teaser']);
    expect(report.to_complete[0]?.what).toBe(
      'the service never returns a range in days; write from_days and to_days, or remove this line if it has none',
    );
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(0);
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
});

/** A broadcast that a person made in Berlin or Kolkata. */
async function aLiveBroadcast(seed: object) {
  const scene = anEmptyScene();
  await scene.service((control) => control.seedBroadcast('101', { id: '55', name: 'Teaser', ...seed }));
  return scene;
}

describe('the schedule of an imported broadcast', () => {
  it.each([
    ['Europe/Berlin', '2026-06-04T16:00:00Z', '2026-06-04T18:00'],
    // Off the whole hour in UTC.
    ['Asia/Kolkata', '2026-06-04T12:30:00Z', '2026-06-04T18:00'],
    // The second 02:00 of that night.
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T02:00+01:00'],
  ])('keeps its zone %s at %s, and its plan is quiet', async (zone, utc, written) => {
    const scene = await aLiveBroadcast({
      scheduled_at: utc,
      scheduled_at_timezone: zone,
      rules: { end_at: '2026-12-01T12:30:00Z', end_at_timezone: 'Asia/Kolkata' },
    });
    const { report } = await imported(scene);
    expect(report).toMatchObject({ imported: 1, left_out: [] });
    expect(fileOf(scene, PATH)).toContain(
      `    scheduled_at: ${written}\n    scheduled_at_timezone: ${zone}\n    rules:\n` +
        '      end_at: 2026-12-01T18:00\n      end_at_timezone: Asia/Kolkata\n',
    );
    expect(decisions(await planned(scene))).toEqual([]);
  });

  it('follows a live one to another zone, and its end away', async () => {
    const scene = await aLiveBroadcast({
      scheduled_at: '2026-06-04T16:00:00Z',
      scheduled_at_timezone: 'Europe/Berlin',
      rules: { unsend_delay_sec: 60, end_at: '2026-12-01T12:30:00Z', end_at_timezone: 'Asia/Kolkata' },
    });
    await imported(scene);
    await scene.service((control) =>
      control.editBroadcast('101', '55', {
        scheduled_at: '2026-06-04T12:30:00Z',
        scheduled_at_timezone: 'Asia/Kolkata',
      }),
    );
    await imported(scene, '--update');
    expect(fileOf(scene, PATH)).toContain(
      '    scheduled_at: 2026-06-04T18:00\n    scheduled_at_timezone: Asia/Kolkata\n',
    );
    expect(decisions(await planned(scene))).toEqual([]);
  });
});

it('an import leaves out an hour with minutes, also one that a declared broadcast was moved to, and says why', async () => {
  const zone = { scheduled_at_timezone: 'Europe/Berlin' };
  const scene = await aLiveBroadcast({ scheduled_at: '2026-06-04T16:00:00Z', ...zone });
  await imported(scene);
  const before = fileOf(scene, PATH);
  await scene.service((control) =>
    control.editBroadcast('101', '55', { scheduled_at: '2026-06-04T16:30:00Z', ...zone }),
  );
  const { report } = await imported(scene, '--update');
  expect(report).toMatchObject({ updated: [], left_out: [{ code: 'not-expressible', name: 'Teaser' }] });
  expect(report.left_out[0]?.reason).toBe(
    'It cannot be written to a file: scheduled_at: It has minutes, and a create accepts only whole hours. Move it to a whole hour on the service, or keep it out of the files.',
  );
  expect(fileOf(scene, PATH)).toBe(before);
});

it('an import leaves out a kind that reads like a typing error, until herald.yaml knows it', async () => {
  const audience_filters = [{ kind: 'subscribed_dates', mode: 'include' as const }];
  const scene = await aHandBuiltScene({ name: 'Dated', audience_filters });
  const first = await imported(scene);
  expect(first.ran.code).toBe(0);
  expect(first.report).toMatchObject({ imported: 0, left_out: [{ code: 'not-expressible', name: 'Dated' }] });
  expect(first.report.left_out[0]?.reason).toContain('known_kinds: ["subscribed_dates"]');
  const herald = scene.files.tree['herald.yaml'] ?? '';
  scene.files.tree['herald.yaml'] = herald.replace(
    'world.json }',
    'world.json, known_kinds: [subscribed_dates] }',
  );
  expect((await imported(scene)).report).toMatchObject({ imported: 1, left_out: [] });
});

it('names the accounts that the key sees and herald.yaml does not', async () => {
  const scene = anEmptyScene();
  scene.files.tree['herald.yaml'] = NOTHING_DECLARED.replace(/\n {2}bob: .*/, '');
  const { stderr } = await scene.herald('import');
  expect(stderr).toContain('Not in herald.yaml: bob_x (102), carol_x (103)\n');
  expect(stderr).toContain('add it to accounts: NAME: { id: "102" }');
  expect((await scene.herald('import', '--account', 'alice')).stderr).not.toContain('bob_x');
});

it('writes what it can also where the key may not list accounts, and names what is to be completed', async () => {
  const audience_filters = [{ kind: 'subscribed_date', mode: 'include' as const, options: {} }];
  const scene = await aHandBuiltScene({ name: 'Days', audience_filters, messages: [{ text: 'Hi' }] });
  await scene.fault({ kind: 'refusal', operation: 'accounts.list', status: 403 });
  const ran = await scene.herald('import');
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('alice/campaign/Days: the service never returns a range in days');
  expect(ran.stderr).not.toContain('Not in herald.yaml');
});

it('writes nothing after an interrupt, although its reads were not cut short', async () => {
  const scene = await aHandBuiltScene({ name: 'Live', messages: [{ text: 'Hi' }] });
  const running = scene.startAs({}, 'import');
  running.interrupt();
  const { code, stderr } = await running.ran;
  expect([code, stderr]).toEqual([130, expect.stringContaining('Interrupted; nothing was written.')]);
  expect(scene.files.written).not.toContainEqual(expect.stringContaining('.yaml'));
});
