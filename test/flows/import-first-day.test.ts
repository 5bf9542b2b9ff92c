import { describe, expect, it } from 'vitest';
import { planned, expectEnd } from '../helpers/flows.ts';
import { aHandBuiltScene, anEmptyScene, fileOf, imported, leftOut, NOTHING_DECLARED } from './imports.ts';

describe('what import writes', () => {
  it('is what a person would write, and nothing that the service fills in', async () => {
    const scene = anEmptyScene();
    await scene.service((control) => {
      control.seedCampaign('101', {
        name: 'Welcome series',
        rules: {
          send_delay_interval: { min_sec: 30, range_sec: 60 },
          unsend_delay_sec: 86400,
          end_at: '2026-09-01T20:00:00+02:00',
        },
        audience_filters: [
          { kind: 'purchased_from_organisation', mode: 'include', options: { lists: [{ name: 'VIP' }] } },
        ],
        messages: [
          { text: 'Hey {{you}}!\r\n\r\nSo good to see you.\n' },
          {
            text: 'Look at this',
            price_gross: 9.5,
            delay_sec: 3600,
            attachments: [{ id: '55012', type: 'image', is_paid: true }],
          },
        ],
      });
      control.seedCampaign('101', { name: 'Sleeping', status: 'paused' });
      control.seedBroadcast('101', { name: 'Teaser', messages: [{ text: "It's 5 o'clock" }] });
    });
    await imported(scene);
    expect(fileOf(scene, 'campaigns/imported/alice.yaml')).toBe(
      `# Written by herald import from live state. From now on, this file decides.

accounts: [alice]

campaigns:
  - name: Sleeping
    status: paused
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages:
      - text: Hello

  - name: Welcome series
    trigger: welcome_message
    action: send_message
    rules:
      send_delay_interval:
        min_sec: 30
        range_sec: 60
      unsend_delay_sec: 86400
      end_at: 2026-09-01T18:00Z
    audience_filters:
      - kind: purchased_from_organisation
        mode: include
        options:
          from_days: 'TODO: range in days' # TODO: the service never returns a range in days; write from_days and to_days, or remove this line if it has none
          lists:
            - name: 'TODO: name of fan list 99999999999999990' # TODO: the service never returns this name; write it here
              id: '99999999999999990'
    messages:
      - text: |-
          Hey \\{{you}}!

          So good to see you.
      - text: Look at this
        price_gross: 9.50
        delay_sec: 3600
        attachments:
          - id: '55012'
            type: image
            is_paid: true

broadcasts:
  - name: Teaser
    scheduled_at: 2026-06-02T12:00Z
    audience: everyone
    messages:
      - text: It's 5 o'clock
`,
    );
  });

  it('says once what several accounts have, unless something in it belongs to one of them', async () => {
    const scene = anEmptyScene();
    await scene.service((control) => {
      for (const account of ['101', '102']) {
        control.seedCampaign(account, { name: 'Same', messages: [{ text: 'Same' }] });
        control.seedCampaign(account, {
          name: 'Picture',
          messages: [{ attachments: [{ id: '7', type: 'image' }] }],
        });
        control.seedCampaign(account, { name: 'Own', messages: [{ text: account }] });
      }
    });
    await imported(scene);
    expect(fileOf(scene, 'campaigns/imported/shared.yaml')).toContain('accounts: [alice, bob]');
    expect(fileOf(scene, 'campaigns/imported/shared.yaml').match(/- name: .*/g)).toEqual(['- name: Same']);
    for (const alias of ['alice', 'bob'])
      expect(fileOf(scene, `campaigns/imported/${alias}.yaml`).match(/- name: .*/g)).toEqual([
        '- name: Own',
        '- name: Picture',
      ]);
    expect((await planned(scene, '--detailed-exitcode')).code).toBe(0);
  });
});

it('import writes two files for names that differ by case only, which some file systems take for one', async () => {
  const scene = anEmptyScene({
    'herald.yaml': NOTHING_DECLARED.replace('  bob:', '  Alice:'),
  });
  await scene.service((control) => {
    for (const on of ['101', '102']) control.seedCampaign(on, { name: 'Own', messages: [{ text: on }] });
  });
  const { report } = await imported(scene);
  expect(report.files.map(({ path }) => path)).toEqual([
    'campaigns/imported/Alice.yaml',
    'campaigns/imported/alice-2.yaml',
  ]);
});

describe('what import leaves out', () => {
  it('is listed, each with its reason', async () => {
    const scene = await aHandBuiltScene(
      { name: null },
      { name: 'Old', status: 'archived' },
      { name: 'Pulled', status: 'recalled' },
      { name: 'Odd', status: 'under_review' },
      { name: 'Mute', action: null },
      { name: 'Over', rules: { end_at: '2026-05-01T00:00:00Z' } },
      { name: 'Half past', rules: { end_at: '2026-09-01T18:30:00Z' } },
      { name: 'Modern', rules: { new_rule: 5 } },
      { name: ' Spaced' },
      { name: 'Twice', messages: [{ text: 'A' }] },
      { name: 'Twice', messages: [{ text: 'B' }] },
      { name: 'Version', status: 'paused', messages: [{ text: 'old' }] },
      { name: 'Version', messages: [{ text: 'new' }] },
      {
        name: 'Days',
        audience_filters: [{ kind: 'subscribed_date', mode: 'include', options: { from_days: 30 } }],
      },
    );
    await scene.service((control) => {
      control.seedBroadcast('101', { name: 'Sent', status: null });
      control.seedBroadcast('101', { name: 'Going', status: 'sending' });
      control.seedBroadcast('101', { name: 'Dark', unreadable: true });
      control.seedBroadcast('101', { name: null, messages: [{ text: 'Just a text' }] });
      control.seedBroadcast('101', { name: 'Soon', scheduled_at: '2026-06-01T12:03:00Z' });
    });
    const found = await imported(scene);
    expect(leftOut(found)).toEqual([
      'unreadable alice/broadcast/Dark',
      'left alice/broadcast/Going',
      'nameless alice/broadcast/Just a text',
      'left alice/broadcast/Sent',
      'too-late alice/broadcast/Soon',
      'nameless alice/campaign/',
      'not-expressible alice/campaign/ Spaced',
      'not-expressible alice/campaign/Modern',
      'unreadable alice/campaign/Mute',
      'unknown-status alice/campaign/Odd',
      'archived alice/campaign/Old',
      'ended alice/campaign/Over',
      'recalled alice/campaign/Pulled',
      'name-collision alice/campaign/Twice',
      'name-collision alice/campaign/Twice',
      'superseded alice/campaign/Version',
    ]);
    // `Half past` ends between two hours, and the range of `Days` is to be completed: both are warnings.
    expect(found.report.imported).toBe(3);
    const text = await scene.herald('import', '--out', 'campaigns/again');
    expect(text.stderr).toContain('It is archived.');
    expect((await planned(scene, '--detailed-exitcode')).code).toBe(0);
  });

  it('has what a policy denies, because it would hold back every later apply', async () => {
    const messages = [{ text: 'x', price_gross: 50, text_is_paid: true }];
    const scene = await aHandBuiltScene({ name: 'Dear', messages }, { name: 'Cheap' });
    scene.files.tree['herald.yaml'] = `${NOTHING_DECLARED}policy: { max_price_gross: 10 }\n`;
    const found = await imported(scene);
    expect(leftOut(found)).toEqual(['not-quiet alice/campaign/Dear']);
    expect(found.report.left_out[0]?.reason).toContain('policy');
    expect((await planned(scene)).code).toBe(0);
  });

  it('has the old name of a rename, which alone holds the second send back', async () => {
    const scene = anEmptyScene({
      'campaigns/new.yaml': `accounts: [alice]
campaigns:
  - { name: New name, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: Hello }] }
`,
    });
    await scene.service((control) => control.seedCampaign('101', { name: 'Old name' }));
    const found = await imported(scene);
    expect(leftOut(found)).toEqual(['renamed alice/campaign/Old name']);
    expect(found.report.left_out[0]?.reason).toContain('campaigns/new.yaml:3');
    expect((await planned(scene)).plan.summary).toMatchObject({ blocked: 1, create: 0 });
  });
});

describe('import keeps its hands off', () => {
  it('files that exist, and names them', async () => {
    const scene = await aHandBuiltScene({ name: 'One' });
    await imported(scene);
    const before = { ...scene.files.tree };
    await scene.service((control) => control.seedCampaign('101', { name: 'Two' }));
    const again = await scene.herald('import');
    expectEnd(again, 1, 'campaigns/imported/alice.yaml already exists. Nothing was written.');
    expect(fileOf(scene, 'campaigns/imported/alice.yaml')).toBe(before['campaigns/imported/alice.yaml']);
  });

  it('the state, where herald.yaml does not read what was written', async () => {
    const scene = await aHandBuiltScene({ name: 'One' });
    const ran = await scene.herald('import', '--out', 'elsewhere');
    expectEnd(ran, 0, 'Add "elsewhere/*.yaml" to its `files:`. The state does not have what was imported');
    expect(await scene.readState((state) => state.known(['101']))).toMatchObject({ objects: [] });
  });

  it('an id that no alias stands for, and a directory outside', async () => {
    const scene = anEmptyScene();
    expectEnd(await scene.herald('import', '--account', '103'), 1, 'alice: { id: "101" }');
    const outside = await scene.herald('import', '--out', '../elsewhere');
    expectEnd(outside, 1, '--out ../elsewhere is not a directory inside the workspace');
  });

  it.each(['.git', '.git/hooks', './.herald', '.herald/x', 'sub/.git', '.GIT', 'a/../.git/', 'linked/new'])(
    'what git and the state keep for themselves (--out %s)',
    async (out) => {
      const scene = await aHandBuiltScene({ name: 'One' });
      scene.files.leadsTo = async (path) => path.replace('linked', '../other/.git/hooks');
      const before = { ...scene.files.tree };
      const ran = await scene.herald('import', '--out', out);
      expectEnd(ran, 1, 'or is inside .git or .herald');
      expect(scene.files.tree).toEqual(before);
    },
  );

  it('everything, while a list cannot be read', async () => {
    const scene = await aHandBuiltScene({ name: 'One' });
    await scene.fault({ kind: 'empty_page', operation: 'campaigns.list', account_id: '101' });
    expect((await scene.herald('import')).code).toBe(1);
    expect(Object.keys(scene.files.tree).filter((path) => path.startsWith('campaigns/'))).toEqual([]);
  });
});
