import { expect, it } from 'vitest';
import type { Scene } from '../helpers/scene.ts';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { turns, until } from '../helpers/flow-clock.ts';
import { dieAfter } from '../helpers/flows.ts';
import { ACTIVE, APPLY, CHANGED, live, PAUSE } from './live-scene.ts';

/** What the first files declare is live. From then on, the service takes its time with creates, 40 s at most. */
async function creating(first: Record<string, string>, second: Record<string, string>) {
  const { scene, simulator, hold, active } = await live(first);
  Object.assign(scene.files.tree, second);
  /** An apply of which the create has left, and has no answer yet. */
  const applying = async () => {
    const held = Object.assign(hold('create'), { isEnded: false });
    const onRecord = (what: string) => {
      held.isEnded ||= what === 'end' && held.isSeen;
      return 'done' as const;
    };
    const apply = scene.startAs({ onRecord }, ...APPLY);
    await until(() => held.isSeen);
    return { apply, held };
  };
  return { scene, simulator, active, applying };
}

/** Runs a command until it has recorded so many ends. */
async function untilEnded(scene: Scene, ends: number, words: readonly string[]) {
  let count = 0;
  const onRecord = (what: string) => {
    if (what === 'end') count += 1;
    return 'done' as const;
  };
  const run = scene.startAs({ onRecord }, ...words);
  await until(() => count === ends);
  await turns(5);
  return run;
}

it.each([
  ['a first create', {}, ACTIVE, 1],
  ['a replace', ACTIVE, CHANGED, 2],
])(
  'a stop by address finds what %s made seconds ago, which no list shows yet',
  async (_, first, second, ends) => {
    const { scene, simulator, active } = await creating(first, second);
    simulator.control.addFault({ kind: 'lag', operation: 'campaigns.create', lag_sec: 9 });
    const apply = await untilEnded(scene, ends, APPLY);
    const stop = await scene.herald(...PAUSE);
    await apply.ran;
    expect([stop.code, active()], stop.stderr).toEqual([0, []]);
  },
);

it.each([
  ['first create', {}, ACTIVE, 1],
  ['replace', ACTIVE, CHANGED, 1],
  [
    'rename that creates first',
    ACTIVE,
    declaring({
      campaigns: [
        campaign({
          name: 'Greeting',
          renamed_from: 'Welcome',
          replace: 'create_first',
          messages: [{ text: 'Hello' }],
        }),
      ],
    }),
    // Before the first list: a rename that is over by then has made another campaign.
    2,
  ],
])(
  'a stop ends what a %s makes, at whichever moment of the stop it is answered',
  async (_, first, second, from) => {
    for (let moment = from; moment <= 9; moment += 1) {
      const { scene, active, applying } = await creating(first, second);
      const { apply, held } = await applying();
      let passed = 0;
      // Before each use of the state.
      const gate = async () => {
        passed += 1;
        if (passed !== moment) return;
        held.release();
        await until(() => held.isEnded);
        await turns(3);
      };
      const stop = await scene.startAs({ gate }, ...PAUSE).ran;
      const { stdout } = await apply.ran;
      expect.soft([moment, active()], stop.stdout + stop.stderr).toEqual([moment, []]);
      // With 4, its record took more than five seconds.
      expect([0, 4]).toContain(stop.code);
      expect(stdout).not.toContain('runs as well');
    }
  },
  60_000,
);

it.each([PAUSE.slice(0, -1), ['id']])(
  'a stop also ends the version that an apply creates while a person reads its question: %j',
  async (...words) => {
    const { scene, simulator, active } = await creating(ACTIVE, CHANGED);
    scene.answer = async () => (await scene.herald(...APPLY)).code === 0;
    const [id = ''] = Object.keys(simulator.world.accounts['101']?.campaigns ?? {});
    const typed = words.length > 1 ? words : ['campaigns', 'pause', id, '--account', 'alice'];
    const stop = await scene.herald(...typed);
    expect([stop.code, active()], stop.stdout).toEqual([0, []]);
  },
);

it('a stop that waits for a create ends seconds after that is answered', async () => {
  const { scene, simulator, active, applying } = await creating(ACTIVE, CHANGED);
  const { apply, held } = await applying();
  const stop = await untilEnded(scene, 1, PAUSE);
  await turns(40);
  held.release();
  await Promise.all([stop.ran, apply.ran]);
  const [made = 0, stopped = 0] = simulator.world.commits.slice(-2).map(({ at }) => Date.parse(at));
  expect([active(), stopped - made < 20_000]).toEqual([[], true]);
});

it.each(['answered', 'adopted'])(
  'a create that is %s after its stop was killed is paused for it',
  async (how) => {
    const { scene, active, applying } = await creating(ACTIVE, CHANGED);
    const { apply, held } = await applying();
    await dieAfter(scene, 'end', PAUSE);
    if (how === 'adopted') apply.kill();
    held.release();
    if (how === 'answered') {
      const said = 'stopped it with "campaigns pause" meanwhile, so it does not run';
      expect(await apply.ran).toMatchObject({ code: 4, stdout: expect.stringContaining(said) });
    }
    await turns(40);
    expect((await scene.herald(...APPLY)).code).toBe(5);
    expect(active()).toEqual([]);
  },
);

it('a stop of a name that a lost create never made says that the files still declare it', async () => {
  const { scene, simulator, active } = await creating({}, ACTIVE);
  const lost = { how: 'reset', when: 'before_commit', times: 9 } as const;
  simulator.control.addFault({ kind: 'broken_answer', operation: 'campaigns.create', ...lost });
  const apply = scene.startAs({ onRecord: (what) => (what === 'end' ? 'frozen' : 'done') }, ...APPLY);
  await turns(200);
  apply.kill();
  const stop = await scene.herald(...PAUSE);
  expect([stop.code, active()]).toEqual([1, []]);
  expect(stop.stdout).toContain('While a file declares it, the next apply starts it.');
});

it('a pattern does not mean broadcasts that have gone out', async () => {
  const { scene, simulator } = altered();
  const { seedBroadcast } = simulator.control;
  seedBroadcast('101', { name: 'Waits', scheduled_at: '2026-06-01T15:00:00Z' });
  for (const more of [{ progress_percent: 100 }, { rules: { end_at: '2026-06-01T11:00:00Z' } }])
    seedBroadcast('101', { name: 'Sent', status: null, ...more });
  const ran = await scene.herald('broadcasts', 'pause', 'alice/broadcast/*', '--yes');
  expect([ran.code, ran.stdout]).toEqual([0, expect.not.stringContaining('Sent')]);
});
