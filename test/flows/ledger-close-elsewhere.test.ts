import { describe, expect, it } from 'vitest';
import { createWorld, serializeWorld } from '../../src/simulator/world.ts';
import { errorOf, SEND } from '../helpers/chats.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, outcomes } from '../helpers/flows.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aScene, LEDGER_FILE, NOON, WORKSPACE, WORLD_FILE, type Scene } from '../helpers/scene.ts';

const DAY_MS = 86_400_000;
const OTHER_WORLD = '.herald/other.json';
const CLOSE = ['ledger', 'close', 'run1-1', '--because', 'the trial is over', '--yes'];

/** Something asked of a simulator with a lost answer; then the workspace works with another one. */
async function afterATrial(command?: readonly string[], waitMs = DAY_MS): Promise<Scene> {
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
  await dieBefore(scene, (line) => line.includes('"outcome"'), command);
  scene.files.tree['herald.yaml'] = WORKSPACE.replace(WORLD_FILE, OTHER_WORLD);
  scene.files.tree[OTHER_WORLD] = serializeWorld(createWorld({ nowMs: NOON }));
  scene.clock.move(waitMs);
  return scene;
}

const lastLine = (scene: Scene) =>
  JSON.parse((scene.files.tree[LEDGER_FILE] ?? '').trimEnd().split('\n').at(-1) ?? '') as object;

describe('herald ledger close of what was asked of another simulator', () => {
  it('ends the waiting once that simulator is gone, and counts for that one alone', async () => {
    const scene = await afterATrial();
    delete scene.files.tree[WORLD_FILE];
    const check = await scene.herald('ledger', 'check');
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('herald ledger close run1-1')]);
    const ran = await scene.herald(...CLOSE);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain('Closed: the create of alice/campaign/Welcome');
    const origin = `simulator:${WORLD_FILE}?world=00000000`;
    expect(lastLine(scene)).toMatchObject({ type: 'acknowledged', entry: 'run1-1', origin, who: 'tester' });
    expect((await scene.herald('ledger', 'check')).stdout).not.toContain('Unconfirmed');
    expect(errorOf(await scene.herald(...CLOSE, '--format', 'json')).code).toBe('unknown-entry');
    scene.clock.move(200 * DAY_MS);
    addLineOfNow(scene);
    await scene.herald('ledger', 'compact');
    expect(scene.files.tree[LEDGER_FILE], 'nothing keeps it any more').not.toContain('run1-1');
  });

  it('asks nothing of the service that the workspace works with now', async () => {
    const scene = await afterATrial();
    delete scene.files.tree[WORLD_FILE];
    scene.files.tree[OTHER_WORLD] = 'damaged';
    expect((await scene.herald(...CLOSE)).code).toBe(0);
  });

  it('says how to find out as long as its world is there, and writes nothing', async () => {
    const scene = await afterATrial();
    const text = scene.files.tree[LEDGER_FILE];
    const ran = await scene.herald(...CLOSE, '--format', 'json');
    expect([ran.code, errorOf(ran).code, scene.files.tree[LEDGER_FILE]]).toEqual([
      1,
      'settled-by-a-run',
      text,
    ]);
    expect(errorOf(ran).hint).toContain(`Set service.simulator to ${WORLD_FILE}`);
    scene.files.tree['herald.yaml'] = WORKSPACE;
    expect(outcomes(await applied(scene)).length).toBe(1);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });

  it('ends there as well what no run finds out about, and what was asked at an address', async () => {
    const message = await afterATrial([...SEND, '--text', 'Hi', '--yes']);
    expect((await message.herald(...CLOSE)).code).toBe(0);
    const served = await afterATrial();
    served.files.tree[LEDGER_FILE] = (served.files.tree[LEDGER_FILE] ?? '').replaceAll(
      `simulator:${WORLD_FILE}?world=00000000`,
      'http://127.0.0.1:4010',
    );
    expect((await served.herald(...CLOSE)).code).toBe(0);
  });

  it('refuses what may still be under way there, by this machine’s clock', async () => {
    const scene = await afterATrial(undefined, 60_000);
    delete scene.files.tree[WORLD_FILE];
    const early = await scene.herald(...CLOSE, '--format', 'json');
    expect([early.code, errorOf(early).code]).toEqual([1, 'under-way']);
  });

  it('is not needed for the workspace’s own: begun again, it is settled by the next apply', async () => {
    const scene = await afterATrial();
    scene.files.tree['herald.yaml'] = WORKSPACE;
    delete scene.files.tree[WORLD_FILE];
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });
});
