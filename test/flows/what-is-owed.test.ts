import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { turns, until } from '../helpers/flow-clock.ts';
import { dieAfter, interruptAfter } from '../helpers/flows.ts';
import { ACTIVE, answered, APPLY, CHANGED, live, PAUSE, PAUSED, another } from './live-scene.ts';

const WAITS = declaring({ broadcasts: [broadcast()] });

const refusedConnection = () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  return Object.assign(new TypeError('fetch failed'), { cause });
};

describe('a start after a stop by hand that was killed', () => {
  it.each([
    ['activation', [ACTIVE, PAUSED], ACTIVE, PAUSE, '"active"'],
    [
      'resume of the old version of a replace',
      [WAITS],
      declaring({ broadcasts: [broadcast({ messages: [{ text: 'Other' }] })] }),
      ['broadcasts', 'pause', 'alice/broadcast/Teaser', '--yes'],
      'queued',
    ],
  ])('is stopped once it is answered: %s', async (_, before, after, words, target) => {
    const { scene, on, hold, statuses } = await live(...before);
    const held = hold('write', target);
    on.create = async () => answered(400);
    Object.assign(scene.files.tree, after);
    const apply = scene.startAs({}, ...APPLY);
    await until(() => held.isSeen);
    await dieAfter(scene, 'end', words);
    held.release();
    expect((await apply.ran).stdout).toContain('so it does not run');
    expect(statuses()).toEqual(['paused']);
  });

  it.each([
    ['pause', PAUSE, 'not answered at first'],
    ['recall', ['campaigns', 'recall', 'alice/campaign/Welcome', '--yes'], 'answered'],
  ])('is stopped where it got no answer, also if it is late: %s, %s', async (_, words, how) => {
    const { scene, simulator, on, statuses } = await live(ACTIVE, PAUSED);
    Object.assign(scene.files.tree, ACTIVE);
    const operation = 'campaigns.set-status';
    simulator.control.addFault({ kind: 'late_commit', operation, nth: 1, after_sec: 40, how: 'reset' });
    await interruptAfter(scene, 'begin', APPLY);
    await dieAfter(scene, 'end', words);
    scene.clock.move(60_000);
    if (how !== 'answered') on.write = () => Promise.reject(refusedConnection());
    await scene.herald(...APPLY);
    delete on.write;
    await scene.herald(...APPLY);
    expect(statuses()).toEqual(['paused']);
  });

  it.each(['down', 'busy'])('is stopped once more where that does not get through: %s', async (how) => {
    const { scene, on, apply, statuses } = await live(ACTIVE);
    on.create = async (answer) => {
      await dieAfter(scene, 'end', PAUSE);
      on.write = async () => (how === 'busy' ? answered(429) : Promise.reject(refusedConnection()));
      return answer();
    };
    expect((await apply(CHANGED)).code).toBe(3);
    delete on.write;
    await apply();
    expect(statuses()).toEqual(['paused', 'paused']);
  });
});

describe('a start without an answer', () => {
  it.each(['by the same run', 'after a kill'])('is not sent again once a person paused: %s', async (when) => {
    const { scene, on, statuses, person } = await live(ACTIVE, PAUSED);
    Object.assign(scene.files.tree, ACTIVE);
    let copies = 0;
    on.write = async (answer) => {
      const response = await answer();
      copies += 1;
      if (copies === 9) void scene.clock.sleep(30_000).then(() => person('paused'));
      if (when === 'after a kill') apply.kill();
      return copies > 9 ? response : answered(502);
    };
    const apply = scene.startAs({}, ...APPLY);
    if (when === 'after a kill') {
      await until(() => copies === 1);
      await turns(20);
      scene.clock.move(60_000);
      person('paused');
      scene.clock.move(60_000);
    } else expect((await apply.ran).code).toBe(1);
    delete on.write;
    const again = await scene.herald(...APPLY);
    expect([again.code, statuses()]).toEqual([5, ['paused']]);
    expect(again.stdout).toContain('or a person has stopped it since');
  });

  it('of a create is not taken for what a person makes hours later', async () => {
    const { scene, simulator, on } = await live({});
    Object.assign(scene.files.tree, ACTIVE);
    on.write = async () => {
      apply.kill();
      return answered(502);
    };
    const apply = scene.startAs({}, ...APPLY);
    await turns(400);
    scene.clock.move(20 * 3_600_000);
    delete on.write;
    simulator.control.seedCampaign('101', {
      name: 'Welcome',
      created_at: new Date(scene.clock.now()).toISOString(),
    });
    scene.clock.move(60_000);
    expect((await scene.herald(...APPLY)).code).toBe(5);
  });
});

describe('a status change without a 2xx', () => {
  it.each(['down', 'busy'])('is asked for again until it has one: %s', async (how) => {
    const { simulator, on, apply, sets } = await live(ACTIVE);
    const operation = 'campaigns.set-status';
    simulator.control.addFault({ kind: 'partial_commit', operation, nth: 1, times: 9 });
    let copies = 0;
    on.write = async (answer) => {
      copies += 1;
      if (copies <= 9) return answer();
      return how === 'busy' ? answered(429) : Promise.reject(refusedConnection());
    };
    const first = await apply(declaring({ campaigns: [campaign({ status: 'archived' })] }));
    expect([first.code, first.stdout]).toEqual([3, expect.not.stringContaining('applied')]);
    delete on.write;
    await apply();
    expect(sets().length).toBe(1);
  });

  it('is adopted, and each object of a name has its own line', async () => {
    const { scene, simulator, apply, lose, id } = await live(ACTIVE);
    simulator.control.seedCampaign('101', {
      id: '9999999999999999',
      name: 'Welcome',
      messages: [{ text: 'Two' }],
    });
    scene.clock.move(60_000);
    lose(9, { text: `/${id()}/` });
    const { stdout } = await apply(PAUSED, '--allow', 'adopt');
    expect(stdout.split(id()).length).toBe(2);
  });
});

it('a broadcast is not moved less than seven minutes before the hour that it has', async () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
  const at = (scheduled_at: string) =>
    declaring({
      broadcasts: names.map((name) => broadcast({ name, scheduled_at, messages: [{ text: name }] })),
    });
  const { scene, simulator, on, apply } = await live(at('2026-06-01T13:00Z'));
  scene.clock.move(Date.UTC(2026, 5, 1, 12, 49, 30) - scene.clock.now());
  on.create = async (answer) => {
    await scene.clock.sleep(60_000);
    return answer();
  };
  await apply(at('2026-06-01T20:00Z'));
  const pauses = simulator.world.commits.filter(({ status }) => status === 'paused');
  expect(pauses.length).toBeGreaterThan(0);
  expect(pauses.filter(({ at: when }) => Date.parse(when) > Date.UTC(2026, 5, 1, 12, 53))).toEqual([]);
});

it.each([
  ['what left early is reported although the lists fail after it', [], 3, '"action": "pause"'],
  ['nothing leaves early for a pattern without a match', ['--exclude', 'alice/campaign/Bb'], 1, 'no-match'],
])('%s', async (_, more, exit, said) => {
  const two = (status: string) => declaring({ campaigns: [another(status), campaign()] });
  const { scene, on, apply } = await live(declaring({ campaigns: [another()] }));
  Object.assign(scene.files.tree, two('active'));
  await dieAfter(scene, 'begin', APPLY);
  on.write = async (answer) => {
    on.read = async () => answered(502);
    return answer();
  };
  const ran = await apply(two('paused'), '--format', 'json', ...more);
  expect([ran.code, ran.stdout]).toEqual([exit, expect.stringContaining(said)]);
  expect(on.read === undefined).toBe(more.length > 0);
});

describe('a stop by hand', () => {
  it.each([
    ['dora: { id: "201", platform: secondary }', 0],
    ['gone: { username: "gone_x" }', 4],
  ])('is not held up by an account that cannot be used: %s', async (account, exit) => {
    const { scene, statuses } = await live(ACTIVE);
    const workspace = scene.files.tree['herald.yaml'] ?? '';
    scene.files.tree['herald.yaml'] = workspace.replace(/ {2}bob: .*/, `  ${account}`);
    expect([(await scene.herald('campaigns', 'pause', '--all', '--yes')).code, statuses()]).toEqual([
      exit,
      ['paused'],
    ]);
  });

  it('says so where the list of a pattern cannot be read', async () => {
    const { scene, simulator, on, statuses } = await live(ACTIVE);
    simulator.control.seedCampaign('101', { id: '77', name: 'Extra' });
    on.read = async (answer, { path }) => {
      const { headers } = await answer();
      return path.endsWith('-campaigns') ? new Response('{}', { status: 502, headers }) : answer();
    };
    const ran = await scene.herald('campaigns', 'pause', 'alice/**', '--yes');
    expect([ran.code, statuses()]).toEqual([4, ['active', 'paused']]);
    expect(ran.stdout).toContain('Only what is on record was stopped');
  });

  it('of an alias that has moved stops both accounts', async () => {
    const { scene, simulator, apply } = await live({});
    const workspace = scene.files.tree['herald.yaml'] ?? '';
    scene.files.tree['herald.yaml'] = workspace.replace(/ {2}alice: .*/, '  alice: { custom_label: "Main" }');
    const [first, second] = ['101', '102'].map((id) => simulator.world.accounts[id]);
    if (first === undefined || second === undefined) throw new Error('the world has both');
    Object.assign(first.live, { custom_label: 'Main' });
    expect((await apply(ACTIVE)).code).toBe(0);
    simulator.control.seedCampaign('102', { id: '55', name: 'Welcome' });
    scene.clock.move(60_000);
    Object.assign(first.live, { custom_label: null });
    Object.assign(second.live, { custom_label: 'Main' });
    const ran = await scene.herald(...PAUSE);
    const all = [first, second].flatMap(({ campaigns }) =>
      Object.values(campaigns).map(({ live: { status } }) => status),
    );
    expect([ran.code, all]).toEqual([0, ['paused', 'paused']]);
    expect(ran.stderr).toContain('This stops both.');
  });

  it('of many objects does not wait for one that hangs', async () => {
    const names = ['A', 'B', 'C'];
    const { scene, on } = await live(
      declaring({ campaigns: names.map((name) => campaign({ name, messages: [{ text: name }] })) }),
    );
    const beganMs = scene.clock.monotonicMs();
    const leftMs: number[] = [];
    on.write = (answer) => {
      leftMs.push(scene.clock.monotonicMs() - beganMs);
      return leftMs.length === 1 ? new Promise(() => undefined) : answer();
    };
    await scene.herald('campaigns', 'pause', 'alice/**', '--yes');
    expect(leftMs.filter((ms) => ms < 20_000).length).toBe(3);
  });
});

it.each([
  ['of a person', []],
  ['of Herald', [PAUSED]],
])('a saved plan that lifts one stop, %s, does not lift the next one', async (_, files) => {
  const { scene, statuses } = await live(ACTIVE, ...files);
  if (files.length === 0) await scene.herald(...PAUSE);
  scene.clock.move(60_000);
  Object.assign(scene.files.tree, ACTIVE);
  expect((await scene.herald('plan', '--allow', 'resume', '--out', 'plan.json')).code).toBe(0);
  if (files.length === 0) expect((await scene.herald('apply', 'plan.json', '--yes')).code).toBe(0);
  scene.clock.move(60_000);
  await scene.herald(...PAUSE);
  expect([(await scene.herald('apply', 'plan.json', '--yes')).code, statuses()]).toEqual([5, ['paused']]);
});
