import { afterEach, describe, expect, it, vi } from 'vitest';
import { broadcastsIn, draftOf, FLASH, sendFlash } from '../helpers/at-once.ts';
import { altered } from '../helpers/altered.ts';
import { applied, createsSent, messages } from '../helpers/flows.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const LAG = { kind: 'list_lag', operation: 'broadcasts.create', lag_sec: 120, nth: 1 } as const;

/** Right after its create, the list does not show it. */
async function lagging(isAlone: boolean): Promise<Scene> {
  const scene = aScene({ files: draftOf() });
  if (!isAlone)
    await scene.service((control) => control.seedBroadcast('101', { name: 'Other', status: 'sending' }));
  await scene.fault(LAG);
  return scene;
}

// ERROR-6
describe('a broadcast that the list does not show yet', () => {
  it.each([
    ['is the only one', true],
    ['is next to another one', false],
  ])('was sent, and nothing was changed, if it %s', async (_, isAlone) => {
    const scene = await lagging(isAlone);
    const ran = await sendFlash(scene);
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
    expect(ran.stdout).toContain('The list does not show it yet.');
    expect(ran.stdout).not.toMatch(/was changed|herald plan|another name|new world/);
  });

  it.each([true, false])(
    'is not sent under another name: the next run says to wait (alone: %s)',
    async (isAlone) => {
      const scene = await lagging(isAlone);
      await sendFlash(scene);
      const again = await sendFlash(scene);
      expect(again.code).toBe(5);
      expect(again.stderr).toMatch(
        /The ledger knows \d+ under this name, .* Run the command again in a minute\./,
      );
      expect(again.stderr).not.toMatch(/another name|new name|new world/);
      scene.clock.move(130_000);
      expect((await sendFlash(scene)).stderr).toContain('Herald has sent it as');
      expect(await createsSent(scene)).toBe(1);
    },
  );

  it('names another one of its name, and the command that stops that', async () => {
    const { scene, simulator, world } = altered(
      async (request, answer) => {
        if (request.method !== 'GET')
          simulator.control.seedBroadcast('101', { name: FLASH.name, status: 'sending', scheduled_at: null });
        return answer();
      },
      { files: draftOf() },
    );
    simulator.control.addFault(LAG);
    const ran = await sendFlash(scene);
    const [other = '', own = ''] = broadcastsIn(world).map((one) => one.split(' ')[0] ?? '');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`shows ${other} under the same name`);
    expect(ran.stdout).toContain(`herald broadcasts pause ${other} --account alice`);
    expect(ran.stdout).not.toMatch(/herald plan|new name|blocked/);
    const again = await sendFlash(scene);
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining(`The ledger knows ${own} under`)]);
    expect(again.stderr).toContain(`The list shows ${other} under the same name.`);
    expect(again.stderr).not.toContain('new name');
  });

  it('is not called changed by an apply either', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ ...LAG, operation: 'campaigns.create' });
    const run = await applied(scene);
    expect([run.code, messages(run)]).toEqual([0, 'The list does not show it yet.']);
  });
});

// BROADCAST-15
describe('a broadcast that someone pauses half-way', () => {
  function pausedMeanwhile() {
    const made = altered(
      async (request, answer) => {
        const reply = await answer();
        if (request.method === 'POST')
          for (const { live } of Object.values(made.world.accounts['101']?.broadcasts ?? {}))
            live.status = 'paused';
        return reply;
      },
      { files: draftOf() },
    );
    return { ...made, idOf: () => broadcastsIn(made.world)[0]?.split(' ')[0] ?? '' };
  }

  it('is known as our own, and can be resumed', async () => {
    const { scene, idOf } = pausedMeanwhile();
    const ran = await sendFlash(scene);
    const id = idOf();
    const again = await sendFlash(scene);
    expect([ran.code, again.code]).toEqual([0, 5]);
    for (const said of [ran.stdout, again.stderr]) {
      expect(said).toContain(`Herald has sent it as ${id}, which is paused now.`);
      expect(said).toContain(`herald broadcasts resume ${id} --account alice`);
      expect(said).toContain(`herald broadcasts recall ${id} --account alice`);
      expect(said).not.toMatch(/herald plan|new name/);
    }
    const resumed = await scene.herald('broadcasts', 'resume', id, '--account', 'alice', '--yes');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect((await sendFlash(scene)).stderr).toContain(`Herald has sent it as ${id}.`);
  });

  it('is not to be resumed once it was recalled', async () => {
    const { scene, idOf } = pausedMeanwhile();
    await sendFlash(scene);
    const id = idOf();
    await scene.herald('broadcasts', 'recall', id, '--account', 'alice', '--yes');
    const { code, stderr } = await sendFlash(scene);
    expect([code, stderr]).toEqual([5, expect.stringContaining(`Herald has sent it as ${id}.`)]);
    expect(stderr).toContain('To send it again, give it a new name.');
    expect(stderr).not.toContain('herald broadcasts resume');
  });
});
