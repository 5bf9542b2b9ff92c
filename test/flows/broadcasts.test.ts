import { describe, expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { altered } from '../helpers/altered.ts';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  dieBefore,
  documentOf,
  errorOf,
  liveOn,
  messages,
  outcomes,
  expectEnd,
} from '../helpers/flows.ts';
import { aScene, type Scene, WORKSPACE } from '../helpers/scene.ts';
import { NOON } from '../helpers/flow-clock.ts';
import { live } from './live-scene.ts';

const FLASH = { name: 'Flash sale', audience: 'everyone', messages: [{ text: 'Only today' }] };
const WHAT = 'drafts/today.yaml#Flash sale';
const ASK = ['broadcasts', 'send', WHAT, '--allow', 'now'];
const SEND = [...ASK, '--yes'];

function drafting(
  more: object = {},
  files: Readonly<Record<string, string>> = {},
  accounts = ['alice'],
): Scene {
  const draft = JSON.stringify({ accounts, broadcasts: [{ ...FLASH, ...more }] });
  return aScene({ files: { 'drafts/today.yaml': draft, ...files } });
}

function sendDraft(scene: Scene, what: string, ...flags: string[]) {
  return scene.herald('broadcasts', 'send', what, '--allow', 'now', '--yes', '--format', 'json', ...flags);
}
const send = (scene: Scene, ...flags: string[]) => sendDraft(scene, WHAT, ...flags);

async function reported(scene: Scene, ...flags: string[]) {
  const ran = await send(scene, ...flags);
  return { code: ran.code, stderr: ran.stderr, report: documentOf(ran, applyReportShape) };
}

// BROADCAST-3
describe('herald broadcasts send', () => {
  it('sends one broadcast at once, with its request in the state', async () => {
    const scene = drafting();
    const run = await reported(scene);
    expect([run.code, outcomes(run)], run.stderr).toEqual([0, ['create applied']]);
    expect(run.stderr).toContain('it goes out NOW');
    const { requests } = await scene.oracle();
    const [create] = requests.filter(({ operation }) => operation === 'broadcasts.create');
    expect(JSON.stringify(create)).not.toContain('scheduled_at');
    expect(await liveOn(scene, '101', 'broadcast')).toMatchObject([
      { name: 'Flash sale', text: 'Only today' },
    ]);
    expect((await scene.herald('history')).stdout).toContain('Flash sale');
    expect((await scene.herald('state', 'check')).code).toBe(0);
  });

  it('never sends it twice: the name is used', async () => {
    const scene = drafting();
    await send(scene);
    for (const flags of [[], ['--allow', 'replace']]) {
      const again = await send(scene, ...flags);
      expect([again.code, errorOf(again).code]).toEqual([5, 'held']);
      expect(errorOf(again).message).toContain('Herald has sent it as');
    }
    scene.clock.move(3 * 86_400_000);
    expect((await send(scene)).code).toBe(5);
    expect(await createsSent(scene)).toBe(1);
  });

  it('adopts what a run has sent that died before it had the answer on record', async () => {
    const scene = drafting();
    await dieBefore(scene, (what) => what === 'end', SEND);
    expect([await createsSent(scene), scene.clock.now() - NOON < 10_000]).toEqual([1, true]);
    expectEnd(await scene.herald(...SEND), 0, 'took effect');
    expect(await createsSent(scene)).toBe(1);
  });

  it('sends nothing without the allowance, and says which command sends it to the same accounts', async () => {
    const tree = { 'herald.yaml': `${WORKSPACE}allow: [adopt, now]\n` };
    const scene = drafting({}, tree, ['alice', 'bob']);
    const flags = ['--account', 'alice', '--yes', '--format', 'json'];
    const ran = await scene.herald('broadcasts', 'send', WHAT, ...flags);
    expect([ran.code, errorOf(ran).hint]).toEqual([
      5,
      `To send it now: herald broadcasts send '${WHAT}' --account alice --allow now`,
    ]);
    expect(await createsSent(scene)).toBe(0);
  });

  it('asks first; a no, and a run without a terminal, send nothing', async () => {
    const scene = drafting();
    const without = await scene.herald(...ASK);
    expect(without.stderr).toContain('add --yes');
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), false);
    expect((await scene.herald(...ASK)).code).toBe(1);
    expect(questions).toEqual([
      expect.stringMatching(/^Send "Flash sale" NOW on alice at simulator .* Type 1 to send 1 broadcast:$/),
    ]);
    expect(await createsSent(scene)).toBe(0);
    scene.answer = () => true;
    expect((await scene.herald(...ASK)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });

  it.each([0, 8])('is denied by a policy, also if the clock of the machine is ahead: %d h', async (hours) => {
    const policy = "policy: { quiet_hours: { from: '11:00', to: '13:00', timezone: UTC } }";
    const { tree } = drafting({}, { 'herald.yaml': `${WORKSPACE}${policy}\n` }).files;
    const { scene } = altered(undefined, { files: tree });
    const clock = { ...scene.clock, now: () => scene.clock.now() + hours * 3_600_000 };
    const ran = await scene.startAs({ clock }, ...SEND, '--format', 'json').ran;
    expect([ran.code, errorOf(ran).code]).toEqual([5, 'held-back']);
    expect(await createsSent(scene)).toBe(0);
  });

  it('leaves everything else of the workspace alone, whatever herald.yaml allows', async () => {
    const scene = drafting(
      { name: 'Flash *' },
      { ...declaring({ broadcasts: [broadcast()] }), 'herald.yaml': `${WORKSPACE}allow: [prune, large]\n` },
    );
    await applied(scene);
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ name: 'Flash other' })] }));
    const ran = await sendDraft(scene, 'drafts/today.yaml#Flash *');
    expect(ran.code, ran.stderr).toBe(0);
    const live = await liveOn(scene, '101', 'broadcast');
    expect(live.map(({ name }) => name)).toEqual(['Teaser', 'Flash *']);
    expect(live[0]?.status).toBe('scheduled');
  });

  it.each([
    ['a schedule', { scheduled_at: '2026-06-02T15:00Z' }, 'schedule-not-allowed'],
    ['a status', { status: 'paused' }, 'schedule-not-allowed'],
    ['no audience', { audience: undefined }, 'audience-missing'],
  ])('refuses a block with %s, with its place', async (_, more, code) => {
    const ran = await send(drafting(more));
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'invalid-files']);
    expect(errorOf(ran).details).toMatchObject({
      diagnostics: expect.arrayContaining([expect.objectContaining({ code, file: 'drafts/today.yaml' })]),
    });
  });

  it('refuses a file that apply reads, and a name that the file does not have', async () => {
    const scene = drafting(
      {},
      { 'live/now.yaml': JSON.stringify({ accounts: ['alice'], broadcasts: [broadcast()] }) },
    );
    const inFiles = await sendDraft(scene, 'live/now.yaml#Teaser');
    expect(errorOf(inFiles).details).toMatchObject({
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'draft-in-files' })]),
    });
    for (const [what, code] of [
      ['drafts/today.yaml#Other', 'no-match'],
      ['drafts/today.yaml', 'bad-flag'],
      ['#Flash sale', 'bad-flag'],
    ] as const) {
      const ran = await sendDraft(scene, what);
      expect([what, ran.code, errorOf(ran).code]).toEqual([what, 1, code]);
    }
    expect(await createsSent(scene)).toBe(0);
    expect(await scene.requests()).toEqual([]);
  });
});

// BROADCAST-6, LIMIT-3
it('creates that wait in a queue are looked at again: no schedule comes too near meanwhile', async () => {
  const broadcasts = Array.from({ length: 10 }, (_, index) =>
    broadcast({ name: `B${index}`, scheduled_at: '2026-06-01T13:00Z', messages: [{ text: `T${index}` }] }),
  );
  const scene = aScene({ files: declaring({ broadcasts }, ['alice', 'bob']) });
  // Five minutes and eight seconds before the hour: at one create a second, eight make it.
  scene.clock.move(55 * 60_000 - 8_000);
  const run = await applied(scene);
  expect(run.code).toBe(4);
  const { commits } = await scene.oracle();
  const leads = commits.map(({ at }) => Date.UTC(2026, 5, 1, 13) - Date.parse(at));
  expect(Math.min(...leads)).toBeGreaterThanOrEqual(5 * 60_000 - 1_000);
  expect(commits.length).toBeGreaterThan(5);
  expect(commits.length).toBeLessThan(12);
  expect(run.report.summary).toMatchObject({ applied: commits.length, failed: 20 - commits.length });
  expect(messages(run)).toContain('the service sends a past schedule at once');
});

it('a broadcast is not paused for a replace that comes too late to be created', async () => {
  const two = (text: string) =>
    declaring({
      broadcasts: [
        broadcast({ name: 'A', scheduled_at: '2026-06-03T15:00Z', messages: [{ text: `${text} a` }] }),
        broadcast({ name: 'B', messages: [{ text: `${text} b` }] }),
      ],
    });
  const { scene, simulator, on, apply, versions } = await live(two('old'));
  on.create = async (answer) => {
    delete on.create;
    await scene.clock.sleep(60_000);
    return answer();
  };
  // Eleven minutes before the second one goes out, and the first one takes most of them.
  scene.clock.move(Date.UTC(2026, 5, 1, 14, 49) - scene.clock.now());
  for (const operation of ['broadcasts.set-status', 'broadcasts.create'] as const)
    simulator.control.addFault({ kind: 'throttle', operation, retry_after_sec: 170, nth: 1 });
  await apply(two('new'));
  expect(versions()).toEqual(['old a paused', 'old b scheduled', 'new a scheduled']);
});

it('no broadcast is created by a list that is older than 30 s, however long its create waits for its turn', async () => {
  const ids = Array.from({ length: 45 }, (_, index) => String(500 + index));
  const accounts = Object.fromEntries(ids.map((id) => [`a${id}`, { id }]));
  const files = declaring({ broadcasts: [broadcast()] }, Object.keys(accounts));
  const { scene, simulator } = altered(undefined, {
    files: {
      'herald.yaml': WORKSPACE.replace(
        /^accounts:.*?^(?=files)/ms,
        `accounts: ${JSON.stringify(accounts)}\n`,
      ),
      ...files,
    },
  });
  for (const id of ids) simulator.control.addAccount({ id });
  expect((await scene.herald('apply', '--yes')).code).toBe(0);
  const listed = new Map<string, number>();
  const ages = simulator.world.requests.flatMap(({ path, method, at }) => {
    const id = /accounts\/(\d+)\/priority/.exec(path)?.[1] ?? '';
    if (method === 'GET' && path.includes('?')) listed.set(id, Date.parse(at));
    return method === 'POST' ? [Date.parse(at) - (listed.get(id) ?? 0)] : [];
  });
  expect(ages).toHaveLength(45);
  expect(Math.max(...ages)).toBeLessThanOrEqual(30_000);
});
