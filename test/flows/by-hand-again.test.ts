import { describe, expect, it } from 'vitest';
import { byHand, reported, withBroadcast, withCampaign } from '../helpers/by-hand.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, liveOn, outcomes, planned, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE } from '../helpers/scene.ts';

const HOUR = 3_600_000;

// CAMPAIGN-7
describe('a status that a campaign has already', () => {
  const SET = 'PATCH campaigns.set-status';

  it.each([
    ['activate', 'active'],
    ['pause', 'paused'],
    ['archive', 'archived'],
  ] as const)('%s: is asked for once more with --again, on record', async (verb, status) => {
    const scene = await withCampaign({ status });
    const so = await byHand(scene, 'campaigns', verb, '77');
    expect(so.stderr).toContain(`It is ${status} already.`);
    expect(so.stderr).toContain('add --again');
    expect(await writesSent(scene)).toEqual([]);
    const again = await reported(scene, 'campaigns', verb, '77', '--again');
    expect([again.code, outcomes(again)]).toEqual([0, [`${verb} applied`]]);
    expect(again.stderr).toContain('The service carries the change out again');
    expect(await writesSent(scene)).toEqual([SET]);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });

  it('completes an archive that someone else broke off, of which the ledger knows nothing', async () => {
    const scene = await withCampaign({ rules: { send_delay_interval: { min_sec: 3600 } } });
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    await scene.fault({ kind: 'partial_commit', operation: 'campaigns.set-status', nth: 1, times: 1000 });
    expect((await byHand(scene, 'campaigns', 'archive', '77')).code).toBe(3);
    await scene.service((control) => control.clearFaults());
    delete scene.files.tree[LEDGER_FILE];
    expect(await statuses(scene, 'campaign')).toEqual(['archived']);
    expect((await byHand(scene, 'campaigns', 'archive', '77', '--again')).code).toBe(0);
    scene.clock.move(24 * HOUR);
    expect((await scene.oracle()).dispatches).toEqual([]);
  });

  it('asks first, and a no sends nothing', async () => {
    const scene = await withCampaign({ status: 'archived' });
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), false);
    const ran = await scene.herald('campaigns', 'archive', '77', '--account', 'alice', '--again');
    expect([ran.code, questions.length]).toEqual([1, 1]);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('a run that repeats an open change of its own says so', async () => {
    const scene = await withCampaign();
    await scene.fault({ kind: 'partial_commit', operation: 'campaigns.set-status', nth: 1, times: 1000 });
    expect((await byHand(scene, 'campaigns', 'archive', '77')).code).toBe(3);
    await scene.service((control) => control.clearFaults());
    const again = await byHand(scene, 'campaigns', 'archive', '77');
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain('It was sent once more, and the service confirmed it.');
  });
});

describe('windows that close, by hand', () => {
  // BROADCAST-17
  it('a resume shows until when the service accepts it, by the pause on record', async () => {
    const scene = aScene({
      files: declaring({ broadcasts: [broadcast({ scheduled_at: '2026-06-20T15:00Z' })] }),
    });
    await applied(scene);
    const id = (await liveOn(scene, '101', 'broadcast'))[0]?.id ?? '';
    await byHand(scene, 'broadcasts', 'pause', id);
    scene.clock.move(100 * HOUR);
    const ran = await byHand(scene, 'broadcasts', 'resume', id);
    expect(ran.stderr).toMatch(/The service resumes it until about Sat 6 Jun 2026 12:00 UTC/);
  });

  // BROADCAST-20
  it('a recall shows until when, by the pause on record', async () => {
    const scene = await withBroadcast({ status: 'sending', scheduled_at: null });
    await byHand(scene, 'broadcasts', 'pause', '55');
    scene.clock.move(20 * HOUR);
    const ran = await byHand(scene, 'broadcasts', 'recall', '55');
    expect(ran.stderr).toMatch(/The service recalls it until about Tue 2 Jun 2026 12:00 UTC/);
  });

  it('shows the earliest end where the time of the last change is not on record', async () => {
    const scene = await withBroadcast({ status: 'paused', created_at: '2026-05-31T10:00:00Z' });
    const recall = await scene.herald('broadcasts', 'recall', '55', '--account', 'alice');
    expect(recall.stderr).toContain(
      'The time of its last status change is not known. It was created at Sun 31 May 2026 10:00 UTC, so the service recalls it until Mon 1 Jun 2026 10:00 UTC or later.',
    );
    const resume = await scene.herald('broadcasts', 'resume', '55', '--account', 'alice');
    expect(resume.stderr).toContain('so the service resumes it until Fri 5 Jun 2026 10:00 UTC or later.');
  });
});

describe('windows that close, in a plan', () => {
  const files = declaring({ campaigns: [campaign()] });
  const paused = declaring({ campaigns: [campaign({ status: 'paused' })] });

  it.each(['plan', 'drift'])(
    '%s warns a day before the service archives a paused campaign',
    async (command) => {
      const scene = aScene({ files });
      await applied(scene);
      Object.assign(scene.files.tree, paused);
      await applied(scene);
      scene.clock.move(5 * 24 * HOUR);
      expect((await scene.herald(command)).stdout).not.toContain('archives it about');
      scene.clock.move(1.5 * 24 * HOUR);
      const ran = await scene.herald(command);
      expect(ran.code).toBe(0);
      expect(ran.stdout + ran.stderr).toContain('The service archives it about Mon 8 Jun 2026 12:00 UTC');
      const { plan } = await planned(scene);
      expect(plan.diagnostics).toMatchObject([
        { code: 'window-closes', at: expect.stringMatching(/^2026-06-08T12:00:\d\dZ$/) },
      ]);
    },
  );

  it('warns as early as herald.yaml says', async () => {
    const scene = aScene({ files });
    await applied(scene);
    Object.assign(scene.files.tree, paused);
    await applied(scene);
    const early = (scene.files.tree['herald.yaml'] ?? '').replace(
      '.json }',
      '.json, warn_before_hours: 72 }',
    );
    Object.assign(scene.files.tree, { 'herald.yaml': early });
    scene.clock.move(5 * 24 * HOUR);
    expect((await planned(scene)).plan.diagnostics.map(({ code }) => code)).toEqual(['window-closes']);
  });
});
