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
  it.each(['pause', 'archive', 'recall'])('%s: says that the create may still arrive', async (verb) => {
    const { scene, id } = await aboutToReplace();
    await dieWithLateCreate(scene);
    const beforeMs = scene.clock.now();
    const stop = await byHand(scene, 'campaigns', verb, id);
    expect(stop.code, stop.stderr).toBe(0);
    expect(scene.clock.now() - beforeMs, 'the stop does not wait for the create').toBeLessThan(10_000);
    expect(stop.stderr).toContain('create-without-end');
    expect(stop.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'A create of campaign "Welcome" was sent and has no result in the ledger, so it may be live already or may still arrive. Look again in two minutes: herald campaigns list --account alice',
    );
    scene.clock.move(120_000);
    expect((await statuses(scene, 'campaign')).at(-1)).toBe('active');
  });

  it('says it also where the old version is stopped by hand already, and nothing is sent', async () => {
    const { scene, id } = await aboutToReplace();
    await dieWithLateCreate(scene);
    await byHand(scene, 'campaigns', 'pause', id);
    const again = await byHand(scene, 'campaigns', 'pause', id);
    expect(again.stderr).toContain('It is paused already.');
    expect(again.stderr).toContain('create-without-end');
  });

  it('names a create that replaces it under a new name', async () => {
    const { scene, id } = await aboutToReplace({
      ...NEW,
      name: 'Hello',
      renamed_from: 'Welcome',
      replace: 'create_first',
    });
    await dieWithLateCreate(scene);
    const stop = await byHand(scene, 'campaigns', 'archive', id);
    expect(stop.stderr).toContain('A create of campaign "Hello" was sent');
  });

  it('names what the create has made, with the command that stops it too', async () => {
    const { scene, id } = await aboutToReplace();
    await dieBefore(scene, (line) => line.includes('"created_by":"api_token'));
    scene.clock.move(120_000);
    const made = (await liveOn(scene, '101', 'campaign')).find((one) => one.id !== id)?.id ?? '';
    const stop = await byHand(scene, 'campaigns', 'pause', id);
    expect(stop.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `Another run has created campaign "Welcome" (${made}). To stop it too: herald campaigns pause ${made} --account alice`,
    );
    expect(stop.stderr).not.toContain('create-without-end');
    const other = await byHand(scene, 'campaigns', 'pause', made);
    expect([other.code, other.stderr]).toEqual([0, expect.not.stringContaining('Another run has created')]);
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
