import { describe, expect, it } from 'vitest';
import { applyReportShape, errorReportShape } from '../../src/domain/change.ts';
import { itemShape } from '../../src/cli/schemas.ts';
import type { CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, errorOf, statuses, writesSent, expectEnd, standing } from '../helpers/flows.ts';
import { APPLY, PAUSE } from './live-scene.ts';
import { inState, recorded } from './recorded.ts';
import { begun, CREATE } from '../helpers/state-requests.ts';
import { aScene, type Ran, type Scene, WORKSPACE } from '../helpers/scene.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { writeFiles } from '../helpers/folders.ts';

/** A scene with one campaign 77 on alice that people made. */
const withCampaign = madeOnce(async (seed: CampaignSeed = {}) => {
  const scene = aScene();
  await scene.service((control) => control.seedCampaign('101', { id: '77', name: 'Welcome', ...seed }));
  return scene;
});

const ALICE = ['--account', 'alice'] as const;

/** Runs `herald campaigns pause 77 …` for alice with `--yes`. */
function byHand(scene: Scene, ...words: string[]): Promise<Ran> {
  return scene.herald(...words, ...ALICE, '--yes');
}

/** Answers every question with yes and keeps what was asked. */
function agreeing(scene: Scene): string[] {
  const questions: string[] = [];
  scene.answer = (question) => questions.push(question) > 0;
  return questions;
}

it('A stop while an apply waits at its question stays, and the apply does the rest', async () => {
  const scene = await standing(declaring({ campaigns: [campaign()] }));
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign(), campaign({ name: 'Later' })] }));
  scene.answer = async () => {
    const stop = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
    return stop.code === 0;
  };
  expectEnd(await scene.herald('apply'), 5);
  expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
});

describe('what is typed', () => {
  it('as an id that cannot be read is recorded under its name, so that no apply starts another version', async () => {
    const { scene, simulator } = altered(undefined, { files: declaring({ campaigns: [campaign()] }) });
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    const [id = ''] = Object.keys(simulator.world.accounts['101']?.campaigns ?? {});
    simulator.control.addFault({ kind: 'throttle', operation: 'campaigns.get', nth: 1, times: 9 });
    const ran = await scene.herald('campaigns', 'pause', id, ...ALICE, '--yes');
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('campaign "Welcome"')]);
  });

  it('as an address stops everything of the name that runs, and nothing else', async () => {
    const scene = aScene();
    await scene.service((control) => {
      control.seedCampaign('101', { id: '1', name: 'Welcome', status: 'archived' });
      for (const id of ['2', '3']) control.seedCampaign('101', { id, name: 'Welcome' });
      control.seedCampaign('101', { id: '4', name: 'shop/Welcome' });
    });
    expectEnd(await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes'), 0);
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'paused', 'paused', 'active']);
    const shop = await scene.herald('campaigns', 'pause', 'alice/campaign/shop/Welcome', '--yes');
    expect(shop.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'until the service archives it: herald campaigns activate 4 --account alice',
    );
    const got = await scene.herald('campaigns', 'get', 'alice/campaign/shop/Welcome', '--format', 'json');
    expect(documentOf(got, itemShape).item['status']).toBe('paused');
  });

  it('as a pattern over a group is one question with all that stops', async () => {
    const scene = aScene();
    scene.files.tree['herald.yaml'] += 'groups: { vip: [alice, bob] }\n';
    await scene.service((control) => {
      for (const account of ['101', '102'])
        for (const name of ['Welcome', 'Thanks']) control.seedCampaign(account, { name });
      control.seedCampaign('102', { name: 'Over', status: 'archived' });
    });
    const questions = agreeing(scene);
    const ran = await scene.herald('campaigns', 'pause', 'vip/campaign/*');
    expect(ran.code, ran.stderr).toBe(0);
    expect(questions).toEqual(['Pause 4 campaigns at simulator .herald/world.json? Type y or n:']);
    expect(ran.stderr).toMatch(/"Thanks" on 2 accounts: alice, bob/);
    expect(await statuses(scene, 'campaign', '102')).toEqual(['paused', 'paused', 'archived']);
  });

  it.each([
    ['campaigns pause', '--all', ['1', '2', '3']],
    ['campaigns pause', 'alice/**', ['1', '2']],
    ['campaigns archive', 'team/**', ['1', '2', '3']],
    ['campaigns recall', '*/**', ['1', '2', '3']],
    ['broadcasts pause', 'alice/**', ['4']],
    ['campaigns unsend', '*/**', ['1', '2', '3']],
    ['broadcasts recall', 'alice/**', ['4']],
  ])('with %s %s stops all of its kind that the accounts have, each once', async (command, pattern, ids) => {
    const scene = aScene();
    scene.files.tree['herald.yaml'] += 'groups: { team: [alice, bob] }\n';
    await scene.service((control) => {
      control.seedCampaign('101', { id: '1', name: 'Welcome' });
      control.seedCampaign('101', { id: '2', name: 'shop/Thanks' });
      control.seedCampaign('102', { id: '3', name: 'Welcome' });
      control.seedBroadcast('101', { id: '4', name: 'News' });
    });
    const ran = await scene.herald(...command.split(' '), pattern, '--yes', '--format', 'json');
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    const { outcomes } = documentOf(ran, applyReportShape);
    expect(outcomes.map(({ live_id: id }) => id)).toEqual(ids);
  });

  it('as several names stops what is found, which does not become ours, and names what does not exist', async () => {
    const scene = await withCampaign();
    const names = ['alice/campaign/Welcome', '77', 'alice/campaign/Typo'];
    const ran = await byHand(scene, 'campaigns', 'pause', ...names);
    expect(ran.code, ran.stderr).toBe(4);
    expect(ran.stdout + ran.stderr).toContain('Typo');
    expect(await writesSent(scene)).toEqual(['PATCH campaigns.set-status']);
    expect(await scene.readState((state) => state.known(['101']))).toMatchObject({ objects: [{ ours: 0 }] });
  });

  it.each([
    [['broadcasts', 'pause', 'alice/campaign/Welcome'], 'alice/campaign/Welcome is a campaign'],
    [['campaigns', 'pause', 'alice/campaign/Welcome', '--account', 'bob'], 'The address is on alice'],
    [['campaigns', 'pause', 'Welcome'], '"Welcome" is not the id or the address of a campaign.'],
    [['campaigns', 'pause', 'stranger/campaign/Welcome'], 'No account, group or id is "stranger"'],
    [['campaigns', 'pause', '77'], 'Use --account with one of: alice, bob.'],
    [
      ['campaigns', 'archive', 'alice/campaign/Welcom'],
      'Did you mean "Welcome"? To see what there is: herald campaigns list',
    ],
    [['campaigns', 'activate', '78', ...ALICE], 'campaign 78 on account alice does not exist.'],
  ])('is refused before anything is sent: %s', async (words, message) => {
    const scene = await withCampaign();
    const ran = await scene.herald(...words, '--yes');
    expect(ran.code).toBe(1);
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(message);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('names the id as the way out where the list cannot be read, and the other accounts are stopped', async () => {
    const { scene, simulator } = altered(async (request, answer) =>
      request.method === 'GET' && request.url.includes('/101/')
        ? new Response('{}', { status: 500 })
        : answer(),
    );
    for (const account of ['101', '102']) simulator.control.seedCampaign(account, { name: 'Welcome' });
    const alone = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
    const wayOut = 'Use the id, which needs no list: herald campaigns pause ID --account alice';
    expectEnd(alone, 1, wayOut);
    const read = await scene.herald('campaigns', 'get', 'alice/campaign/Welcome', '--format', 'json');
    expect(errorOf(read)).toMatchObject({ code: 'incomplete-list', hint: wayOut.replace('pause', 'get') });
    const both = await scene.herald('campaigns', 'pause', '*/campaign/Welcome', '--yes');
    expect(both.code, both.stderr).toBe(4);
    expect(both.stdout).toMatch(/applied\s+pause campaign "Welcome" \(\d+\) on bob/);
    expect(both.stdout).toContain('pause campaign "Welcome" on alice');
    expect(both.stdout).toContain(wayOut);
  });
});

describe('before anything is sent, a person agrees', () => {
  it('or, without a terminal, --yes was given; the answer shows what it would do', async () => {
    const scene = await withCampaign();
    const ran = await scene.herald('campaigns', 'archive', '77', ...ALICE);
    expectEnd(ran, 1, 'It stops permanently, and its queue is cleared.');
    expect(ran.stderr).toContain('add --yes');
    const json = await scene.herald('campaigns', 'pause', '77', ...ALICE, '--format', 'json');
    expect(documentOf(json, errorReportShape).code).toBe('needs-yes');
    scene.answer = () => false;
    const no = await scene.herald('campaigns', 'pause', '77', ...ALICE, '--format', 'json');
    expect(documentOf(no, errorReportShape)).toMatchObject({
      code: 'declined',
      message: 'Nothing was changed.',
    });
    expect(await writesSent(scene)).toEqual([]);
  });

  const CAMPAIGN = 'campaign "Welcome" (77) on account alice at simulator .herald/world.json?';
  it.each([
    [
      'pause',
      'active',
      `Pause ${CAMPAIGN} It stops reacting to its trigger immediately, and keeps its queue. It is not on record as created by Herald. Type y or n:`,
    ],
    [
      'archive',
      'active',
      `Archive ${CAMPAIGN} It stops permanently, and its queue is cleared. An archived campaign cannot be recalled. To recall what it delivered, do this before: herald campaigns recall 77 --account alice. It is not on record as created by Herald. Type yes to archive it:`,
    ],
    [
      'recall',
      'active',
      `Recall ${CAMPAIGN} It stops permanently. Only its messages of the last 24 hours are recalled. It is not on record as created by Herald. Type yes to recall it:`,
    ],
    [
      'activate',
      'paused',
      `Activate ${CAMPAIGN} It reacts to its trigger immediately, and messages that are still queued may go out, too. No file declares it. It is not on record as created by Herald. Type yes to activate it:`,
    ],
  ])('to a question that names it: %s', async (verb, status, question) => {
    const scene = await withCampaign({ status });
    const questions = agreeing(scene);
    expect((await scene.herald('campaigns', verb, '77', ...ALICE)).code).toBe(0);
    expect(questions).toEqual([question]);
  });
});

it.each(['pause', 'activate'])('names the account by its alias where its id was typed: %s', async (verb) => {
  const scene = await withCampaign({ status: 'paused' });
  const ran = await scene.herald('campaigns', verb, '77', '--account', '101', '--yes', '--format', 'json');
  expect(ran.code, ran.stderr).toBe(0);
  expect(await scene.requests()).toMatchObject([{ account: 'alice', live_id: '77' }]);
});

it('a stop finds the account of an alias in the state where the list of accounts cannot be read', async () => {
  const files = {
    ...declaring({ campaigns: [campaign()] }),
    'herald.yaml': WORKSPACE.replace('id: "101"', 'username: alice_x'),
  };
  const scene = await standing(files);
  const how = { how: '500', when: 'before_commit', times: 99 } as const;
  await scene.fault({ kind: 'broken_answer', operation: 'accounts.list', ...how });
  const ran = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
  expectEnd(ran, 0, 'Using account 101 for alice');
});

it.each([
  ['can be opened', null],
  ['answers', () => 'frozen' as const],
])('a stop is sent within ten seconds without a state that %s, and says so', async (_, onRecord) => {
  const scene = await withCampaign();
  const damage = { '.herald/state.db': 'a file of another program, not a state' };
  if (onRecord === null) writeFiles(scene.state.directory, damage);
  const beganMs = scene.clock.monotonicMs();
  const words = ['campaigns', 'pause', '77', ...ALICE, '--yes'];
  const ran = await scene.startAs({ onRecord: onRecord ?? undefined }, ...words).ran;
  expect(ran.code, ran.stderr).toBe(4);
  expect(ran.stdout).toMatch(
    /the state does not have that.*To put it on record when the state can be written: herald campaigns pause 77 --account alice/s,
  );
  expect(await statuses(scene, 'campaign')).toEqual(['paused']);
  expect(scene.clock.monotonicMs() - beganMs).toBeLessThan(10_000);
});

it.each([
  ['broadcasts resume', 'broadcast', { status: 'paused', scheduled_at: '2026-06-01T12:00:00Z' }, 5, 'held'],
  ['campaigns activate', 'campaign', { status: 'recalling' }, 1, 'cannot'],
] as const)(
  '%s that is not possible now says why, and sends nothing',
  async (command, kind, set, code, error) => {
    const scene = aScene();
    await scene.service((control) =>
      control.seed({ account_id: '101', kind, set: { id: '77', name: 'Welcome', ...set } }),
    );
    const ran = await byHand(scene, ...command.split(' '), '77', '--format', 'json');
    expect([ran.code, documentOf(ran, errorReportShape)], ran.stdout).toMatchObject([code, { code: error }]);
    expect(await writesSent(scene)).toEqual([]);
  },
);

it('a start is not sent if what a person agreed to has changed meanwhile', async () => {
  const { scene, simulator } = altered();
  const { control } = simulator;
  control.seedCampaign('101', { id: '77', name: 'Welcome', status: 'paused' });
  scene.answer = () => {
    control.edit({ account_id: '101', kind: 'campaign', id: '77', set: { status: 'recalling' } });
    return true;
  };
  const ran = await scene.herald('campaigns', 'activate', '77', ...ALICE);
  expectEnd(ran, 5, 'It changed while Herald waited for your answer. Nothing was sent.');
  expect(simulator.world.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('a stop waits for a start of its name that may still take effect, although nothing is live yet', async () => {
  const scene = aScene();
  await recorded(scene);
  const ran = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
  expect(ran.stderr).toMatch(/^1 request was not confirmed. Waiting up to 75 s/);
  expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining('Its start did not take effect')]);
});

it('a stop of a campaign says how many sends are queued, and what becomes of them', async () => {
  const scene = await withCampaign();
  const set = { targeted_sends_count: 5, first_message_stats: { sent_messages_count: 2 } };
  await scene.fault({ kind: 'odd_reply', operation: 'campaigns.get', whole: true, set });
  const ran = await byHand(scene, 'campaigns', 'archive', '77');
  expect(ran.stderr).toContain(
    '77: about 3 sends are still queued (5 targeted, 2 sent). The queue is cleared.',
  );
});

it('a start by address with --again sends it once more, and does not say that it must be sent again', async () => {
  const scene = await withCampaign();
  const ran = await byHand(scene, 'campaigns', 'activate', '77', '--again');
  expect([ran.code, ran.stdout]).toEqual([0, expect.not.stringContaining('needed again')]);
  expect(await writesSent(scene)).toEqual(['PATCH campaigns.set-status']);
});

describe('a campaign that was recalled', () => {
  const recalled = () => withCampaign({ status: 'recalled' });

  it('is not meant by --all and patterns, which leave its status as it is', async () => {
    const scene = await recalled();
    expectEnd(await scene.herald('campaigns', 'pause', '--all', ...ALICE, '--yes'), 1);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('is paused by its address, without a promise that it can start again', async () => {
    const ran = await byHand(await recalled(), 'campaigns', 'pause', '77');
    expect(ran.stderr).toContain('It was recalled, so it sends nothing. Only its status changes.');
    expect(ran.stderr).not.toContain('campaigns activate');
  });

  it('is left alone by a recall of its name, which takes back the rest, and refuses one of itself, which is done', async () => {
    const scene = await recalled();
    await scene.service((control) => control.seedCampaign('101', { id: '78', name: 'Welcome' }));
    const recall = (what: string) => scene.herald('campaigns', 'recall', what, ...ALICE, '--yes');
    expectEnd(await recall('alice/campaign/Welcome'), 0, '"Welcome" (78)');
    for (const what of ['alice/campaign/Welcome', '77'])
      expect((await recall(what)).stdout).toMatch(/unchanged recall .*It is recalled already\./);
    expect(await writesSent(scene)).toEqual(Array(4).fill('POST campaigns.unsend'));
  });

  it('is not called recalled already where the service answers that it was asked too often', async () => {
    const scene = await recalled();
    await scene.fault({ kind: 'throttle', operation: 'campaigns.unsend' });
    const ran = await scene.herald('campaigns', 'recall', '77', ...ALICE, '--yes');
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringMatching(/FAILED recall [^]*429/)]);
  });

  it('and archived meanwhile, as a read shows that lags, is recalled all the same', async () => {
    const scene = await withCampaign({ status: 'archived' });
    const recall = () => scene.herald('campaigns', 'recall', '77', ...ALICE, '--yes');
    expect((await recall()).stdout).toMatch(/FAILED recall [^]*Pause it first, which starts nothing\./);
    await scene.fault({ kind: 'lag', lag_sec: 9, reads: true, operation: 'campaigns.set-status' });
    await scene.herald('campaigns', 'activate', '77', ...ALICE, '--yes');
    expectEnd(await recall(), 0);
  });

  it.each([
    ['with Herald', PAUSE, 0],
    ['on the service, after an apply has seen the recall', APPLY, 5],
  ])('stays recalled when a person pauses it %s', async (_, words, exit) => {
    const scene = await standing(declaring({ campaigns: [campaign()] }));
    const set = (status: string) =>
      scene.service((control) =>
        control.edit({ account_id: '101', kind: 'campaign', name: 'Welcome', set: { status } }),
      );
    await set('recalled');
    expectEnd(await scene.herald(...words), exit);
    await set('paused');
    expectEnd(await scene.herald(...APPLY, '--allow', 'resume'), 5, 'was recalled');
  });
});

it('the same words under another name are not sent while the first ones go out: a pause takes nothing back', async () => {
  const scene = aScene();
  for (const name of ['Flash', 'Second'])
    scene.files.tree[`${name}.yaml`] =
      `accounts: [alice]\nbroadcasts: [{ name: ${name}, audience: everyone, messages: [{ text: Tonight }] }]\n`;
  const send = (name: string) =>
    scene.herald('broadcasts', 'send', `${name}.yaml#${name}`, '--allow', 'now', '--yes');
  expect((await send('Flash')).code).toBe(0);
  const second = await send('Second');
  expectEnd(second, 5, 'It goes out now, and fans keep what they have.');
  expect(second.stderr).not.toContain('broadcasts pause');
});

it('what a lost start made is stopped after its window, and the report names nothing that is open', async () => {
  const { scene, simulator } = altered(async (_request, answer) => {
    if (scene.clock.monotonicMs() > 60_000 && simulator.world.accounts['101']?.campaigns['99'] === undefined)
      simulator.control.seedCampaign('101', { id: '99', name: 'Welcome' });
    return answer();
  });
  await inState(scene, (state) => begun(state, CREATE), 'http://localhost:1');
  const ran = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
  expect([ran.code, ran.stdout]).toEqual([
    0,
    expect.stringContaining('applied pause campaign "Welcome" (99)'),
  ]);
  expect(ran.stdout).not.toContain('may still take effect');
  expect(simulator.world.accounts['101']?.campaigns['99']?.live.status).toBe('paused');
});
