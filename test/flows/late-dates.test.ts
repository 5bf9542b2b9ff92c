import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, dieBefore, outcomes, planned } from '../helpers/flows.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { aScene, NOON, WORLD_FILE, type Scene } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const SECOND = campaign({ name: 'Second', trigger: 'new_subscriber' });
const FILES = declaring({ campaigns: [campaign(), SECOND] });

/** The second of two creates is carried out a minute after its answer was lost, and its run is killed. */
async function dieInSecond(scene: Scene): Promise<void> {
  await scene.fault({
    kind: 'late_commit',
    operation: 'campaigns.create',
    after_sec: 60,
    how: 'reset',
    nth: 2,
  });
  await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
}

async function expectNoThird(scene: Scene): Promise<void> {
  scene.clock.move(38_000);
  expect((await planned(scene)).code, 'held back').toBe(5);
  expect(outcomes(await applied(scene))).toEqual(['keep adopted']);
  expect(await createsSent(scene)).toBe(2);
}

describe('a lost create with a time noted from an earlier answer', () => {
  it('is not sent again early where that answer was long on its way', async () => {
    const scene = aScene({ files: FILES });
    const { writeAtomically } = scene.files;
    let waits = true;
    // The answer is delivered once the world is on the disk, and has the time of before.
    scene.files.writeAtomically = async (path, text) => {
      await writeAtomically(path, text);
      if (path !== WORLD_FILE || !waits) return;
      waits = false;
      await scene.clock.sleep(40_000);
    };
    await dieInSecond(scene);
    await expectNoThird(scene);
  });

  it('is not sent again early where the clock was set back since', async () => {
    const flow = flowClock(NOON);
    let aheadMs = 0;
    const scene = aScene({ files: FILES, clock: { ...flow, now: () => flow.now() + aheadMs } });
    const { openForAppend } = scene.files;
    scene.files.openForAppend = async (path) => {
      const file = await openForAppend(path);
      const append = async (text: string) => {
        await file.append(text);
        if (text.includes('"outcome":"done"') && aheadMs === 0) aheadMs = -HOUR;
      };
      return { ...file, append };
    };
    await dieInSecond(scene);
    await scene.service((_, world) => (world.clockOffsetMs += HOUR));
    await expectNoThird(scene);
  });
});
