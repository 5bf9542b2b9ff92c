import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { byHand, withCampaign } from '../helpers/by-hand.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { loseNextCreate } from '../helpers/flows.ts';
import { aScene, NOON, type Ran } from '../helpers/scene.ts';

// The first use of a command is loaded from the disk, and virtual time goes on meanwhile.
beforeAll(async () => {
  await byHand(await withCampaign(), 'campaigns', 'pause', '77');
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

const KINDS = [
  ['campaign', declaring({ campaigns: [campaign()] }), 'Welcome'],
  ['broadcast', declaring({ broadcasts: [broadcast()] }), 'Teaser'],
] as const;

const CASES = KINDS.flatMap(([kind, files, name]) =>
  ['pause', 'archive', 'recall']
    .filter((verb) => kind === 'campaign' || verb !== 'archive')
    .map((verb) => ({ kind, files, name, verb })),
);

/** Runs an apply, and the command as soon as its create has left, which takes effect after some seconds. */
async function stoppedDuringCreate(files: Record<string, string>, lateSec: number, stop: readonly string[]) {
  const clock = flowClock(NOON);
  const stops: Promise<Ran>[] = [];
  const { scene, world } = altered(
    async (request, answer) => {
      if (request.method !== 'POST' || stops.length > 0) return answer();
      stops.push(scene.herald(...stop));
      await clock.sleep(lateSec * 1000);
      return answer();
    },
    { clock, files },
  );
  await scene.herald('apply', '--yes');
  const [stopped] = await Promise.all(stops);
  if (stopped === undefined) throw new Error('the apply created nothing');
  const { campaigns = {}, broadcasts = {} } = world.accounts['101'] ?? {};
  const all = [...Object.values(campaigns), ...Object.values(broadcasts)];
  return {
    stopped,
    statuses: all.map(({ live }) => live.status),
    ids: all.map(({ live }) => live.id),
  };
}

describe('a stop by hand while another process creates the only object of that name', () => {
  it.each(CASES)('waits for the $kind, and stops it: $verb', async ({ kind, files, name, verb }) => {
    const address = `alice/${kind}/${name}`;
    const run = await stoppedDuringCreate(files, 20, [`${kind}s`, verb, address, '--yes']);
    expect(run.stopped.code, run.stopped.stderr).toBe(0);
    expect(run.stopped.stderr).not.toContain('does not exist');
    expect(run.stopped.stderr).toMatch(/1 request was not confirmed\. Waiting up to \d+ s/);
    expect(run.stopped.stdout).toContain(`${run.ids[0] ?? ''}`);
    expect(run.statuses, run.stopped.stdout).not.toContain(kind === 'campaign' ? 'active' : 'scheduled');
  });

  it('says that nothing has the name only once the create can no longer take effect', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await loseNextCreate(scene);
    await scene.service((control) => control.clearFaults());
    const stop = await byHand(scene, 'campaigns', 'pause', 'alice/campaign/Welcome');
    expect([stop.code, stop.stderr]).toEqual([1, expect.stringContaining('does not exist')]);
  });
});
