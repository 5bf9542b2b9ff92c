import { describe, expect, it } from 'vitest';
import { applyReportShape, errorReportShape } from '../../src/domain/change.ts';
import { byHand, reported, withBroadcast, withCampaign } from '../helpers/by-hand.ts';
import { documentOf, messages, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const ALICE = ['--account', 'alice'] as const;

/** Answers every question with yes and keeps what was asked. */
function agreeing(scene: Scene, before: () => void | Promise<void> = () => undefined): string[] {
  const questions: string[] = [];
  scene.answer = async (question) => {
    questions.push(question);
    await before();
    return true;
  };
  return questions;
}

describe('before anything is sent, a person agrees', () => {
  it('or, without a terminal, --yes was given; and the question shows what it would do', async () => {
    const scene = await withCampaign();
    const ran = await scene.herald('campaigns', 'archive', '77', ...ALICE);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('It stops permanently, and its queue is cleared.');
    expect(ran.stderr).toContain('add --yes');
    expect(await writesSent(scene)).toEqual([]);
  });

  it('and a script reads one document, with the code of the refusal', async () => {
    const scene = await withCampaign();
    const ran = await scene.herald('campaigns', 'pause', '77', ...ALICE, '--format', 'json');
    expect(documentOf(ran, errorReportShape).code).toBe('needs-yes');
  });

  it.each([
    [
      'campaigns',
      'pause',
      '77',
      'Pause campaign "Welcome" (77) on account alice at simulator .herald/world.json? Type y or n:',
    ],
    [
      'campaigns',
      'archive',
      '77',
      'Archive campaign "Welcome" (77) on account alice at simulator .herald/world.json? It stops permanently, and its queue is cleared. Type yes to archive it:',
    ],
    [
      'campaigns',
      'recall',
      '77',
      'Recall campaign "Welcome" (77) on account alice at simulator .herald/world.json? Only messages of the last 24 hours are recalled. It cannot be undone. Type yes to recall it:',
    ],
  ])('to a question that names it: %s %s', async (of, verb, id, question) => {
    const scene = await withCampaign();
    const questions = agreeing(scene);
    expect((await scene.herald(of, verb, id, ...ALICE)).code).toBe(0);
    expect(questions).toEqual([question]);
  });

  it('to switching on, which reacts at once', async () => {
    const scene = await withCampaign({ status: 'paused' });
    const questions = agreeing(scene);
    await scene.herald('campaigns', 'activate', '77', ...ALICE);
    expect(questions).toEqual([
      'Activate campaign "Welcome" (77) on account alice at simulator .herald/world.json? It reacts to its trigger immediately. Type yes to activate it:',
    ]);
  });

  it.each([
    [
      { scheduled_at: '2026-06-01T15:00:00Z', targeted_recipients_count: 1 },
      'It goes out at 2026-06-01T15:00:00Z, to 1 fan.',
    ],
    [
      { scheduled_at: '2026-06-01T11:00:00Z', targeted_recipients_count: 1200 },
      'It goes out NOW, to 1200 fans.',
    ],
    [{ scheduled_at: null }, 'It goes out NOW, to a number of fans that the service has not counted yet.'],
  ])('to when a resumed broadcast goes out, and to how many: %j', async (seed, words) => {
    const scene = await withBroadcast({ status: 'paused', ...seed });
    const questions = agreeing(scene);
    expect((await scene.herald('broadcasts', 'resume', '55', ...ALICE)).code).toBe(0);
    expect(questions).toEqual([
      `Resume broadcast "Teaser" (55) on account alice at simulator .herald/world.json? ${words} Type yes to resume it:`,
    ]);
  });

  it('to stopping half-way, with how far it is', async () => {
    const scene = await withBroadcast({ status: 'sending', scheduled_at: null });
    const questions = agreeing(scene);
    const ran = await scene.herald('broadcasts', 'pause', '55', ...ALICE);
    expect(questions).toEqual([
      'Pause broadcast "Teaser" (55) on account alice at simulator .herald/world.json? It is stopped half-way. Type y or n:',
    ]);
    expect(ran.stderr).toContain('It is going out right now');
    expect(ran.stdout).toMatch(/55 had begun to go out before it\s+was paused \(20 % done\)/);
  });

  it('and a no changes nothing', async () => {
    const scene = await withCampaign();
    scene.answer = () => false;
    const ran = await scene.herald('campaigns', 'pause', '77', ...ALICE);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Nothing was changed.');
    expect(await writesSent(scene)).toEqual([]);
  });

  it('and is not asked where it is so already', async () => {
    const scene = await withCampaign({ status: 'paused' });
    scene.answer = () => {
      throw new Error('asked');
    };
    expect((await scene.herald('campaigns', 'pause', '77', ...ALICE)).code).toBe(0);
  });
});

describe('a broadcast paused more than five days ago', () => {
  it('is known by the ledger: the question names the coming refusal', async () => {
    const scene = await withBroadcast({ scheduled_at: '2026-06-20T12:00:00Z' });
    await byHand(scene, 'broadcasts', 'pause', '55');
    scene.clock.move(6 * 86_400_000);
    const run = await reported(scene, 'broadcasts', 'resume', '55');
    expect(run.stderr).toContain('paused more than 5 days ago');
    expect(outcomes(run)).toEqual(['resume failed']);
    expect(run.code).toBe(1);
  });
});

describe('what changes while a person reads', () => {
  // BROADCAST-18
  it('its hour passes: a resume that would go out at once was not agreed to', async () => {
    const scene = await withBroadcast({ status: 'paused', scheduled_at: '2026-06-01T13:00:00Z' });
    agreeing(scene, () => scene.clock.move(3_600_000));
    const ran = await scene.herald('broadcasts', 'resume', '55', ...ALICE);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(
      'It changed while Herald waited for your answer. Nothing was sent. It goes out NOW',
    );
    expect(await writesSent(scene)).toEqual([]);
  });

  it('someone recalls it: nothing is sent', async () => {
    const scene = await withCampaign({ status: 'paused' });
    const edit = { account_id: '101', kind: 'campaign', id: '77', set: { status: 'recalled' } } as const;
    await scene.fault({ kind: 'change_before', operation: 'campaigns.list', nth: 2, edit });
    agreeing(scene);
    const ran = await scene.herald('campaigns', 'activate', '77', ...ALICE);
    expect(ran.code).toBe(5);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('a broadcast begins to go out: it is paused all the same', async () => {
    const scene = await withBroadcast({ scheduled_at: '2026-06-01T13:00:00Z' });
    scene.clock.move(3_600_000 - 1_000);
    agreeing(scene, () => scene.clock.move(2_000));
    expect((await scene.herald('broadcasts', 'pause', '55', ...ALICE)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
  });

  it('LOST-6 FAULT-7 the hour passes while the service holds the resume back: it is not sent any more', async () => {
    const scene = await withBroadcast({ status: 'paused', scheduled_at: '2026-06-01T13:00:00Z' });
    scene.clock.move(3_600_000 - 5_000);
    const operation = 'broadcasts.set-status';
    await scene.fault({ kind: 'throttle', operation, retry_after_sec: 10, nth: 1, times: 1 });
    const run = await reported(scene, 'broadcasts', 'resume', '55');
    expect(run.code).toBe(1);
    expect(outcomes(run)).toEqual(['resume failed']);
    expect(messages(run)).toContain('its time 2026-06-01T13:00:00Z has passed');
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
    expect(outcomes(await reported(scene, 'broadcasts', 'resume', '55'))).toEqual(['resume applied']);
  });
});

describe('an interrupt', () => {
  it('before the request left: nothing is sent', async () => {
    const scene = await withCampaign();
    const run = scene.start('campaigns', 'pause', '77', ...ALICE, '--yes', '--format', 'json');
    run.interrupt();
    const ran = await run.ran;
    expect(documentOf(ran, applyReportShape).summary.not_attempted).toBe(1);
    expect(ran.code).toBe(130);
    expect(await writesSent(scene)).toEqual([]);
  });
});

describe('who made it', () => {
  it('has to be said where the workspace has several accounts', async () => {
    const scene = await withCampaign();
    const ran = await scene.herald('campaigns', 'pause', '77', '--yes');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Use --account with one of: alice, bob.');
  });

  it('is the same by its id: the ledger and the files know it by its alias', async () => {
    const scene = await withCampaign();
    const ran = await scene.herald(
      'campaigns',
      'pause',
      '77',
      '--account',
      '101',
      '--yes',
      '--format',
      'json',
    );
    expect(documentOf(ran, applyReportShape).outcomes[0]?.address).toEqual({
      account: 'alice',
      kind: 'campaign',
      name: 'Welcome',
    });
  });

  it('decides: the same id on another account is another object', async () => {
    const scene = await withCampaign();
    expect((await scene.herald('campaigns', 'pause', '77', '--account', 'bob', '--yes')).code).toBe(1);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('and one without a name can be stopped by its id as well', async () => {
    const scene = await withCampaign({ name: null });
    const run = await reported(scene, 'campaigns', 'pause', '77');
    expect(outcomes(run)).toEqual(['pause applied']);
    expect(run.stderr).toContain('Herald did not create it.');
  });
});

describe('another run in the workspace', () => {
  it('is waited out: the lock is the one of apply', async () => {
    const scene = await withCampaign();
    let second: Awaited<ReturnType<Scene['herald']>> | undefined;
    scene.answer = async () => {
      second = await byHand(scene, 'campaigns', 'unsend', '77');
      return true;
    };
    expect((await scene.herald('campaigns', 'pause', '77', ...ALICE)).code).toBe(0);
    expect(second?.code).toBe(1);
    expect(second?.stderr).toContain('Another herald run is active');
    expect(await writesSent(scene)).toEqual(['PATCH campaigns.set-status']);
  });

  it('needs a workspace', async () => {
    const scene = aScene();
    delete scene.files.tree['herald.yaml'];
    const ran = await byHand(scene, 'campaigns', 'pause', '77');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('herald init');
  });
});
