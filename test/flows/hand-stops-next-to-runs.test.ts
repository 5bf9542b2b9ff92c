import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { byHand, withCampaign } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  dieBefore,
  dieWithLateCreate,
  liveOn,
  messages,
  outcomes,
  statuses,
} from '../helpers/flows.ts';
import { aScene, type Ran, type Scene } from '../helpers/scene.ts';

// The first use of the service takes long, and the tests below have bounds in real time.
beforeAll(async () => {
  await byHand(await withCampaign(), 'campaigns', 'pause', '77');
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

const NEW = campaign({ messages: [{ text: 'Hello' }] });

/** An applied campaign, and files that replace it. Gives the id of the old version. */
async function aboutToReplace(by: object = NEW): Promise<{ scene: Scene; id: string }> {
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
  await applied(scene);
  const [old] = await liveOn(scene, '101', 'campaign');
  Object.assign(scene.files.tree, declaring({ campaigns: [{ ...by }] }));
  return { scene, id: old?.id ?? '' };
}

describe('a stop by hand after an apply that was killed with its create on the way', () => {
  it.each(['pause', 'archive', 'recall'])('%s: waits for the create, and stops it as well', async (verb) => {
    const { scene, id } = await aboutToReplace();
    await dieWithLateCreate(scene);
    const stop = await byHand(scene, 'campaigns', verb, id);
    expect([stop.code, stop.stdout], stop.stderr).toEqual([0, expect.stringContaining('2 applied')]);
    expect(await statuses(scene, 'campaign')).not.toContain('active');
  });

  it('stops at once what is there, and waits after that', async () => {
    const { scene, id } = await aboutToReplace({ ...NEW, replace: 'create_first' });
    await dieWithLateCreate(scene);
    const beganMs = scene.clock.now();
    await byHand(scene, 'campaigns', 'pause', id);
    const { requests } = await scene.oracle();
    const stops = requests.filter(({ operation }) => operation === 'campaigns.set-status');
    expect(Date.parse(stops[0]?.at ?? '') - beganMs).toBeLessThan(10_000);
    expect(Date.parse(stops.at(-1)?.at ?? '') - beganMs).toBeGreaterThan(60_000);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'paused']);
  });

  it('stops a create that replaces it under a new name', async () => {
    const renamed = { name: 'Hello', renamed_from: 'Welcome', replace: 'create_first' };
    const { scene, id } = await aboutToReplace({ ...NEW, ...renamed });
    await dieWithLateCreate(scene);
    const stop = await byHand(scene, 'campaigns', 'archive', id);
    expect(stop.code, stop.stderr).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'archived']);
  });

  it('is unknown, with the next command, where the list cannot be read after that', async () => {
    const { scene, id } = await aboutToReplace();
    await dieWithLateCreate(scene);
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.list',
      how: '502',
      when: 'before_commit',
      nth: 2,
      times: 99,
    });
    const stop = await byHand(scene, 'campaigns', 'pause', id);
    expect([stop.code, stop.stdout]).toEqual([3, expect.stringContaining('1 applied')]);
    expect(stop.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'so it may be live already or may still arrive. To stop what it makes, run: herald campaigns pause alice/campaign/Welcome',
    );
  });

  it('says nothing of a create that cannot arrive any more', async () => {
    const { scene, id } = await aboutToReplace();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.create',
      how: 'reset',
      when: 'before_commit',
    });
    await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
    scene.clock.move(120_000);
    const stop = await byHand(scene, 'campaigns', 'archive', id);
    expect(stop.code).toBe(0);
    expect(stop.stderr).not.toMatch(/create-without-end|created-meanwhile/);
  });
});

describe('a stop by hand during an apply that the service refuses', () => {
  it('stopped nothing, so the apply does not say that it did, and goes on', async () => {
    const refusals = { isDue: false, isOn: false };
    const stops: Ran[] = [];
    const { scene, simulator, world } = altered(async (request, answer) => {
      if (refusals.isOn && request.method === 'PATCH')
        return new Response(JSON.stringify({ error: 'forbidden' }), {
          status: 403,
          headers: { 'content-type': 'application/json' },
        });
      if (refusals.isDue && request.method === 'POST') {
        Object.assign(refusals, { isDue: false, isOn: true });
        stops.push(await byHand(scene, 'campaigns', 'archive', '77'));
        refusals.isOn = false;
      }
      return answer();
    });
    simulator.control.seedCampaign('101', { id: '77', name: 'Welcome', messages: [{ text: 'Hey' }] });
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual(['pause applied']);
    scene.clock.move(60_000);
    const other = campaign({ name: 'New', messages: [{ text: 'N' }] });
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign(), other] }));
    refusals.isDue = true;
    const apply = await applied(scene);
    expect(stops.map(({ code }) => code)).toEqual([1]);
    const status = Object.values(world.accounts['101']?.campaigns ?? {})[0]?.live.status;
    expect([apply.code, outcomes(apply), messages(apply), status]).toEqual([
      0,
      ['create applied', 'activate applied'],
      '\n',
      'active',
    ]);
  });
});
