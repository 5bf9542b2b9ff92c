import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { liveOn } from '../helpers/flows.ts';
import { holdLease } from '../helpers/held-lease.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const saying = (text: string) => declaring({ broadcasts: [broadcast({ messages: [{ text }] })] });
const drafted = (text: string) => ({
  'drafts/today.yaml': JSON.stringify({
    accounts: ['alice'],
    broadcasts: [{ name: 'Flash sale', audience: 'everyone', messages: [{ text }] }],
  }),
});

/** Another run has the lease for so long. Just before its end, a person changes files, as a git pull does. */
async function behindAnotherRun(scene: Scene, command: readonly string[], later: object, forMs = 60_000) {
  const release = await holdLease(scene);
  let hasLoaded = false;
  const gate = async () => void (hasLoaded = true);
  const run = scene.startAs({ gate }, ...command, '--lock-timeout', '10m');
  while (!hasLoaded) await new Promise((resolve) => setImmediate(resolve));
  await scene.clock.sleep(forMs);
  Object.assign(scene.files.tree, later);
  await release();
  const ran = await run.ran;
  expect(ran.stderr).toContain('Waiting up to 10 min');
  return { ran, texts: (await liveOn(scene, '101', 'broadcast')).map(({ text }) => text) };
}

describe('what waited for the lease of another run', () => {
  it.each([
    ['an apply', 'corrected', ['apply', '--yes'], saying('Wrong'), saying('Right')],
    ['an apply', 'removed', ['apply', '--yes'], saying('Wrong'), declaring({ campaigns: [campaign()] })],
    [
      'a broadcast that is sent at once',
      'corrected',
      ['broadcasts', 'send', 'drafts/today.yaml#Flash sale', '--allow', 'now', '--yes'],
      drafted('Wrong'),
      drafted('Right'),
    ],
  ])('%s does not send what was %s in the files meanwhile', async (_what, _how, command, files, later) => {
    const { ran, texts } = await behindAnotherRun(aScene({ files }), command, later);
    expect([ran.code, texts], ran.stdout).toEqual([5, []]);
    expect(ran.stderr).toContain('the files changed while Herald waited');
  });

  it('a saved plan is stale if the files were corrected meanwhile, however short the wait', async () => {
    const scene = aScene({ files: saying('Wrong') });
    expect((await scene.herald('plan', '--out', 'plan.json')).code).toBe(0);
    const command = ['apply', 'plan.json', '--yes'];
    const { ran, texts } = await behindAnotherRun(scene, command, saying('Right'), 5_000);
    expect([ran.code, texts], ran.stderr).toEqual([5, []]);
  });

  it('an apply goes on if the files are as they were', async () => {
    const { ran, texts } = await behindAnotherRun(aScene({ files: saying('Right') }), ['apply', '--yes'], {});
    expect([ran.code, texts], ran.stdout).toEqual([0, ['Right']]);
  });
});
