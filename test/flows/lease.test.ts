import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { liveOn, writesSent, holdLease, expectEnd } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { until } from '../helpers/flow-clock.ts';

const FILES = declaring({ campaigns: [campaign()] });
const WAIT = ['apply', '--yes', '--lock-timeout'];

/** Another run has the lease, until `release`. */
async function heldScene(files = FILES) {
  const scene = aScene({ files });
  return { scene, release: await holdLease(scene) };
}

describe('a command that finds the lease held', () => {
  it.each([
    ['apply', '--yes'],
    ['import'],
    ['state', 'prune', '--before', '90d'],
    ['chat', 'send', '101001', '--account', 'alice', '--text', 'Hey', '--yes'],
  ])('is refused at once without a terminal, with what to do: %s %s', async (...args) => {
    const { scene } = await heldScene();
    const before = scene.clock.now();
    const ran = await scene.herald(...args);
    expectEnd(ran, 1, 'Another herald run is active: other, process 4711 on this-machine.');
    // An unlock does not free what the system holds for a process.
    expect(ran.stderr).toContain(
      '--lock-timeout 10m. If it hangs, or was stopped with Ctrl-Z, end that process',
    );
    expect(scene.clock.now() - before).toBeLessThan(5_000);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('ends with exit 1 when the time is over, and says who has it', async () => {
    const { scene } = await heldScene();
    const before = scene.clock.now();
    const ran = await scene.herald(...WAIT, '5s');
    expectEnd(ran, 1, 'process 4711 on this-machine.\nWait for it to finish');
    expect(scene.clock.now() - before).toBeGreaterThanOrEqual(5_000);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('does not wait with a time of 0, and takes no time that it cannot read', async () => {
    const { scene } = await heldScene();
    scene.answer = () => true;
    const before = scene.clock.now();
    expectEnd(await scene.herald('apply', '--lock-timeout', '0'), 1, 'Another herald run is active');
    expect(scene.clock.now() - before).toBeLessThan(5_000);
    expectEnd(await scene.herald('apply', '--lock-timeout', 'soon'), 1, 'Give a time such as 90s');
  });
});

const saying = (text: string) => declaring({ broadcasts: [broadcast({ messages: [{ text }] })] });
const drafted = (text: string) => ({
  'drafts/today.yaml': JSON.stringify({
    accounts: ['alice'],
    broadcasts: [{ name: 'Flash sale', audience: 'everyone', messages: [{ text }] }],
  }),
});

/** Just before the other run ends, a person changes files, as a git pull does. */
async function behindAnotherRun(scene: Scene, command: readonly string[], later: object) {
  const release = await holdLease(scene);
  let hasLoaded = false;
  const gate = async () => void (hasLoaded = true);
  const run = scene.startAs({ gate }, ...command, '--lock-timeout', '10m');
  await until(() => hasLoaded);
  await scene.clock.sleep(5_000);
  Object.assign(scene.files.tree, later);
  await release();
  const ran = await run.ran;
  expect(ran.stderr).toContain(
    'Another herald run is active: other, process 4711 on this-machine. Waiting up to 10 min for it to finish.',
  );
  return { ran, texts: (await liveOn(scene, '101', 'broadcast')).map(({ text }) => text) };
}

describe('what waited for the lease of another run', () => {
  const send = ['broadcasts', 'send', 'drafts/today.yaml#Flash sale', '--allow', 'now', '--yes'];
  it.each([
    ['an apply', 'corrected', ['apply', '--yes'], saying('Wrong'), saying('Right')],
    ['an apply', 'removed', ['apply', '--yes'], saying('Wrong'), FILES],
    ['a broadcast that is sent at once', 'corrected', send, drafted('Wrong'), drafted('Right')],
  ])('%s does not send what was %s in the files meanwhile', async (_what, _how, command, files, later) => {
    const { ran, texts } = await behindAnotherRun(aScene({ files }), command, later);
    expect([ran.code, texts], ran.stdout).toEqual([5, []]);
    expect(ran.stderr).toContain('the files changed while Herald waited');
  });

  it('an apply goes on if the files are as they were', async () => {
    const { ran, texts } = await behindAnotherRun(aScene({ files: saying('Right') }), ['apply', '--yes'], {});
    expect([ran.code, texts], ran.stdout).toEqual([0, ['Right']]);
  });
});

it('a stop does not wait for another run, whatever its timeout', async () => {
  const { scene } = await heldScene();
  await scene.service((control) => control.seedCampaign('101', { id: '77', name: 'Old' }));
  const before = scene.clock.now();
  const args = ['campaigns', 'pause', '77', '--account', 'alice', '--yes', '--lock-timeout', '10m'];
  expectEnd(await scene.herald(...args), 0);
  expect(scene.clock.now() - before).toBeLessThan(60_000);
});
