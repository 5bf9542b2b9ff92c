import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { campaign } from '../helpers/declare-live.ts';
import {
  decisions,
  dieBefore,
  editLive,
  expectQuiet,
  planned,
  standing,
  statuses,
} from '../helpers/flows.ts';
import { aHandBuiltScene, anEmptyScene, fileOf, imported, leftOut, NOTHING_DECLARED } from './imports.ts';

const FILE = 'campaigns/all.yaml';

const declaring = (text: string, more = {}) =>
  JSON.stringify({ accounts: ['alice'], campaigns: [campaign({ messages: [{ text }], ...more })] });

/** A workspace of which everything is live. */
const declared = (files: Readonly<Record<string, string>>) =>
  standing({ 'herald.yaml': NOTHING_DECLARED, ...files });

describe('import --update', () => {
  it('changes what differs, and leaves comments and order alone', async () => {
    const scene = await declared({
      [FILE]: `# our house
accounts: [alice]   # who

campaigns:
# the first hello
- name: Welcome   # the one
  trigger: welcome_message
  action: send_message
  rules: {unsend_delay_sec: 100,   end_at: "2026-09-01T20:00", end_at_timezone: Europe/Berlin}
  audience: everyone
  messages:
    - {text: "Hey, it is {{first_name}}!"}   # hi
    # second
    - text: >-
        folded text
        here
    - text_file: long.md   # long
- name: "Other"
  trigger: welcome_message
  action: send_message
  audience_filters:
    - kind: purchased_from_organisation   # keep
      mode: include
    - { kind: new_kind, mode: exclude, options: { from_at: "2026-01-01T00:00:00Z" } }
  messages: [{ text: Other }]
`,
      'campaigns/long.md': 'Dear {{first_name}},\nlong\n',
    });
    const set = {
      status: 'paused',
      rules: { unsend_delay_sec: 200, end_at: '2026-09-01T19:00:00Z' },
      messages: [
        { text: 'Hello, it is Alice!!', price_gross: 3.5, text_is_paid: true },
        { text: 'new one\nwith lines' },
        { text: 'folded text here' },
        { text: 'Dear Alice,\nlonger' },
      ],
    };
    await editLive(scene, 'campaign', set, 'Welcome');
    const audience_filters = [
      { kind: 'purchased_from_organisation', mode: 'include' },
      { kind: 'new_kind', mode: 'exclude', options: { from_at: '2026-02-01T00:00:00Z' } },
    ];
    await editLive(scene, 'campaign', { audience_filters }, 'Other');
    const { ran, report } = await imported(scene, '--update');
    expect(ran.code).toBe(0);
    expect(report.updated.map(({ name }) => name)).toEqual(['Other', 'Welcome']);
    expect(fileOf(scene, FILE)).toBe(
      `# our house
accounts: [ alice ] # who

campaigns:
# the first hello
- name: Welcome # the one
  status: paused
  trigger: welcome_message
  action: send_message
  rules: { unsend_delay_sec: 200, end_at: 2026-09-01T21:00, end_at_timezone: Europe/Berlin }
  audience: everyone
  messages:
  - { text: 'Hello, it is {{first_name}}!!', text_is_paid: true, price_gross: 3.50 } # hi
  - text: |-
      new one
      with lines
  # second
  - text: >-
      folded text here
  - text: |-
      Dear {{first_name}},
      longer
- name: "Other"
  trigger: welcome_message
  action: send_message
  audience_filters:
  - kind: purchased_from_organisation # keep
    mode: include
  - { kind: new_kind, mode: exclude, options: { from_at: '2026-02-01T00:00:00Z' } }
  messages: [ { text: Other } ]
`,
    );
    await expectQuiet(scene);
  });

  it('keeps the line ends of a file, and shows what is invisible', async () => {
    const file = `accounts: [alice]\r\ncampaigns:\r\n  # one\r\n\r\n  - name: One\r\n    trigger: welcome_message\r\n    action: send_message\r\n    audience: everyone\r\n    messages:\r\n      - text: Hi\r\n`;
    const scene = await declared({ [FILE]: file });
    await editLive(scene, 'campaign', { messages: [{ text: 'left \u200e right' }] });
    await imported(scene, '--update');
    expect(fileOf(scene, FILE)).toBe(file.replace('text: Hi', String.raw`text: "left \u200e right"`));
    await expectQuiet(scene);
  });

  it('leaves files alone that say what is live, to the byte', async () => {
    const file = `accounts:   [alice]\ncampaigns:\n-   name:   One\n    trigger: welcome_message\n    action: send_message\n    audience: everyone\n    messages: [{text: 'Hi'}]\n`;
    const scene = await declared({ [FILE]: file });
    const { report } = await imported(scene, '--update');
    expect(report).toMatchObject({ files: [], updated: [], left_out: [] });
    expect(fileOf(scene, FILE)).toBe(file);
  });

  it('changes what several accounts share only where it is right for all of them', async () => {
    const shared = `accounts: [alice, bob]
campaigns:
  - { name: Both, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: "I am {{first_name}}" }] }
  - { name: One, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: Same }] }
`;
    const scene = await declared({ [FILE]: shared });
    await editLive(scene, 'campaign', { messages: [{ text: 'You know Alice' }] }, 'Both');
    await editLive(scene, 'campaign', { messages: [{ text: 'You know Bob' }] }, 'Both', '102');
    await editLive(scene, 'campaign', { messages: [{ text: 'Only here' }] }, 'One');
    const found = await imported(scene, '--update');
    const texts = [...fileOf(scene, FILE).matchAll(/text: (.*?) }/g)].map(([, text]) => text);
    expect(texts).toEqual(["'You know {{first_name}}'", 'Same']);
    expect(leftOut(found)).toEqual(['kept-as-written alice/campaign/One']);
    expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/One']);
  });

  it('takes over another action, with its messages away and back', async () => {
    const scene = await declared({ [FILE]: declaring('Hey') });
    await editLive(scene, 'campaign', { action: 'start_mimic', messages: [] });
    await imported(scene, '--update');
    expect(fileOf(scene, FILE)).not.toContain('Hey');
    await expectQuiet(scene);
    await editLive(scene, 'campaign', { action: 'send_message', messages: [{ text: 'Again' }] });
    await imported(scene, '--update');
    expect(fileOf(scene, FILE)).toContain('Again');
    await expectQuiet(scene);
  });

  it('keeps a range in days that only the file changed', async () => {
    const reaching = (days: number) =>
      declaring('Hey', {
        audience: undefined,
        audience_filters: [{ kind: 'subscribed_date', mode: 'include', options: { from_days: days } }],
      });
    const scene = await declared({ [FILE]: reaching(30) });
    scene.files.tree[FILE] = reaching(10);
    const found = await imported(scene, '--update');
    expect(leftOut(found)).toEqual(['kept-as-written alice/campaign/Welcome']);
    expect(found.report.left_out[0]?.reason).toContain('a change that is not applied yet');
    expect(fileOf(scene, FILE)).toBe(reaching(10));
  });

  it('forgets what was sent of an audience that someone has changed', async () => {
    const filters = (kind: string) => [{ kind, mode: 'include' as const, options: { from_days: 30 } }];
    const file = declaring('Hey', { audience: undefined, audience_filters: filters('subscribed_date') });
    const scene = await declared({ [FILE]: file });
    await editLive(scene, 'campaign', { audience_filters: filters('purchased_from_organisation') });
    const readHidden = async () => {
      const { objects } = await scene.readState((state) => state.known(['101']));
      return objects.map((row) => row.hidden_digest);
    };
    expect(await readHidden()).toEqual([expect.stringMatching(/^1:/)]);
    const { report } = await imported(scene, '--update');
    expect(report.updated).toMatchObject([{ name: 'Welcome' }]);
    expect(fileOf(scene, FILE)).toContain('purchased_from_organisation');
    expect(await readHidden()).toEqual(['']);
    await expectQuiet(scene);
  });

  it('keeps a text and a stop that the files have and that no one applied', async () => {
    const all = (text: string, more = {}) =>
      JSON.stringify({
        accounts: ['alice'],
        campaigns: [
          campaign({ messages: [{ text: 'Hey' }], ...more }),
          campaign({ name: 'Other', messages: [{ text }] }),
          campaign({ name: 'Third', messages: [{ text: 'Third' }] }),
        ],
      });
    const scene = await declared({ [FILE]: all('Price 10') });
    await editLive(scene, 'campaign', { status: 'paused' }, 'Third');
    scene.files.tree[FILE] = all('Price 20', { status: 'paused' });
    const run = await imported(scene, '--update');
    expect(run.report.updated).toMatchObject([{ name: 'Third', fields: ['status'] }]);
    expect(leftOut(run)).toEqual([
      'kept-as-written alice/campaign/Other',
      'kept-as-written alice/campaign/Welcome',
    ]);
    expect(fileOf(scene, FILE)).toContain('Price 20');
  });

  it('keeps messages as they are written that only moved', async () => {
    const write = (messages: readonly object[]) => declaring('', { messages });
    const [inFile, named] = [{ text_file: 'b.md' }, { text: 'I am {{first_name}}', delay_sec: 60 }];
    const texts = { 'campaigns/b.md': 'B {{first_name}}' };
    const scene = await declared({ [FILE]: write([{ text: 'A' }, inFile, named]), ...texts });
    await editLive(scene, 'campaign', {
      messages: [{ text: 'B Alice', delay_sec: 5 }, { text: 'C' }, { text: 'I am Alice', delay_sec: 60 }],
    });
    await imported(scene, '--update');
    const written: unknown = parse(fileOf(scene, FILE));
    expect(written).toMatchObject({
      campaigns: [{ messages: [{ ...inFile, delay_sec: 5 }, { text: 'C' }, named] }],
    });
    await expectQuiet(scene);
  });

  it.each(['paused', 'archived'])(
    'tells one %s that a person started again from one to be stopped',
    async (status) => {
      const scene = await declared({ [FILE]: declaring('Hey') });
      scene.files.tree[FILE] = declaring('Hey', { status });
      scene.state.remove();
      expect(leftOut(await imported(scene, '--update'))).toEqual(['kept-as-written alice/campaign/Welcome']);
      expect((await scene.herald('apply', '--yes', '--allow', 'adopt')).code).toBe(0);
      await editLive(scene, 'campaign', { status: 'active' });
      expect((await imported(scene, '--update')).report.updated).toMatchObject([{ fields: ['status'] }]);
      await expectQuiet(scene);
    },
  );

  it('lists what was archived', async () => {
    const file = declaring('Hey');
    const scene = await declared({ [FILE]: file });
    await editLive(scene, 'campaign', { status: 'archived' });
    expect(leftOut(await imported(scene, '--update'))).toEqual(['archived alice/campaign/Welcome']);
    expect(fileOf(scene, FILE)).toBe(file);
  });

  it('goes on after an import that died behind its first file', async () => {
    const scene = anEmptyScene();
    await scene.service((control) => {
      for (const on of ['101', '102']) control.seedCampaign(on, { name: 'Own', messages: [{ text: on }] });
    });
    const { files } = scene;
    const write = files.writeAtomically;
    const died = new Promise<void>((resolve) => {
      files.writeAtomically = async (path, text) => {
        await write(path, text);
        if (!path.startsWith('campaigns/')) return;
        running.kill();
        resolve();
      };
    });
    const running = scene.startAs({}, 'import');
    await Promise.race([running.ran, died]);
    files.writeAtomically = write;
    const { ran, report } = await imported(scene, '--update');
    expect(ran.code, ran.stdout).toBe(0);
    expect(report.left_out).toEqual([]);
    const { code, plan } = await planned(scene, '--detailed-exitcode');
    expect({ code, kept: plan.summary.keep }).toEqual({ code: 0, kept: 2 });
  });

  it('adds what is new to the files that an earlier import wrote', async () => {
    const scene = await aHandBuiltScene({ name: 'One' });
    await imported(scene);
    await scene.service((control) => {
      control.seedCampaign('101', { name: 'Two' });
      control.seedBroadcast('101', { name: 'Three' });
    });
    const path = 'campaigns/imported/alice.yaml';
    const before = fileOf(scene, path);
    const { report } = await imported(scene, '--update');
    expect(report.files).toEqual([{ path, action: 'updated', resources: 2 }]);
    expect(fileOf(scene, path).startsWith(before)).toBe(true);
    const { objects } = await scene.readState((state) => state.known(['101']));
    expect(objects.map(({ name, ours }) => `${name} ${ours}`).toSorted()).toEqual([
      'One 1',
      'Three 1',
      'Two 1',
    ]);
    await expectQuiet(scene);
  });
});

const PATHS = ['campaigns/a.yaml', 'campaigns/b.yaml'] as const;

it('import --update does not write over what a person wrote into a file while it was frozen', async () => {
  const scene = await declared({
    'campaigns/a.yaml': declaring('I am A', { name: 'A' }),
    'campaigns/b.yaml': declaring('I am B', { name: 'B' }),
  });
  for (const name of ['A', 'B'])
    await editLive(scene, 'campaign', { messages: [{ text: `Edited ${name}` }] }, name);
  let isOver = false;
  scene.files.onWrite = (path) => {
    const other = PATHS.find((one) => one !== path);
    if (!isOver && path.startsWith('campaigns/') && other !== undefined) {
      isOver = true;
      scene.clock.move(4 * 3_600_000);
      scene.files.tree[other] = `# An hour of work\n${fileOf(scene, other)}`;
    }
  };
  const ran = await scene.herald('import', '--update');
  expect([isOver, ran.code], ran.stderr).toEqual([true, 5]);
  expect(ran.stderr).toContain('campaigns/b.yaml changed while Herald was at work');
  expect(fileOf(scene, 'campaigns/b.yaml')).toContain('# An hour of work');
  const again = await scene.herald('import', '--update');
  expect(again.code, again.stderr).toBe(0);
  expect(PATHS.map((path) => fileOf(scene, path).includes('Edited'))).toEqual([true, true]);
});

const lostPause = {
  kind: 'late_commit',
  operation: 'campaigns.set-status',
  after_sec: 60,
  how: 'reset',
} as const;

it.each([
  ['a pause without an answer', declaring('Hey', { status: 'paused' }), 'repeat 1', ['paused']],
  ['a replace after its pause', declaring('New'), 'begin 2', ['paused', 'active']],
])(
  'import --update next to an apply that died keeps the file of a change under way: %s',
  async (_title, after, last, ends) => {
    const scene = await declared({ [FILE]: declaring('Hey') });
    scene.files.tree[FILE] = after;
    if (last.startsWith('repeat')) await scene.fault({ ...lostPause, nth: 1 });
    const begun: Record<string, number> = {};
    await dieBefore(scene, (what) => `${what} ${(begun[what] = (begun[what] ?? 0) + 1)}` === last);
    const found = await imported(scene, '--update');
    expect(found.report).toMatchObject({ files: [], updated: [], left_out: [{ code: 'kept-as-written' }] });
    expect(found.report.left_out[0]?.reason).toContain('herald apply --target ');
    expect(fileOf(scene, FILE)).toBe(after);
    scene.clock.move(70_000);
    await scene.herald('apply', '--yes');
    expect(await statuses(scene, 'campaign')).toEqual(ends);
  },
);
