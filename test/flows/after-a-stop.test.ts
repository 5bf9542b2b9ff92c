import { expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { answered, live, startAndDie, until } from '../helpers/live-scene.ts';
import type { Scene } from '../helpers/scene.ts';

const ACTIVE = declaring({ campaigns: [campaign()] });
const PAUSED = declaring({ campaigns: [campaign({ status: 'paused' })] });
const APPLY = ['apply', '--yes'];
const PAUSE = ['campaigns', 'pause', 'alice/campaign/Welcome', '--yes'];

it.each([
  ['stopped', (person: () => unknown) => person()],
  [
    'recalled',
    (_: unknown, scene: Scene) => scene.herald('campaigns', 'recall', '80', '--account', 'alice', '--yes'),
  ],
] as const)(
  'what a person %s is not sent again next to an older version that was adopted',
  async (_, stop) => {
    const { scene, simulator, statuses, person } = await live({});
    for (const [id, text, at] of [
      ['70', 'Old', '2026-01-01T00:00:00Z'],
      ['80', 'Hey', '2026-03-01T00:00:00Z'],
    ] as const)
      simulator.control.seedCampaign('101', { id, name: 'Welcome', messages: [{ text }], created_at: at });
    scene.clock.move(60_000);
    Object.assign(scene.files.tree, ACTIVE);
    await scene.herald(...APPLY, '--allow', 'adopt');
    expect(statuses()).toEqual(['paused', 'active']);
    scene.clock.move(3_600_000);
    await stop(() => person('paused', '80'), scene);
    scene.clock.move(3_600_000);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'New' }] })] }));
    const ran = await scene.herald(...APPLY);
    expect([ran.code, statuses().length], ran.stdout).toEqual([5, 2]);
  },
);

it.each(['a lost copy', 'no answer'])(
  'what a person starts days after a stop by hand runs on, although its last start had %s',
  async (how) => {
    const { scene, on, statuses, person } = await live(ACTIVE, PAUSED);
    Object.assign(scene.files.tree, ACTIVE);
    let copies = 0;
    on.write = async (answer) => {
      copies += 1;
      const response = await answer();
      return copies === 1 || how === 'no answer' ? answered(502) : response;
    };
    const first = scene.startAs({}, ...APPLY);
    if (how === 'no answer') {
      await until(() => copies === 9);
      first.interrupt();
    }
    expect((await first.ran).code).toBe(how === 'no answer' ? 3 : 0);
    delete on.write;
    scene.clock.move(3_600_000);
    const stop = await scene.herald(...PAUSE);
    expect([stop.code, statuses()], stop.stdout).toEqual([0, ['paused']]);
    scene.clock.move(20 * 3_600_000);
    person('active');
    scene.clock.move(3_600_000);
    await scene.herald(...APPLY);
    expect(statuses()).toEqual(['active']);
  },
);

it('a pause of Herald that the service archived does not become the stop of a person by a prune', async () => {
  const { scene, statuses } = await live(ACTIVE, PAUSED);
  scene.clock.move(10 * 86_400_000);
  await scene.herald(...APPLY);
  expect(statuses()).toEqual(['archived']);
  expect((await scene.herald('state', 'prune', '--before', '8d')).code).toBe(0);
  Object.assign(scene.files.tree, ACTIVE);
  expect((await scene.herald(...APPLY)).code).toBe(0);
  expect(statuses()).toEqual(['archived', 'active']);
});

it('what left early in a run on a lost state is reported although the lists fail after it', async () => {
  const { scene, on, statuses } = await live(ACTIVE);
  expect((await scene.herald('state', 'export', 'state.ndjson')).code).toBe(0);
  scene.state.remove();
  expect((await scene.herald('state', 'import', 'state.ndjson')).code).toBe(0);
  Object.assign(scene.files.tree, PAUSED);
  on.write = async (answer) => {
    const response = await answer();
    // Its own read is answered once.
    let reads = 0;
    on.read = async (read) => ((reads += 1) > 1 ? answered(502) : read());
    return response;
  };
  const ran = await scene.herald(...APPLY, '--format', 'json');
  expect([ran.code, statuses()], ran.stderr).toEqual([4, ['paused']]);
  expect(ran.stdout).toMatch(/"action": "pause",\s+"outcome": "applied"[^}]+The run ended here/);
});

it('an early stop of a broadcast that only lists showed is adopted', async () => {
  const two = (status: string, campaigns: readonly Readonly<Record<string, unknown>>[]) =>
    declaring({ campaigns, broadcasts: [broadcast({ status })] });
  const { scene, on } = await live(two('scheduled', []));
  Object.assign(scene.files.tree, two('scheduled', [campaign()]));
  await startAndDie(scene);
  Object.assign(scene.files.tree, two('paused', [campaign()]));
  let copies = 0;
  on.write = async (answer, { path }) => {
    const response = await answer();
    if (!path.includes('priority')) return response;
    copies += 1;
    return copies <= 9 ? answered(502) : response;
  };
  const ran = await scene.herald(...APPLY, '--format', 'json');
  expect(ran.stdout).toMatch(/"action": "pause",\s+"outcome": "adopted"/);
});
