import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { World } from '../../src/simulator/world.ts';
import { byHand, reported, withCampaign } from '../helpers/by-hand.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  dieBefore,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { anIntent, textOf } from '../helpers/ledger-builders.ts';
import { meanwhileService } from '../helpers/meanwhile.ts';
import { aScene, LEDGER_FILE, type Ran, type Scene } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const NEW_TEXT = declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] });
const RECORDED = 'Herald recorded that you stopped it: an apply starts it again only with --allow resume.';

// The first use of the service takes long, and the tests below have bounds in real time.
beforeAll(async () => {
  await byHand(await withCampaign(), 'campaigns', 'pause', '77');
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

/** A scene in which an apply has created what the files declare. */
async function withApplied(files: Record<string, string>): Promise<Scene> {
  const scene = aScene({ files });
  await applied(scene);
  return scene;
}

/** Stops it by hand, and expects that no apply starts anything again by itself. */
async function expectStaysStopped(scene: Scene, kind: 'campaign' | 'broadcast', verb: string) {
  const name = kind === 'campaign' ? 'Welcome' : 'Teaser';
  const stop = await reported(scene, `${kind}s`, verb, `alice/${kind}/${name}`);
  expect([stop.code, outcomes(stop)], stop.stderr).toEqual([0, [`${verb} applied`]]);
  expect(messages(stop)).toContain(RECORDED);
  const before = await statuses(scene, kind);
  scene.clock.move(10 * 60_000);
  return async () => {
    expect(decisions(await planned(scene))).toEqual([`blocked alice/${kind}/${name}`]);
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual(before);
    await applied(scene, '--allow', 'resume');
    expect((await statuses(scene, kind)).at(-1)).toBe(kind === 'campaign' ? 'active' : 'scheduled');
  };
}

describe('a person stops what an apply has stopped already', () => {
  it.each([
    ['pause', 'paused', { status: 'paused' }],
    ['archive', 'archived', { status: 'archived' }],
  ])('campaigns %s as declared: it stays stopped when the file says active', async (verb, status, wish) => {
    const scene = await withApplied(declaring({ campaigns: [campaign()] }));
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign(wish)] }));
    await applied(scene);
    expect(await statuses(scene, 'campaign')).toEqual([status]);
    scene.clock.move(60_000);
    const staysStopped = await expectStaysStopped(scene, 'campaign', verb);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }));
    await staysStopped();
  });

  it('broadcasts pause as declared: it stays paused when the file says scheduled', async () => {
    const scene = await withApplied(declaring({ broadcasts: [broadcast()] }));
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ status: 'paused' })] }));
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
    const staysStopped = await expectStaysStopped(scene, 'broadcast', 'pause');
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast()] }));
    await staysStopped();
  });

  it.each(['"call":"create"', '"type":"outcome"'])(
    'the first half of a replace that was killed before it wrote %s: no new version is sent',
    async (words) => {
      const scene = await withApplied(declaring({ campaigns: [campaign()] }));
      Object.assign(scene.files.tree, NEW_TEXT);
      await dieBefore(scene, (line) => line.includes(words));
      expect(await statuses(scene, 'campaign')).toEqual(['paused']);
      scene.clock.move(10_000);
      await (
        await expectStaysStopped(scene, 'campaign', 'pause')
      )();
    },
  );

  it('sends one request, also where the pause of the apply got no answer', async () => {
    const scene = await withApplied(declaring({ campaigns: [campaign()] }));
    Object.assign(scene.files.tree, NEW_TEXT);
    await dieBefore(scene, (line) => line.includes('"type":"outcome"'));
    const before = (await writesSent(scene)).length;
    await byHand(scene, 'campaigns', 'pause', 'alice/campaign/Welcome');
    expect((await writesSent(scene)).slice(before)).toEqual(['PATCH campaigns.set-status']);
    expect((await scene.herald('ledger', 'check')).stdout).not.toContain('Unconfirmed');
  });

  it('does nothing the second time, because it is on record by then', async () => {
    const scene = await withApplied(declaring({ campaigns: [campaign()] }));
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    await applied(scene);
    await byHand(scene, 'campaigns', 'pause', 'alice/campaign/Welcome');
    const before = await writesSent(scene);
    const again = await reported(scene, 'campaigns', 'pause', 'alice/campaign/Welcome');
    expect([again.code, outcomes(again)]).toEqual([0, []]);
    expect(messages(again)).toContain('It is paused already.');
    expect(await writesSent(scene)).toEqual(before);
  });

  it('asks before it sends the request, and a no records nothing', async () => {
    const scene = await withApplied(declaring({ campaigns: [campaign()] }));
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    await applied(scene);
    const before = scene.files.tree[LEDGER_FILE];
    scene.answer = () => false;
    const ran = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome');
    expect([ran.code, scene.files.tree[LEDGER_FILE]]).toEqual([1, before]);
  });

  // BROADCAST-17
  it('leaves the time until which the service resumes a broadcast as it is', async () => {
    const files = (more: object = {}) =>
      declaring({ broadcasts: [broadcast({ scheduled_at: '2026-06-20T15:00Z', ...more })] });
    const scene = await withApplied(files());
    Object.assign(scene.files.tree, files({ status: 'paused' }));
    await applied(scene);
    scene.clock.move(50 * HOUR);
    await byHand(scene, 'broadcasts', 'pause', 'alice/broadcast/Teaser');
    scene.clock.move(50 * HOUR);
    const ran = await byHand(scene, 'broadcasts', 'resume', 'alice/broadcast/Teaser');
    expect(ran.stderr).toMatch(/The service resumes it until about Sat 6 Jun 2026 12:00 UTC/);
  });
});

// The pause of the apply has left; the archive by hand arrives first, then the pause, and its answer is lost.
describe.each([0, 300, 3_000])('an archive by hand %i ms after the pause of a replace left', (laterMs) => {
  async function archived(how: 'reset' | '502' | 'killed') {
    const service = meanwhileService();
    const { scene, simulator } = service;
    simulator.control.seedCampaign('101', { id: '77', name: 'Welcome', messages: [{ text: 'Hey' }] });
    Object.assign(scene.files.tree, NEW_TEXT);
    if (how !== 'killed')
      simulator.control.addFault({
        kind: 'broken_answer',
        operation: 'campaigns.set-status',
        how,
        when: 'after_commit',
        nth: 2,
      });
    const stops: Promise<Ran>[] = [];
    service.expect({ at: 'PATCH 77 paused', act: () => archiveAndLeave(scene, laterMs, stops) });
    return { ...service, stops };
  }

  it.each(['reset', '502'] as const)('(%s): the next apply needs --allow resume', async (how) => {
    const { scene, world, stops } = await archived(how);
    const apply = await applied(scene, '--allow', 'adopt');
    const stop = await stops[0];
    expect(stop?.stdout, stop?.stderr).toContain('1 applied');
    expect([apply.code, outcomes(apply)]).toEqual([3, ['replace unknown']]);
    expect(messages(apply)).toContain('To start it again: herald apply --allow resume');
    await expectBlocked(scene, () => statusesIn(world));
  });

  it('and the apply is killed before the answer: the next apply needs --allow resume', async () => {
    const { scene, world } = await archived('killed');
    const isEndOfPause = (line: string) => line.includes('"entry":"run1-1","outcome"');
    await dieBefore(scene, isEndOfPause, ['apply', '--yes', '--allow', 'adopt']);
    await expectBlocked(scene, () => statusesIn(world));
  });
});

// A ledger that was merged: neither run knew of the other one's stop.
describe('an unconfirmed pause by an apply of which no clock says whether it left before a stop by hand', () => {
  it('counts as the stop of the person, also once a later apply has repeated it', async () => {
    const scene = await withApplied(declaring({ campaigns: [campaign()] }));
    const [id = ''] = (await liveOn(scene, '101', 'campaign')).map((live) => live.id);
    // Two machines of which the clocks agree no better than that.
    const sent_at_ms = scene.clock.now() + 500;
    const stop = await reported(scene, 'campaigns', 'pause', id);
    expect(outcomes(stop)).toEqual(['pause applied']);
    const status = {
      call: 'status',
      live_id: id,
      target: 'paused',
      purpose: 'replace',
      content: null,
    } as const;
    const theirs = { ...status, entry: 'theirs-1', run: 'theirs', at: new Date(sent_at_ms).toISOString() };
    scene.files.tree[LEDGER_FILE] += textOf([anIntent({ ...theirs, sent_at_ms, skew_ms: 700 })]);
    scene.clock.move(10 * 60_000);
    for (const when of ['unconfirmed', 'repeated', 'repeated']) {
      expect(decisions(await planned(scene)), when).toEqual(['blocked alice/campaign/Welcome']);
      await applied(scene);
      expect(await statuses(scene, 'campaign'), when).toEqual(['paused']);
    }
    const lines = (scene.files.tree[LEDGER_FILE] ?? '').split('\n');
    const end = lines.findLast((line) => line.includes('"entry":"theirs-1","outcome"'));
    expect(end).toContain('"outcome":"done"');
    expect(end, 'no later reading has to compare clocks').toContain('"by_hand":true');
  });
});

/** Archives it, and presses Ctrl-C as soon as that is answered: the command does not watch the pause out. */
async function archiveAndLeave(scene: Scene, laterMs: number, stops: Promise<Ran>[]): Promise<void> {
  const isAnswered = () => {
    const lines = (scene.files.tree[LEDGER_FILE] ?? '').split('\n');
    const entry = /"entry":"([^"]+)"/.exec(lines.find((line) => line.includes('"by_hand"')) ?? '')?.[1];
    return entry !== undefined && lines.some((line) => line.includes(`"entry":"${entry}","outcome":"done"`));
  };
  scene.clock.move(laterMs);
  const stopping = scene.start('campaigns', 'archive', '77', '--account', 'alice', '--yes');
  stops.push(stopping.ran);
  for (let turn = 0; !isAnswered() && turn < 100_000; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  stopping.interrupt();
}

const statusesIn = (world: World) =>
  Object.values(world.accounts['101']?.campaigns ?? {}).map(({ live }) => live.status);

async function expectBlocked(scene: Scene, statusesNow: () => readonly unknown[]): Promise<void> {
  scene.clock.move(10 * 60_000);
  expect(statusesNow()).toEqual(['paused']);
  // The first apply closes what is unconfirmed. The second one goes by that.
  for (let round = 0; round < 2; round += 1) {
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/Welcome']);
    await applied(scene);
    expect(statusesNow()).toEqual(['paused']);
  }
}
