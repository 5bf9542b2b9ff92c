import { describe, expect, it } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';

const welcome = (more: Readonly<Record<string, unknown>> = {}) => declaring({ campaigns: [campaign(more)] });
const PAUSED = welcome({ status: 'paused' });

type Alter = NonNullable<Parameters<typeof altered>[0]>;

/** The first files are live for a minute, and the files say the second ones. Then `alter` begins to see each request. */
async function edited(first: Record<string, string>, second: Record<string, string>, alter?: Alter) {
  let isArmed = false;
  const { scene, simulator } = altered(
    (request, answer) => (isArmed && alter !== undefined ? alter(request, answer) : answer()),
    { files: first },
  );
  expect((await scene.herald('apply', '--yes')).code).toBe(0);
  scene.clock.move(60_000);
  Object.assign(scene.files.tree, second);
  const all = () => Object.values(simulator.world.accounts['101']?.campaigns ?? {}).map(({ live }) => live);
  return {
    scene,
    simulator,
    arm: () => void (isArmed = true),
    /** A person changes the status of a campaign, by its name. */
    person: (status: string, name = 'Welcome') => {
      const { id } = all().find((one) => one.name === name) ?? {};
      simulator.control.editCampaign('101', id ?? '', { status });
    },
    statuses: () => all().map(({ messages: [message], status }) => `${message?.text} ${status}`),
    /** Successful changes of a status. */
    sets: () =>
      simulator.world.requests.filter(({ method, status }) => method === 'PATCH' && (status ?? 0) < 300),
  };
}

const isReadOfOne = ({ method, url }: Request) =>
  method === 'GET' && /campaigns\/\d+$/.test(new URL(url).pathname);

describe('a stop', () => {
  it('is sent where a single read lags behind the start of a person', async () => {
    const { scene, simulator, person, statuses } = await edited(welcome(), PAUSED);
    await scene.herald('apply', '--yes');
    scene.clock.move(60_000);
    person('active');
    const lag = { listsMs: 0, readsMs: scene.clock.now() + 9_000, status: 'paused' };
    for (const one of Object.values(simulator.world.accounts['101']?.campaigns ?? {})) one.lag = lag;
    expect((await scene.herald('apply', '--yes')).stdout).toContain('applied pause');
    expect(statuses()).toEqual(['Hey paused']);
  });

  it('that a person was faster with is not sent, and stays the stop of that person', async () => {
    const { scene, arm, person, sets } = await edited(welcome(), PAUSED, (request, answer) => {
      if (isReadOfOne(request)) person('paused');
      return answer();
    });
    arm();
    const { code, stdout } = await scene.herald('apply', '--yes');
    expect([code, stdout, sets()]).toEqual([
      0,
      expect.stringContaining('A person or the service has stopped'),
      [],
    ]);
    expect(stdout).not.toContain('applied');
    Object.assign(scene.files.tree, welcome());
    expect((await scene.herald('apply', '--yes')).code, 'it needs --allow resume').toBe(5);
  });

  it('follows a start without an answer, which is not sent once more', async () => {
    const { scene, simulator, statuses } = await edited(welcome(), PAUSED);
    await scene.herald('apply', '--yes');
    scene.clock.move(60_000);
    Object.assign(scene.files.tree, welcome());
    const operation = 'campaigns.set-status';
    simulator.control.addFault({ kind: 'late_commit', operation, nth: 1, after_sec: 40, how: 'reset' });
    const onRecord = (what: string) => {
      if (what === 'begin') run.interrupt();
      return 'done' as const;
    };
    const run = scene.startAs({ onRecord }, 'apply', '--yes');
    expect((await run.ran).code).toBe(3);
    Object.assign(scene.files.tree, PAUSED);
    const before = simulator.world.commits.length;
    await scene.herald('apply', '--yes');
    expect(statuses()).toEqual(['Hey paused']);
    const since = simulator.world.commits.slice(before);
    expect(since.map((one) => one.status)).toEqual(['paused', 'active', 'paused']);
  });
});

describe('a replace', () => {
  it('creates nothing where the list right before it shows that a person has paused the old version', async () => {
    const two = (text: string) =>
      declaring({
        campaigns: ['A', 'B'].map((name) =>
          campaign({ name, messages: [{ text: `${text} ${name}` }], replace: 'create_first' }),
        ),
      });
    let isSlow = true;
    const { scene, arm, person, statuses } = await edited(two('old'), two('new'), async (request, answer) => {
      if (isSlow && request.method === 'POST') {
        isSlow = false;
        await scene.clock.sleep(40_000);
        person('paused', 'B');
      }
      return answer();
    });
    arm();
    const { code, stdout } = await scene.herald('apply', '--yes');
    expect([code, statuses()]).toEqual([4, ['old A paused', 'old B paused', 'new A active']]);
    expect(stdout).not.toContain('runs as well');
  });

  it.each([
    ['pause_first', 'archived', ['Hey archived']],
    ['create_first', 'paused', ['Hey paused', 'Hello active']],
  ])('with %s, and a person has %s the old version', async (replace, status, left) => {
    const second = welcome({ replace, messages: [{ text: 'Hello' }] });
    let isFirst = true;
    const { scene, arm, person, statuses } = await edited(welcome(), second, async (request, answer) => {
      const response = await answer();
      if (isFirst && request.method !== 'GET') {
        isFirst = false;
        person(status);
      }
      return response;
    });
    arm();
    const { stdout } = await scene.herald('apply', '--yes');
    expect(statuses()).toEqual(left);
    expect(stdout).not.toContain('runs as well');
  });

  it('of which a person stops the new version by hand is not unknown: the report says who did it', async () => {
    let wasCreated = false;
    const second = welcome({ messages: [{ text: 'Hello' }] });
    const { scene, arm, statuses } = await edited(welcome(), second, async (request, answer) => {
      if (wasCreated && isReadOfOne(request)) {
        wasCreated = false;
        await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
      }
      wasCreated ||= request.method === 'POST';
      return answer();
    });
    // Loads the code of the command: the clock does not wait for that.
    await scene.herald('campaigns', 'pause', '77', '--account', 'alice', '--yes');
    arm();
    const { code, stdout } = await scene.herald('apply', '--yes');
    expect([code, statuses()]).toEqual([4, ['Hey paused', 'Hello paused']]);
    expect(stdout).toContain('tester stopped it with "campaigns pause" meanwhile, so it does not run');
  });
});
