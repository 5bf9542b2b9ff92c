import { describe, expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { errorOf } from '../helpers/chats.ts';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, documentOf, liveOn, messages, outcomes, statuses } from '../helpers/flows.ts';
import { aScene, type Scene, WORKSPACE } from '../helpers/scene.ts';

const FLASH = { name: 'Flash sale', audience: 'everyone', messages: [{ text: 'Only today' }] };
const WHAT = 'drafts/today.yaml#Flash sale';

function drafting(
  more: object = {},
  files: Readonly<Record<string, string>> = {},
  accounts = ['alice'],
): Scene {
  const draft = JSON.stringify({ accounts, broadcasts: [{ ...FLASH, ...more }] });
  return aScene({ files: { 'drafts/today.yaml': draft, ...files } });
}

function send(scene: Scene, ...flags: string[]) {
  return scene.herald('broadcasts', 'send', WHAT, '--allow', 'now', '--yes', '--format', 'json', ...flags);
}

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
    for (const flags of [[], ['--allow', 'resume'], ['--allow', 'replace']]) {
      const again = await send(scene, ...flags);
      expect([again.code, errorOf(again).code]).toEqual([5, 'held']);
      expect(errorOf(again).message).toContain('Herald has sent it as');
    }
    scene.clock.move(3 * 86_400_000);
    expect((await send(scene)).code).toBe(5);
    expect(await createsSent(scene)).toBe(1);
  });

  it('sends nothing without the allowance, and says which command sends it', async () => {
    const scene = drafting({}, { 'herald.yaml': `${WORKSPACE}allow: [adopt, now]\n` });
    const ran = await scene.herald('broadcasts', 'send', WHAT, '--yes', '--format', 'json');
    expect([ran.code, errorOf(ran).hint]).toEqual([
      5,
      `To send it now: herald broadcasts send '${WHAT}' --allow now`,
    ]);
    expect(await createsSent(scene)).toBe(0);
  });

  it('asks first; a no, and a run without a terminal, send nothing', async () => {
    const scene = drafting();
    const without = await scene.herald('broadcasts', 'send', WHAT, '--allow', 'now');
    expect(without.stderr).toContain('add --yes');
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), false);
    expect((await scene.herald('broadcasts', 'send', WHAT, '--allow', 'now')).code).toBe(1);
    expect(questions).toEqual([
      expect.stringMatching(/^Send "Flash sale" NOW on alice at simulator .* Type 1 to send 1 broadcast:$/),
    ]);
    expect(await createsSent(scene)).toBe(0);
    scene.answer = () => true;
    expect((await scene.herald('broadcasts', 'send', WHAT, '--allow', 'now')).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });

  it.each(['banned_words: [today]', "quiet_hours: { from: '11:00', to: '13:00', timezone: UTC }"])(
    'is denied by the policy { %s }',
    async (policy) => {
      const scene = drafting({}, { 'herald.yaml': `${WORKSPACE}policy: { ${policy} }\n` });
      const ran = await send(scene);
      expect([ran.code, errorOf(ran).code]).toEqual([5, 'held-back']);
      expect(await createsSent(scene)).toBe(0);
    },
  );

  it('leaves everything else of the workspace alone, whatever herald.yaml allows', async () => {
    const scene = drafting(
      { name: 'Flash *' },
      { ...declaring({ broadcasts: [broadcast()] }), 'herald.yaml': `${WORKSPACE}allow: [prune, large]\n` },
    );
    await applied(scene);
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ name: 'Flash other' })] }));
    const ran = await scene.herald(
      'broadcasts',
      'send',
      'drafts/today.yaml#Flash *',
      '--allow',
      'now',
      '--yes',
      '--format',
      'json',
    );
    expect(ran.code, ran.stderr).toBe(0);
    const live = await liveOn(scene, '101', 'broadcast');
    expect(live.map(({ name }) => name)).toEqual(['Teaser', 'Flash *']);
    expect(live[0]?.status).toBe('scheduled');
  });

  it('goes to each account of the block, or to those of --account', async () => {
    const scene = drafting({}, {}, ['alice', 'bob']);
    expect((await send(scene, '--account', 'bob')).code).toBe(0);
    expect(await liveOn(scene, '101', 'broadcast')).toEqual([]);
    const rest = await reported(scene);
    expect(outcomes(rest)).toEqual(['create applied']);
    expect(await createsSent(scene)).toBe(2);
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
    const inFiles = await scene.herald(
      'broadcasts',
      'send',
      'live/now.yaml#Teaser',
      '--allow',
      'now',
      '--yes',
      '--format',
      'json',
    );
    expect(errorOf(inFiles).details).toMatchObject({
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'draft-in-files' })]),
    });
    for (const [what, code] of [
      ['drafts/today.yaml#Other', 'no-match'],
      ['drafts/today.yaml', 'bad-flag'],
      ['#Flash sale', 'bad-flag'],
    ] as const) {
      const ran = await scene.herald(
        'broadcasts',
        'send',
        what,
        '--allow',
        'now',
        '--yes',
        '--format',
        'json',
      );
      expect([what, ran.code, errorOf(ran).code]).toEqual([what, 1, code]);
    }
    expect(await createsSent(scene)).toBe(0);
    expect(await scene.requests()).toEqual([]);
  });
});

const HOUR = 3_600_000;
const teaser = declaring({ broadcasts: [broadcast()] });
const other = declaring({ broadcasts: [broadcast({ messages: [{ text: 'Not tomorrow' }] })] });

describe('a broadcast that has just left is not replaced', () => {
  const edited = async () => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    Object.assign(
      scene.files.tree,
      declaring({ broadcasts: [broadcast({ scheduled_at: '2026-06-01T16:00Z' })] }),
    );
    return scene;
  };

  it('when it left between the plan and the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      edit: {
        account_id: '101',
        kind: 'broadcast',
        name: 'Teaser',
        set: { status: 'sending', scheduled_at: null },
      },
    });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(messages(run)).toMatch(
      /had begun to go out before it was paused, so nothing new .* broadcasts resume \d+/,
    );
    expect(run.code, 'it was paused, so something was changed').toBe(4);
    expect(await createsSent(scene)).toBe(1);
  });

  it('and drift does not call it as declared, although nothing can be done', async () => {
    const scene = await edited();
    scene.clock.move(3 * HOUR - 60_000);
    Object.assign(scene.files.tree, other);
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(0);
    expect(drift.stdout).toContain('too-late');
    expect(drift.stdout).toMatch(/\nNo other drift: 0 resources match; 1 different and left as it is\.\n$/);
    scene.clock.move(HOUR);
    expect((await scene.herald('drift')).stdout).toBe(
      'Service: simulator .herald/world.json\n\nNo drift: 0 resources match; 1 done.\n',
    );
  });

  it('when it was already over by the time of the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      edit: {
        account_id: '101',
        kind: 'broadcast',
        name: 'Teaser',
        set: { status: null, scheduled_at: null },
      },
    });
    const run = await applied(scene);
    expect(run.code).toBe(1);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(await createsSent(scene)).toBe(1);
  });

  it('nor when it cannot be read after the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.get',
      when: 'after_commit',
      how: '502',
    });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.list',
      when: 'after_commit',
      how: '500',
      nth: 2,
      times: 1000,
    });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([4, ['replace failed']]);
    expect(messages(run)).toMatch(/cannot be read, .* Herald paused the old version \d+/);
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
  });

  it('yet an unreadable one is proved by its list entry', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.get',
      when: 'after_commit',
      how: '502',
    });
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
  });
});
