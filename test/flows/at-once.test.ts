import { afterEach, describe, expect, it, vi } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { altered } from '../helpers/altered.ts';
import { broadcastsIn, CLOSED, draftOf, FLASH, SEND_FLASH, sendFlash } from '../helpers/at-once.ts';
import { createsSent, documentOf, outcomes } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

interface Ended {
  readonly how: 'Ctrl-C' | 'a kill';
  /** Whether the service carries the request out. */
  readonly isCarriedOut: boolean;
  readonly accounts?: readonly string[];
}

/** The create gets no answer, the service carries it out 40 s later or never, and the command ends before that. */
async function endedEarly({ how, isCarriedOut, accounts = ['alice'] }: Ended) {
  let run: ReturnType<Scene['start']> | null = null;
  let creates = 0;
  const made = altered(
    async (request, answer) => {
      if (request.method === 'GET') return answer();
      creates += 1;
      if (creates > 1) return answer();
      const late = request.clone();
      const { clock } = made.scene;
      if (isCarriedOut) void clock.sleep(40_000).then(() => made.simulator.fetch(late));
      void clock.sleep(5_000).then(() => (how === 'Ctrl-C' ? run?.interrupt() : run?.kill()));
      throw CLOSED;
    },
    { files: draftOf({}, accounts) },
  );
  const { scene } = made;
  run = scene.start(...SEND_FLASH, '--account', 'alice');
  while (creates === 0) await new Promise((resolve) => setImmediate(resolve));
  await Promise.race([run.ran, scene.clock.sleep(10_000)]);
  await scene.clock.sleep(100_000);
  return { ...made, creates: () => creates };
}

// LOST-1
describe('the command that ended before its request without an answer was resolved', () => {
  it.each(['Ctrl-C', 'a kill'] as const)('after %s finds what it made, and sends nothing', async (how) => {
    const { scene, world, creates } = await endedEarly({ how, isCarriedOut: true });
    scene.answer = () => {
      throw new Error('nothing is to be sent');
    };
    const again = await sendFlash(scene);
    const [id = ''] = broadcastsIn(world).map((one) => one.split(' ')[0] ?? '');
    expect([again.code, creates()]).toEqual([5, 1]);
    expect(again.stderr).toContain(`Herald has sent it as ${id}.`);
    expect((await scene.herald('state', 'check')).code).toBe(0);
    expect((await scene.herald('history')).stdout).toMatch(/Flash sale +create +adopted/);
  });

  it('sends on the other accounts', async () => {
    const { scene, world } = await endedEarly({
      how: 'a kill',
      isCarriedOut: true,
      accounts: ['alice', 'bob'],
    });
    const ran = await sendFlash(scene, '--format', 'json');
    const run = { report: documentOf(ran, applyReportShape) };
    expect([ran.code, outcomes(run)], ran.stderr).toEqual([0, ['create applied']]);
    const names = ['101', '102'].flatMap((account) =>
      Object.values(world.accounts[account]?.broadcasts ?? {}).map(({ live }) => live.name),
    );
    expect(names).toEqual([FLASH.name, FLASH.name]);
  });

  it('closes what did not happen, and sends nothing without the allowance', async () => {
    const { scene, creates } = await endedEarly({ how: 'a kill', isCarriedOut: false });
    const ran = await scene.herald(...SEND_FLASH.filter((flag) => !['--allow', 'now'].includes(flag)));
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('[needs --allow now]')]);
    expect((await scene.herald('state', 'check')).code).toBe(0);
    expect(creates()).toBe(1);
  });

  it('says how to resume what was paused meanwhile', async () => {
    const { scene, world } = await endedEarly({ how: 'a kill', isCarriedOut: true });
    for (const { live } of Object.values(world.accounts['101']?.broadcasts ?? {})) live.status = 'paused';
    expect((await sendFlash(scene)).stderr).toMatch(
      /Herald has sent it as \d+, which is paused now\. .* herald broadcasts resume \d+/,
    );
  });
});

// ERROR-6
it('what the list does not show yet is not sent again', async () => {
  const scene = aScene({ files: draftOf() });
  await scene.service((control) => control.seedBroadcast('101', { name: 'Other', status: 'sending' }));
  await scene.fault({ kind: 'list_lag', operation: 'broadcasts.create', lag_sec: 120, nth: 1 });
  expect((await sendFlash(scene)).code).toBe(0);
  const again = await sendFlash(scene);
  expect(again.code).toBe(5);
  expect(again.stderr).toMatch(
    /The state knows \d+ under this name, but the service does not list it.* Run the command again in a minute\./,
  );
  scene.clock.move(130_000);
  expect((await sendFlash(scene)).stderr).toContain('Herald has sent it as');
  expect(await createsSent(scene)).toBe(1);
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
    expect(ran.code).toBe(3);
    expect(ran.stdout).toMatch(/reads as paused after .*: herald broadcasts list --account alice/);
    const again = await sendFlash(scene);
    expect(again.code).toBe(5);
    expect(again.stderr).toContain(`Herald has sent it as ${id}, which is paused now.`);
    expect(again.stderr).toContain(`herald broadcasts resume ${id} --account alice`);
    expect(again.stderr).toContain(`herald broadcasts recall ${id} --account alice`);
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

describe('two broadcasts of one name', () => {
  /** Someone without a common state makes the same at the moment at which it is sent. */
  function together(other: object) {
    let isFirst = true;
    const made = altered(
      async (request, answer) => {
        if (request.method !== 'GET' && isFirst) {
          isFirst = false;
          const { name, messages } = FLASH;
          made.simulator.control.seedBroadcast('101', { name, messages, ...other });
        }
        return answer();
      },
      { files: draftOf() },
    );
    return made;
  }

  // BROADCAST-15
  it.each([
    { status: 'sending', scheduled_at: null },
    { status: 'scheduled', scheduled_at: '2026-06-01T18:00:00Z' },
  ])('are both named by the run that sent one of them, and by the next one: %j', async (live) => {
    const { scene, world } = together(live);
    const ran = await sendFlash(scene);
    const [other = '', own = ''] = broadcastsIn(world).map((one) => one.split(' ')[0] ?? '');
    expect(ran.code).toBe(0);
    for (const said of [ran.stdout, (await sendFlash(scene)).stderr]) {
      expect(said).toContain(
        `${other} (${live.status}) has the same name as ${own}, so fans get both. To stop it: herald broadcasts pause ${other} --account alice`,
      );
    }
  });

  it.each([
    { status: 'paused', scheduled_at: '2026-06-01T18:00:00Z' },
    { status: null, scheduled_at: null },
  ])('are not named if the other one is stopped or was sent long ago: %j', async (live) => {
    expect((await sendFlash(together(live).scene)).stdout).not.toContain('same name');
  });
});

describe('a draft with the content of another broadcast', () => {
  const EVENING = { ...FLASH, name: 'Evening', scheduled_at: '2026-06-01T18:00Z' };

  it('says how to stop that one, which lets the draft be sent', async () => {
    const live = JSON.stringify({ accounts: ['alice'], broadcasts: [EVENING] });
    const scene = aScene({ files: { ...draftOf(), 'live/a.yaml': live } });
    await scene.herald('apply', '--yes');
    const ran = await sendFlash(scene);
    expect(ran.code).toBe(5);
    expect(ran.stderr).not.toContain('renamed_from');
    const [, id = ''] =
      /Stop that one first: herald broadcasts pause (\d+) --account alice\. Or change the words of this one\./.exec(
        ran.stderr,
      ) ?? [];
    const stopped = await scene.herald('broadcasts', 'pause', id, '--account', 'alice', '--yes');
    expect(stopped.code, stopped.stderr).toBe(0);
    const sent = await sendFlash(scene);
    expect([sent.code, await createsSent(scene)], sent.stderr).toEqual([0, 2]);
    // What a person stops stays stopped.
    const plan = await scene.herald('plan');
    expect([plan.code, plan.stdout]).toEqual([5, expect.stringContaining('--allow resume')]);
  });

  it('is sent next to one that someone else has paused: no apply resumes that', async () => {
    const scene = aScene({ files: draftOf() });
    const { messages } = FLASH;
    await scene.service((control) =>
      control.seedBroadcast('101', { name: 'Evening', messages, status: 'paused' }),
    );
    expect((await sendFlash(scene)).code).toBe(0);
  });
});
