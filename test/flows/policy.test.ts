import { describe, expect, it } from 'vitest';
import { policyTestShape } from '../../src/cli/schemas.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import { queued, SEND, sent } from './chats.ts';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import { documentOf, planned, writesSent, errorOf, expectEnd } from '../helpers/flows.ts';
import { flowClock, NOON } from '../helpers/flow-clock.ts';
import { aScene, type Scene, WORKSPACE } from '../helpers/scene.ts';
import { altered } from '../helpers/altered.ts';

const FILES = `accounts: [alice]
campaigns:
  - name: Welcome
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages:
      - text: Nearly free, {{first_name}}
        price_gross: 2.50
        text_is_paid: true
      - text_file: dear.md
        price_gross: 99
        text_is_paid: true
  - name: Stopped
    status: paused
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages: [{ text: free }]
broadcasts:
  - name: Early
    scheduled_at: "2026-06-02T16:00Z"
    audience: everyone
    messages: [{ text: One }]
  - name: Late
    scheduled_at: "2026-06-02T21:00Z"
    audience: everyone
    messages: [{ text: Two }]
`;

function withPolicy(policy: string): Scene {
  const herald = `${WORKSPACE}policy: ${policy}\n`;
  return aScene({ files: { 'herald.yaml': herald, 'live/all.yaml': FILES, 'live/dear.md': 'So dear' } });
}

describe('a banned pattern, in the file of a text', () => {
  const at = (level: string) => withPolicy(`{ banned_words: { words: [/dear$/], level: ${level} } }`);
  const code = 'policy-banned-word';
  const where = `live/all.yaml:11:20: ${code}: `;

  it('that denies holds back everything before any write, with file, line and column', async () => {
    const scene = at('deny');
    const ran = await scene.herald('apply', '--yes', '--format', 'json');
    expect([ran.code, documentOf(ran, errorReportShape).code]).toEqual([5, 'held-back']);
    expect(ran.stderr).toContain(`error: ${where}`);
    expect(await writesSent(scene)).toEqual([]);
    const { code: exit, plan } = await planned(scene);
    expect([exit, plan.diagnostics.map((one) => `${one.severity} ${one.code}`)]).toEqual([
      5,
      [`error ${code}`],
    ]);
  });

  it('is named once with the plan, and once as the error', async () => {
    const { stderr } = await at('deny').herald('apply', '--yes');
    const found = 'messages[1] matches /dear$/, which policy.banned_words forbids.';
    expect(stderr).toBe(
      'Service: simulator .herald/world.json\n\nRefused: 1 error. Nothing will be changed.\n\n' +
        `error: ${where}${found}\n\nNot applied: 3 to create; 1 unchanged.\n` +
        `error: Refused: alice/campaign/Welcome: ${found} Nothing was changed.\n`,
    );
  });

  it('that warns says so and goes on', async () => {
    const scene = at('warn');
    expectEnd(await scene.herald('apply', '--yes'), 0, `warning: ${where}`);
    expect(await writesSent(scene)).toHaveLength(3);
    const test = await scene.herald('policy', 'test', '-v');
    expect([test.code, test.stdout, test.stderr]).toEqual([0, expect.stringContaining(where), '']);
    const report = documentOf(await scene.herald('policy', 'test', '--format', 'json'), policyTestShape);
    expect(report.findings.map((one) => one.code)).toEqual([code]);
    expect(report.rules.filter(({ fires }) => (fires ?? 0) > 0)).toMatchObject([{ level: 'warn', fires: 1 }]);
  });
});

describe('policy test', () => {
  it('shows every rule with its setting', async () => {
    const scene = withPolicy(
      '{ max_price_gross: 100, banned_words: { words: [gold, /t\\.me/i], level: warn }, quiet_hours: { from: "23:00", to: "07:00", timezone: Europe/Lisbon }, max_broadcasts_per_day: 2, required: [send_delay_interval] }',
    );
    const ran = await scene.herald('policy', 'test');
    expect(ran.stdout).toBe(`\
RULE                    LEVEL  FIRES    SETTING
max_changes             deny   by plan  20
max_price_gross         deny   0        100
min_price_gross                         not set
banned_words            warn   0        gold, /t\\.me/i
quiet_hours             deny   0        23:00 to 07:00 in Europe/Lisbon, 1 h after each message
max_broadcasts_per_day  deny   0        2 in Europe/Lisbon
required                deny   1        send_delay_interval
missed                                  not set

live/all.yaml:3:5: policy-required: it has no rules.send_delay_interval: policy.required asks for send_delay_interval.
1 error

Checked: 3 resources. 1 not checked: paused, archived, recalled, or already sent.
`);
    expect(ran.code).toBe(5);
  });

  it('says when nothing fires, and when the files do not hold', async () => {
    const quiet = await withPolicy('{}').herald('policy', 'test');
    expect([quiet.code, quiet.stdout.split('\n').at(-2)]).toEqual([
      0,
      'No rule is broken: 3 resources. 1 not checked: paused, archived, recalled, or already sent.',
    ]);
    const broken = await withPolicy('{ max_price_gross: much }').herald('policy', 'test', '--format', 'json');
    expect([broken.code, documentOf(broken, errorReportShape).code]).toEqual([1, 'invalid-files']);
  });
});

it.each([
  ['campaigns activate', 'campaigns pause', 'alice/campaign/Welcome', '{ banned_words: [nearly free] }'],
  [
    'broadcasts resume',
    'broadcasts pause',
    'alice/broadcast/Early',
    "{ quiet_hours: { from: '15:00', to: '17:00', timezone: UTC } }",
  ],
])('a policy holds back %s, too', async (start, stop, address, policy) => {
  const scene = withPolicy('{}');
  expect((await scene.herald('apply', '--yes')).code).toBe(0);
  expect((await scene.herald(...stop.split(' '), address, '--yes')).code).toBe(0);
  const begin = () => scene.herald(...start.split(' '), address, '--yes');
  scene.files.tree['herald.yaml'] = `${WORKSPACE}policy: ${policy}\n`;
  const held = await begin();
  expect([held.code, held.stderr]).toEqual([5, expect.stringContaining('The policy denies it: messages[0]')]);
  scene.files.tree['herald.yaml'] = WORKSPACE;
  expect((await begin()).code).toBe(0);
});

const JSON_YES = ['--yes', '--format', 'json'] as const;

/** Noon in UTC is the time of a scene. */
const QUIET = "{ from: '11:00', to: '13:00', timezone: UTC }";

function withSendPolicy(policy: string): Scene {
  return aScene({ files: { 'herald.yaml': `${WORKSPACE}policy: { ${policy} }\n` } });
}

describe('the policy and herald chat send', () => {
  it('refuses what it denies, and sends nothing', async () => {
    const scene = withSendPolicy('min_price_gross: 3');
    const flags = ['--text', 'Hi', '--price', '2.99', '--locked', '--yes'];
    expectEnd(await scene.herald(...SEND, ...flags), 5, 'policy.min_price_gross');
    expect(await sent(scene, 'chat.send')).toBe(0);
  });

  it.each([
    [0, -8],
    [-8, 8],
  ])('keeps quiet hours by either clock: %i hours, and %i between them', async (service, machine) => {
    const hour = 3_600_000;
    const workspace = WORKSPACE.replace('id: "101"', 'username: alice_x');
    const files = { 'herald.yaml': `${workspace}policy: { quiet_hours: ${QUIET} }\n` };
    const { scene } = altered(undefined, { files, clock: flowClock(NOON + service * hour) });
    const clock = { ...scene.clock, now: () => scene.clock.now() + machine * hour };
    const ran = await scene.startAs({ clock }, ...SEND, '--text', 'Hi', ...JSON_YES).ran;
    expect([ran.code, errorOf(ran).code]).toEqual([5, 'policy-denied']);
  });

  it('sends what the policy only warns about, with the warning', async () => {
    const scene = withSendPolicy('banned_words: { words: [casino], level: warn }');
    const ran = await scene.herald(...SEND, '--text', 'casino', '--yes');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(
      'warning: policy-banned-word: the message says "casino", which policy.banned_words forbids.',
    );
    expect(await queued(scene)).toEqual(['casino']);
  });

  it('sends nothing where the process was frozen between the record and the request', async () => {
    const scene = withSendPolicy("quiet_hours: { from: '12:30', to: '18:00', timezone: UTC }");
    const onRecord = (what: string) => (what === 'begin' && scene.clock.move(3_600_000), 'done' as const);
    const ran = await scene.startAs({ onRecord }, ...SEND, '--text', 'Hi', '--yes').ran;
    expectEnd(ran, 1, 'checked and sent within 5 s');
    expect(await queued(scene)).toEqual([]);
  });
});

it('policy.missed: deny blocks a run in which something missed its time, with its name', async () => {
  const late = [1, 2, 3, 4, 5, 6].map((hour) =>
    broadcast({ name: `Late ${hour}`, scheduled_at: `2026-06-01T0${hour}:00Z` }),
  );
  const scene = aScene({ files: declaring({ broadcasts: late }) });
  scene.files.tree['herald.yaml'] += 'policy: { missed: deny }\n';
  const ran = await scene.herald('plan');
  expect([ran.code, ran.stdout], ran.stderr).toEqual([
    5,
    expect.stringMatching(
      /Missed, and policy\.missed is deny: alice\/broadcast\/Late 1, .* and 1 more\. Change/,
    ),
  ]);
  const offline = await scene.herald('policy', 'test');
  expect(offline.stdout).toMatch(/missed +deny +by plan +their time passed before they were created/);
  expect(offline.stdout).toContain('0 resources. 6 not checked');
});

it('max_broadcasts_per_day counts one that the files stop, where nothing permits that', async () => {
  const broadcasts = [broadcast(), broadcast({ name: 'Old', status: 'paused' })];
  const scene = aScene({ files: declaring({ broadcasts }) });
  scene.files.tree['herald.yaml'] += 'policy: { max_broadcasts_per_day: 1 }\n';
  const hour = { scheduled_at: '2026-06-01T16:00:00Z', messages: [{ text: 'By hand' }] };
  await scene.service((control) => control.seedBroadcast('101', { name: 'Old', ...hour }));
  expect((await scene.herald('plan')).stdout).toContain('alice has 2 broadcasts on 2026-06-01 in UTC');
  expect((await scene.herald('plan', '--allow', 'adopt')).stdout).not.toContain('2 broadcasts on');
});
