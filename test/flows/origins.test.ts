import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, decisions, dieWithLateCreate, outcomes, planned } from '../helpers/flows.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aScene, LEDGER_FILE, NOON, WORKSPACE, WORLD_FILE, type Scene } from '../helpers/scene.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld, serializeWorld, type World } from '../../src/simulator/world.ts';

const OTHER_WORLD = '.herald/other.json';
const FILES = declaring({ campaigns: [campaign()] });

/** Makes the workspace work with another service, which has nothing yet, or with its first one again. */
function workWith(scene: Scene, worldFile: string): void {
  scene.files.tree['herald.yaml'] = WORKSPACE.replace(WORLD_FILE, worldFile);
  scene.files.tree[worldFile] ??= serializeWorld(createWorld({ nowMs: NOON }));
}

/** As an earlier version wrote it, or as it is written where the service is not a simulator. */
function withoutOrigins(scene: Scene): void {
  const text = scene.files.tree[LEDGER_FILE] ?? '';
  scene.files.tree[LEDGER_FILE] = text.replaceAll(/"origin":"[^"]*",/g, '');
}

const codes = ({ plan }: Awaited<ReturnType<typeof planned>>) => plan.diagnostics.map(({ code }) => code);

describe('a workspace that goes from a simulator to another service', () => {
  it('begins there as if nothing were known, and is what it was when it comes back', async () => {
    const scene = aScene({ files: FILES });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    workWith(scene, OTHER_WORLD);
    expect(decisions(await planned(scene))).toEqual(['create alice/campaign/Welcome']);
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    const elsewhere = await scene.herald('ledger', 'check');
    expect([elsewhere.code, elsewhere.stdout]).toEqual([
      0,
      expect.stringContaining(`simulator:${WORLD_FILE}`),
    ]);
    workWith(scene, WORLD_FILE);
    expect(decisions(await planned(scene))).toEqual([]);
    const history = await scene.herald('history', '--format', 'ndjson');
    const simulators = history.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { simulator: string }).simulator);
    expect(simulators).toEqual([`simulator:${OTHER_WORLD}`, `simulator:${WORLD_FILE}?world=00000000`]);
  });

  it('begins again in a clone, with a world that has the same file name and another id', async () => {
    const scene = aScene({ files: FILES });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    const first = scene.files.tree[WORLD_FILE] ?? '';
    scene.files.tree[WORLD_FILE] = serializeWorld(createWorld({ id: 'c10e', nowMs: NOON }));
    const there = await planned(scene);
    expect([there.code, decisions(there)]).toEqual([0, ['create alice/campaign/Welcome']]);
    expect(there.plan.diagnostics.map(({ message }) => message).join('\n')).toMatch(
      /lines are about another simulated world.*Keep the ledger\.$/,
    );
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    const origins = new Set(scene.files.tree[LEDGER_FILE]?.match(/\?world=[^"]*/g));
    expect([...origins]).toEqual(['?world=00000000', '?world=c10e']);
    scene.files.tree[WORLD_FILE] = first;
    const back = await planned(scene);
    expect([back.code, decisions(back)], 'nothing was forgotten').toEqual([0, []]);
  });

  it('does not count what a clone did for a world that does not exist yet', async () => {
    const scene = aScene({ files: FILES });
    await dieWithLateCreate(scene);
    delete scene.files.tree[WORLD_FILE];
    const check = await scene.herald('ledger', 'check');
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('Unconfirmed there: the create')]);
  });

  it('keeps the ledger of a world from before worlds had ids', async () => {
    const scene = aScene({ files: FILES, world: { nowMs: NOON } });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    scene.files.tree[WORLD_FILE] = (scene.files.tree[WORLD_FILE] ?? '').replace('"id":"",', '');
    const again = await planned(scene);
    expect([again.code, codes(again)]).toEqual([0, []]);
    expect(scene.files.tree[LEDGER_FILE]).toContain(`"origin":"simulator:${WORLD_FILE}"`);
  });

  it('takes an object that has the id of one of ours for a stranger’s', async () => {
    const scene = aScene({ files: FILES });
    await scene.herald('apply', '--yes');
    const idsIn = (_: unknown, world: World) => Object.keys(world.accounts['101']?.campaigns ?? {});
    const ours = await scene.service(idsIn);
    const world = createWorld({ nowMs: NOON });
    createSimulator(world, { clock: scene.clock }).control.seedCampaign('101');
    expect(idsIn(null, world)).toEqual(ours);
    scene.files.tree[OTHER_WORLD] = serializeWorld(world);
    workWith(scene, OTHER_WORLD);
    Object.assign(
      scene.files.tree,
      declaring({ campaigns: [campaign({ name: 'Hello', messages: [{ text: 'Good evening' }] })] }),
    );
    const pruned = async () =>
      decisions(await planned(scene, '--allow', 'prune')).filter((line) => line.startsWith('archive'));
    expect(await pruned()).toEqual([]);
    withoutOrigins(scene);
    expect(await pruned(), 'the service says who made it').toEqual([]);
  });

  it('is held back by lines that do not name their service', async () => {
    const scene = aScene({ files: FILES });
    await scene.herald('apply', '--yes');
    withoutOrigins(scene);
    workWith(scene, OTHER_WORLD);
    const held = await planned(scene);
    expect([held.code, decisions(held)]).toEqual([5, ['blocked alice/campaign/Welcome']]);
  });

  it('leaves what is open there open, through a compaction as well, and settles it when it comes back', async () => {
    const scene = aScene({ files: FILES });
    await dieWithLateCreate(scene);
    workWith(scene, OTHER_WORLD);
    const there = await planned(scene);
    expect(decisions(there)).toEqual(['create alice/campaign/Welcome']);
    expect(codes(there)).not.toContain('open-entry');
    const beganMs = scene.clock.monotonicMs();
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    expect(scene.clock.monotonicMs() - beganMs, 'nothing is waited for').toBeLessThan(5_000);
    scene.clock.move(200 * 86_400_000);
    addLineOfNow(scene);
    expect((await scene.herald('ledger', 'compact')).code).toBe(0);
    const check = await scene.herald('ledger', 'check');
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('Unconfirmed there: the create')]);
    workWith(scene, WORLD_FILE);
    const back = await planned(scene);
    expect(codes(back)).toContain('open-entry');
    expect(outcomes(await applied(scene))).toEqual(['keep adopted']);
    expect(await createsSent(scene)).toBe(1);
  });

  it('counts an open request everywhere that does not name its service', async () => {
    const scene = aScene({ files: FILES });
    await dieWithLateCreate(scene);
    withoutOrigins(scene);
    workWith(scene, OTHER_WORLD);
    expect((await planned(scene)).code).toBe(5);
    const beganMs = scene.clock.monotonicMs();
    await scene.herald('apply', '--yes');
    expect(scene.clock.monotonicMs() - beganMs, 'it is waited for').toBeGreaterThan(60_000);
  });
});
