import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { standing } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';
import { NOON } from '../helpers/flow-clock.ts';

const CAMPAIGN = `campaigns:
  - name: Welcome
    accounts: [alice, bob]
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages:
      - text: "Hi {{first_name}}, it is me"
      - { text: "For you", price_gross: 9.99, delay_sec: 3600 }
broadcasts:
  - name: Sale
    accounts: [alice, bob]
    audience: everyone
    scheduled_at: "2026-06-03T18:00:00"
    scheduled_at_timezone: Europe/Berlin
    messages: [{ text: "Tonight" }]
`;

const FILES = {
  'herald.yaml': `${WORKSPACE}allow: [resume]
policy:
  quiet_hours: { from: '23:00', to: '07:00', timezone: Europe/Berlin, level: warn }
  banned_words: { words: [telegram], level: warn }
`,
  'live/all.yaml': CAMPAIGN,
};

async function plan(scene: Scene, ...args: string[]): Promise<Plan> {
  const { stdout } = await scene.herald(...args, '--format', 'json');
  return JSON.parse(stdout) as Plan;
}

describe('the JSON of a plan, for a person who reviews it', () => {
  it('says where, when, by whom and with which allowances it was made', async () => {
    const scene = aScene({ files: FILES });
    scene.env['CI_COMMIT_SHA'] = '8f3c2a1';
    scene.env['CI_COMMIT_TITLE'] = 'Warmer welcome';
    const document = await plan(scene, 'plan', '--allow', 'adopt');
    expect(document).toMatchObject({
      schema: 'herald/plan/1',
      workspace: 'ads',
      planned_at: new Date(NOON).toISOString().replace('.000', ''),
      who: 'tester',
      commit: { id: '8f3c2a1', subject: 'Warmer welcome' },
      allowed: [
        { name: 'adopt', from: 'flag' },
        { name: 'resume', from: 'herald.yaml' },
      ],
      accounts: ['alice', 'bob'],
      policy: {
        quiet_hours: { from: '23:00', to: '07:00', timezone: 'Europe/Berlin' },
        banned_words: ['telegram'],
      },
    });
  });

  it('has each declared text once, with the variables of each account next to it', async () => {
    const { changes, contents = [], variables } = await plan(aScene({ files: FILES }), 'plan');
    expect(contents.map(({ name, file, line }) => ({ name, file, line }))).toEqual([
      { name: 'Sale', file: 'live/all.yaml', line: 11 },
      { name: 'Welcome', file: 'live/all.yaml', line: 2 },
    ]);
    expect(contents[1]).toMatchObject({
      kind: 'campaign',
      trigger: 'welcome_message',
      audience_filters: [],
      messages: [
        { text: 'Hi {{first_name}}, it is me' },
        { text: 'For you', price_gross: 9.99, delay_sec: 3600 },
      ],
    });
    expect(variables).toEqual({ alice: { first_name: 'Alice' }, bob: { first_name: 'Bob' } });
    expect(
      changes.map(({ address, content }) => `${address.account} ${contents[content ?? -1]?.name}`),
    ).toEqual(['alice Sale', 'alice Welcome', 'bob Sale', 'bob Welcome']);
  });

  it('has the time of each broadcast, and a deadline for one that the plan is about', async () => {
    const scene = aScene({ files: FILES });
    const before = await plan(scene, 'plan');
    expect(before.contents?.[0]).toMatchObject({
      scheduled_at: '2026-06-03T16:00:00Z',
      timezone: 'Europe/Berlin',
    });
    expect(before.deadlines).toEqual([
      {
        at: '2026-06-03T16:00:00Z',
        what: 'sends',
        kind: 'broadcast',
        name: 'Sale',
        accounts: ['alice', 'bob'],
      },
    ]);
    await scene.herald('apply', '--yes');
    const after = await plan(scene, 'plan');
    expect(after.deadlines).toEqual([]);
    expect(after.changes.filter(({ address }) => address.kind === 'broadcast')).toMatchObject([
      { action: 'keep', scheduled_at: '2026-06-03T16:00:00Z' },
      { action: 'keep', scheduled_at: '2026-06-03T16:00:00Z' },
    ]);
    const sale = CAMPAIGN.replace('name: Sale\n', 'name: Sale\n    status: paused\n');
    await scene.files.writeAtomically('live/all.yaml', sale);
    const paused = await plan(scene, 'plan');
    expect([paused.summary.pause, paused.deadlines]).toEqual([2, []]);
  });

  it('keeps the variables of an account called constructor apart', async () => {
    const rename = (text: string) => text.replaceAll('alice', 'constructor');
    const files = Object.entries(FILES).map(([path, text]) => [path, rename(text)]);
    const { variables } = await plan(aScene({ files: Object.fromEntries(files) }), 'plan');
    expect(Object).not.toHaveProperty('first_name');
    expect(variables).toHaveProperty('constructor', { first_name: 'Alice' });
  });

  it('says until when a paused campaign can be activated, which only the state knows', async () => {
    const scene = await standing(FILES);
    await scene.files.writeAtomically(
      'live/all.yaml',
      CAMPAIGN.replace('name: Welcome\n', 'name: Welcome\n    status: paused\n'),
    );
    await scene.herald('apply', '--yes');
    const { deadlines = [] } = await plan(scene, 'drift');
    expect(deadlines).toEqual([
      {
        at: expect.stringMatching(/^2026-06-08T/),
        what: 'archived',
        kind: 'campaign',
        name: 'Welcome',
        accounts: ['alice', 'bob'],
      },
    ]);
  });
});

const BOTH = ['alice', 'bob'];

/** The same campaign on two accounts, live with one text and declared with another. */
const reworded = madeOnce(async () => {
  const saying = (words: string) =>
    declaring({ campaigns: [campaign({ messages: [{ text: words }] })] }, BOTH);
  const scene = await standing(saying('Hello there'));
  Object.assign(scene.files.tree, saying('Hello again'));
  return scene;
});

describe('a change of several accounts', () => {
  it('is one entry of plan, apply and drift, and of a comment', async () => {
    const scene = await reworded();
    expect((await scene.herald('plan')).stdout).toContain(
      '± replace campaign "Welcome" on 2 accounts: alice, bob',
    );
    expect((await scene.herald('drift')).stdout).toContain('"Welcome" on 2 accounts: alice, bob');
    expect((await scene.herald('plan', '--format', 'markdown')).stdout).toContain(
      'campaign <code>Welcome</code> on 2 accounts: <code>alice</code>, <code>bob</code>',
    );
    const ran = await scene.herald('apply', '--yes');
    expect(ran.stderr).toContain(
      '* 2 live at once: replace campaign "Welcome" on 2 accounts: alice, bob\n2 to replace.',
    );
    expect(ran.stderr).not.toContain('Hello again');
    expect(ran.stdout.match(/✓ applied replace/g)).toHaveLength(2);
  });

  it.each([
    ['plan', 'stdout', []],
    ['drift', 'stdout', []],
    ['plan', 'stdout', ['--format', 'markdown']],
    ['apply', 'stderr', ['--yes']],
  ] as const)('is listed by account by %s --expand', async (command, stream, flags) => {
    const ran = await (await reworded()).herald(command, '--expand', ...flags);
    expect(ran[stream]).not.toContain('2 accounts');
    for (const account of BOTH) expect(ran[stream]).toMatch(new RegExp(` on (<code>)?${account}`));
  });
});

it('the service is named by every plan, drift and change by hand, in every format', async () => {
  const scene = await reworded();
  const FIRST = 'Service: simulator .herald/world.json\n';
  expect((await scene.herald('plan')).stdout).toMatch(new RegExp(`^${FIRST}`));
  expect((await scene.herald('drift')).stdout).toMatch(new RegExp(`^${FIRST}`));
  expect((await scene.herald('apply')).stderr).toMatch(new RegExp(`^${FIRST}`));
  expect((await scene.herald('plan', '--format', 'markdown')).stdout).toContain(`\n${FIRST}`);
  const service = { origin: 'simulator:.herald/world.json', source: 'herald.yaml', simulator: true };
  expect((await plan(scene, 'drift')).service).toEqual(service);
  const stop = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome');
  expect(stop.stderr).toContain(FIRST);
});
