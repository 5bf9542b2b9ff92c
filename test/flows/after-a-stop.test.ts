import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { until } from '../helpers/flow-clock.ts';
import type { ApplyReport } from '../../src/domain/change.ts';
import { dieAfter, dieBefore, outcomes } from '../helpers/flows.ts';
import { ACTIVE, answered, APPLY, CHANGED, live, PAUSE, PAUSED, another } from './live-scene.ts';

it('what a person stopped is not sent again next to an older version that was adopted', async () => {
  const { scene, simulator, apply, statuses, person } = await live({});
  for (const [id, text, at] of [
    ['70', 'Old', '2026-01-01T00:00:00Z'],
    ['80', 'Hey', '2026-03-01T00:00:00Z'],
  ] as const)
    simulator.control.seedCampaign('101', { id, name: 'Welcome', messages: [{ text }], created_at: at });
  scene.clock.move(60_000);
  await apply(ACTIVE, '--allow', 'adopt');
  expect(statuses()).toEqual(['paused', 'active']);
  person('paused', '80');
  expect([(await apply(CHANGED)).code, statuses()]).toEqual([5, ['paused', 'paused']]);
});

it.each(['a lost copy', 'no answer'])(
  'what a person starts days after a stop by hand runs on, although its last start had %s',
  async (how) => {
    const { scene, on, apply, lose, statuses, person } = await live(ACTIVE, PAUSED);
    Object.assign(scene.files.tree, ACTIVE);
    const seen = lose(how === 'no answer' ? Infinity : 1);
    const first = scene.startAs({}, ...APPLY);
    if (how === 'no answer') {
      await until(() => seen.copies === 9);
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
    await apply();
    expect(statuses()).toEqual(['active']);
  },
);

it('a pause of Herald that the service archived does not become the stop of a person by a prune', async () => {
  const { scene, apply, statuses } = await live(ACTIVE, PAUSED);
  scene.clock.move(10 * 86_400_000);
  await apply();
  expect(statuses()).toEqual(['archived']);
  expect((await scene.herald('state', 'prune', '--before', '8d')).code).toBe(0);
  expect((await apply(ACTIVE)).code).toBe(0);
  expect(statuses()).toEqual(['archived', 'active']);
});

it.each([
  ['a lost state, with nothing else to do', 0, ['pause applied']],
  ['a lost create', 130, ['pause applied', 'blocked not_attempted']],
])(
  'what left early is reported as it ended, if an interrupt comes while it waits for %s',
  async (why, exit, all) => {
    const both = (status: string) => declaring({ campaigns: [another(status), campaign()] });
    const { scene, cutState, statuses } = await live(declaring({ campaigns: [another()] }));
    if (exit === 0) await cutState();
    else {
      Object.assign(scene.files.tree, both('active'));
      await dieAfter(scene, 'begin', APPLY);
    }
    const paused = exit === 0 ? declaring({ campaigns: [another('paused')] }) : both('paused');
    Object.assign(scene.files.tree, paused);
    const run = scene.startAs({}, ...APPLY, '--format', 'json');
    await until(() => statuses()[0] === 'paused');
    run.interrupt();
    const { code, stdout } = await run.ran;
    const report = JSON.parse(stdout) as ApplyReport;
    expect([code, outcomes({ report })], why).toEqual([exit, all]);
  },
);

it('a half-done start of an earlier run is not finished where the files do not want it any more', async () => {
  const { scene, on, lose, statuses, sets } = await live(ACTIVE, PAUSED);
  Object.assign(scene.files.tree, ACTIVE);
  const seen = lose(Infinity);
  const run = scene.startAs({}, ...APPLY);
  await until(() => seen.copies === 2);
  run.kill();
  delete on.write;
  Object.assign(scene.files.tree, PAUSED);
  const before = sets().length;
  scene.answer = () => false;
  const asked = await scene.herald('apply');
  expect([asked.code, statuses(), sets().length - before], asked.stderr).toEqual([1, ['active'], 0]);
  const applied = await scene.herald(...APPLY);
  expect([applied.code, statuses(), sets().length - before], applied.stdout).toEqual([0, ['paused'], 1]);
  expect((await scene.herald('plan', '--detailed-exitcode')).code).toBe(0);
});

it('an early stop of a broadcast that only lists showed is adopted', async () => {
  const two = (status: string, campaigns: readonly Readonly<Record<string, unknown>>[]) =>
    declaring({ campaigns, broadcasts: [broadcast({ status })] });
  const { scene, apply, lose } = await live(two('scheduled', []));
  Object.assign(scene.files.tree, two('scheduled', [campaign()]));
  await dieAfter(scene, 'begin', APPLY);
  lose(9, { text: 'priority' });
  const ran = await apply(two('paused', [campaign()]), '--format', 'json');
  expect(ran.stdout).toMatch(/"action": "pause",\s+"outcome": "adopted"/);
});

describe('after a state that was cut,', () => {
  it('one run with targets waits, and then what Herald pauses is its own', async () => {
    const { apply, cutState, statuses } = await live(ACTIVE);
    await cutState();
    const target = ['--target', 'alice/campaign/Welcome'];
    expect((await apply(PAUSED, ...target)).stderr).toContain('Waiting up to 90 s');
    expect((await apply(ACTIVE, ...target)).stderr).not.toContain('Waiting');
    expect(statuses()).toEqual(['active']);
  });

  it('what Herald had paused before it counts as stopped by a person', async () => {
    const { apply, cutState, statuses } = await live(ACTIVE, PAUSED);
    await cutState();
    await apply();
    const ran = await apply(ACTIVE);
    expect([ran.code, statuses()]).toEqual([5, ['paused']]);
    expect(ran.stdout).toContain('Paused outside Herald, or by a run that the state does not have');
  });
});

it('a stop of one object by its id leaves another one of its name, with a lost copy in its start', async () => {
  const { scene, simulator, on, apply, lose, statuses } = await live(ACTIVE, PAUSED);
  lose(1);
  expect((await apply(ACTIVE)).code).toBe(0);
  delete on.write;
  scene.clock.move(30 * 3_600_000);
  simulator.control.seedCampaign('101', { id: '77', name: 'Welcome', messages: [{ text: 'A copy' }] });
  scene.clock.move(60_000);
  await scene.herald('campaigns', 'pause', '77', '--account', 'alice', '--yes');
  expect(statuses()).toEqual(['paused', 'active']);
});

it('a status change that was answered after a lost copy holds up nothing, and is not called unconfirmed', async () => {
  const { scene, apply, lose } = await live(ACTIVE);
  lose(1);
  expect((await apply(PAUSED)).code).toBe(0);
  scene.clock.move(24 * 3_600_000);
  expect((await scene.herald('plan')).code).toBe(0);
  const again = await apply();
  expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('Waiting')]);
});

describe('a pause that was answered after a lost copy', () => {
  const pausedLong = async () => {
    const site = await live(ACTIVE);
    site.lose(1);
    expect((await site.apply(PAUSED)).code).toBe(0);
    site.scene.clock.move(86_400_000);
    site.person('active');
    return site;
  };

  it('is sent again for what a person has started since', async () => {
    const { apply, statuses } = await pausedLong();
    expect([(await apply()).code, statuses()]).toEqual([0, ['paused']]);
  });

  it('does not stand for a later one of a person', async () => {
    const { scene, apply, statuses, person } = await pausedLong();
    expect([(await apply(ACTIVE)).code, statuses()]).toEqual([0, ['active']]);
    person('paused');
    scene.clock.move(3_600_000);
    expect([(await apply()).code, statuses()]).toEqual([5, ['paused']]);
  });
});

it.each([
  ['its name', [campaign({ name: 'Hello', renamed_from: 'Welcome', messages: [{ text: 'New' }] })], 'Hello'],
  ['its content', [campaign(), campaign({ name: 'Second' })], 'Second'],
])('a start that was answered after a lost copy holds up another one of %s once', async (_, files, made) => {
  const { scene, apply, lose, person } = await live(ACTIVE, PAUSED);
  lose(1);
  expect((await apply(ACTIVE)).code).toBe(0);
  if (made === 'Second') person('paused');
  scene.clock.move(24 * 3_600_000);
  const ran = await apply(declaring({ campaigns: files }));
  expect(ran.stdout).toMatch(new RegExp(`applied.*${made}`));
});

it('a status change that is settled by one more copy costs one window', async () => {
  const { scene } = await live(ACTIVE);
  Object.assign(scene.files.tree, PAUSED);
  await dieBefore(scene, (what) => what === 'end');
  scene.clock.move(3_600_000);
  const beganMs = scene.clock.monotonicMs();
  expect((await scene.herald(...APPLY)).code).toBe(0);
  expect(scene.clock.monotonicMs() - beganMs).toBeLessThan(120_000);
});

it.each([
  ['it was only seen by another apply', 0],
  ['its start could not be sent', 1],
])('a saved plan that lifts a stop of a person is not stale because %s', async (_, exit) => {
  const both = declaring({ campaigns: [campaign(), another('paused')] });
  const { scene, on, statuses, person } = await live(both);
  person('paused');
  scene.clock.move(60_000);
  expect((await scene.herald('plan', '--allow', 'resume', '--out', 'plan.json')).code).toBe(0);
  if (exit === 1) on.write = async () => answered(429);
  const apply = () => scene.herald('apply', 'plan.json', '--yes');
  const between =
    exit === 1 ? await apply() : await scene.herald(...APPLY, '--exclude', 'alice/campaign/Welcome');
  expect(between.code).toBe(exit);
  delete on.write;
  scene.clock.move(60_000);
  expect([(await apply()).code, statuses()]).toEqual([0, ['active']]);
});

it.each([
  ['campaign', ACTIVE, 'Welcome', 'Hey', ['active', 'archived']],
  ['broadcast', declaring({ broadcasts: [broadcast()] }), 'Teaser', 'Tomorrow', ['paused', 'scheduled']],
] as const)(
  'the stop of a duplicate is sent again where it was lost: %s',
  async (kind, files, name, text, expected) => {
    const { scene, simulator, apply, lose, statuses } = await live(files);
    const twin = { id: '999999999999999999', name, messages: [{ text }] };
    const hour = kind === 'campaign' ? {} : { scheduled_at: '2026-06-01T15:00:00Z' };
    simulator.control.seed({ account_id: '101', kind, set: { ...twin, ...hour } });
    scene.clock.move(60_000);
    lose(9, { isCarriedOut: false });
    await apply({}, '--allow', 'adopt');
    expect(statuses().toSorted()).toEqual(expected);
  },
);

it('what a person stopped is not sent again next to a newer version that Herald stopped', async () => {
  const { scene, simulator, apply, statuses, person } = await live(ACTIVE);
  simulator.control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'A try' }] });
  scene.clock.move(60_000);
  await apply({}, '--allow', 'adopt');
  expect(statuses()).toEqual(['active', 'paused']);
  person('paused');
  scene.clock.move(60_000);
  expect([(await apply(CHANGED)).code, statuses()]).toEqual([5, ['paused', 'paused']]);
});

it('a replace goes on where its pause was carried out without an answer', async () => {
  const { apply, lose, statuses } = await live(ACTIVE);
  lose(9);
  expect([(await apply(CHANGED)).code, statuses()]).toEqual([0, ['paused', 'active']]);
});

it('a stop next to a copy that is held back is reported alone, and the copy has a result of its own', async () => {
  const { scene, simulator, apply } = await live(ACTIVE);
  simulator.control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'A try' }] });
  scene.clock.move(600_000);
  const [done, held] = (await apply(PAUSED)).stdout.split('\n');
  expect(done).toMatch(/^✓ applied pause campaign "Welcome" \(\d+\) on alice$/);
  expect(held).toContain('It needs --allow adopt.');
});
