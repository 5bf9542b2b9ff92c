import { describe, expect, it } from 'vitest';
import { parseLedger } from '../../src/ledger/parse.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, messages, outcomes, planned, statuses } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const OPERATION = 'campaigns.create';

/** Seconds between one attempt and the next. */
async function waits(scene: Scene): Promise<readonly number[]> {
  const { requests } = await scene.oracle();
  const times = requests
    .filter(({ operation }) => operation === OPERATION)
    .map(({ at }) => Date.parse(at) / 1000);
  return times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)));
}

async function ledgerOf(scene: Scene) {
  return parseLedger(await scene.files.readText(LEDGER_FILE)).lines;
}

describe('a create that is answered 429 without a word on when to come again', () => {
  it('waits longer each time, and gives up within three minutes', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ kind: 'throttle', operation: OPERATION });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create failed']);
    expect(messages(run)).toContain('answered 429');
    const waited = await waits(scene);
    expect(waited).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30]);
    expect(waited.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(180);
  });

  it('leaves one open entry at a time, none of them older than its request', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ kind: 'throttle', operation: OPERATION, nth: 1, times: 6 });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    expect(await waits(scene)).toEqual([1, 2, 4, 8, 16, 30]);
    const lines = (await ledgerOf(scene)).filter(({ type }) => type === 'intent' || type === 'outcome');
    expect(lines.map((line) => (line.type === 'outcome' ? line.outcome : line.type))).toEqual([
      'intent',
      // Two copies more while it was fresh, each on record before it left.
      'unknown',
      'unknown',
      'not_sent',
      'intent',
      'not_sent',
      'intent',
      'not_sent',
      'intent',
      'not_sent',
      'intent',
      'done',
    ]);
    const { requests } = await scene.oracle();
    const last = requests.findLast(({ operation }) => operation === OPERATION);
    const intent = lines.findLast((line) => line.type === 'intent');
    expect(Date.parse(last?.at ?? '') - Date.parse(intent?.at ?? '')).toBeLessThan(1000);
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });
});

describe('another operator who is faster while a create waits', () => {
  const created_by = { type: 'user', id: '9' };
  const theirs = (text: string) => ({
    name: 'Welcome',
    trigger: 'welcome_message',
    messages: [{ text }],
    created_by,
  });
  const asTheyStand = async (scene: Scene) =>
    (await liveOn(scene, '101', 'campaign')).map(({ text, status }) => `${text ?? ''} ${status ?? ''}`);

  it('has made it: nothing is created next to theirs', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ kind: 'throttle', operation: OPERATION, nth: 1, times: 6 });
    // The plan's list is the first, that before the creates the second, that after a wait the third.
    await scene.fault({
      kind: 'change_before',
      operation: 'campaigns.list',
      nth: 3,
      seed: { account_id: '101', kind: 'campaign', set: theirs('Hey') },
    });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create failed']);
    expect(messages(run)).toMatch(/Not created: \d+ appeared with this name while the create waited/);
    expect(run.code).toBe(1);
    expect((await scene.oracle()).commits, 'only theirs').toEqual([]);
  });

  describe('in the middle of a replace', () => {
    const oldAndNew = async () => {
      const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
      await scene.herald('apply', '--yes');
      Object.assign(
        scene.files.tree,
        declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] }),
      );
      return scene;
    };
    const theyCreateOnPause = (scene: Scene) =>
      scene.fault({
        kind: 'change_before',
        operation: 'campaigns.set-status',
        nth: 1,
        seed: { account_id: '101', kind: 'campaign', set: theirs('Hello') },
      });

    it('does not switch the old version on next to theirs when the service stays busy', async () => {
      const scene = await oldAndNew();
      await scene.fault({ kind: 'throttle', operation: OPERATION });
      await theyCreateOnPause(scene);
      const run = await applied(scene);
      expect(outcomes(run)).toEqual(['replace failed']);
      expect(messages(run)).toMatch(/The old version \d+ stays paused: \d+ appeared with this name/);
      expect(await asTheyStand(scene)).toEqual(['Hey paused', 'Hello active']);
    });

    it('does not switch it on either when no time is left to wait for the create', async () => {
      const scene = await oldAndNew();
      await scene.fault({ kind: 'throttle', operation: OPERATION, retry_after_sec: 200 });
      await theyCreateOnPause(scene);
      const run = await applied(scene);
      expect(run.code, 'the old one is paused').toBe(4);
      expect(await asTheyStand(scene)).toEqual(['Hey paused', 'Hello active']);
    });

    it('leaves it paused when no one can say what else is live, and finishes at the next apply', async () => {
      const scene = await oldAndNew();
      await scene.fault({ kind: 'throttle', operation: OPERATION, nth: 1, times: 1, retry_after_sec: 20 });
      await scene.fault({
        kind: 'broken_answer',
        when: 'before_commit',
        how: 'reset',
        operation: 'campaigns.list',
        nth: 3,
        times: 20,
      });
      const run = await applied(scene);
      expect(outcomes(run)).toEqual(['replace failed']);
      expect(messages(run)).toContain('stays paused: the list could not be read');
      expect(await asTheyStand(scene)).toEqual(['Hey paused']);
      await scene.service((control) => control.clearFaults());
      expect(outcomes(await applied(scene))).toEqual(['replace applied']);
      expect(await asTheyStand(scene)).toEqual(['Hey paused', 'Hello active']);
      expect(decisions(await planned(scene))).toEqual([]);
    });

    it('creates nothing next to an old version that someone switched on again', async () => {
      const scene = await oldAndNew();
      const [old] = await liveOn(scene, '101', 'campaign');
      await scene.fault({ kind: 'throttle', operation: OPERATION, nth: 1, times: 1, retry_after_sec: 20 });
      await scene.fault({
        kind: 'change_before',
        operation: 'campaigns.list',
        nth: 3,
        edit: { account_id: '101', kind: 'campaign', id: old?.id ?? '', set: { status: 'active' } },
      });
      const run = await applied(scene);
      expect(messages(run)).toMatch(/Not created: \d+ was paused and is active now/);
      expect(await asTheyStand(scene)).toEqual(['Hey active']);
    });
  });
});

describe('a replace of two versions that run, with a create that had to wait', () => {
  it('switches on none of the two next to one that a person has switched on meanwhile', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await applied(scene);
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'By a person' }] }),
    );
    const [first] = (await liveOn(scene, '101', 'campaign')).map(({ id }) => id);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'New' }] })] }));
    await scene.fault({ kind: 'throttle', operation: OPERATION, retry_after_sec: 20, nth: 1, times: 1 });
    const edit = { account_id: '101', kind: 'campaign', id: first ?? '', set: { status: 'active' } } as const;
    // The third list is the one that a create reads after its wait.
    await scene.fault({ kind: 'change_before', operation: 'campaigns.list', nth: 3, edit });
    const run = await applied(scene, '--allow', 'adopt');
    expect([run.code, outcomes(run)], messages(run)).toEqual([4, ['replace failed']]);
    expect(messages(run)).toContain('was activated during the run, and fans could get both');
    expect((await statuses(scene, 'campaign')).toSorted()).toEqual(['active', 'paused']);
  });

  it('switches both on again if no one has changed anything, also where lists show their pauses late', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await applied(scene);
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'By a person' }] }),
    );
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'New' }] })] }));
    await scene.fault({ kind: 'status_lag', operation: 'campaigns.set-status', lag_sec: 4, times: 2 });
    await scene.fault({ kind: 'throttle', operation: OPERATION, retry_after_sec: 200 });
    const run = await applied(scene, '--allow', 'adopt');
    expect(outcomes(run), messages(run)).toEqual(['replace failed']);
    expect(await statuses(scene, 'campaign')).toEqual(['active', 'active']);
  });
});
