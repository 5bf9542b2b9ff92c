import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { interruptAfter } from '../helpers/flows.ts';
import { ACTIVE, APPLY, CHANGED, live, PAUSE, PAUSED } from './live-scene.ts';

const isOfOne = (path: string) => /campaigns\/\d+$/.test(path);

describe('a stop', () => {
  it('is sent where a single read lags behind the start of a person', async () => {
    const { scene, simulator, apply, person, versions } = await live(ACTIVE, PAUSED);
    person('active');
    const lag = { listsMs: 0, readsMs: scene.clock.now() + 9_000, status: 'paused' };
    for (const one of Object.values(simulator.world.accounts['101']?.campaigns ?? {})) one.lag = lag;
    expect((await apply()).stdout).toContain('applied pause');
    expect(versions()).toEqual(['Hey paused']);
  });

  it('that a person was faster with is not sent, and stays the stop of that person', async () => {
    const { on, apply, person, sets } = await live(ACTIVE);
    on.read = (answer, { path }) => {
      if (isOfOne(path)) person('paused');
      return answer();
    };
    const { code, stdout } = await apply(PAUSED);
    expect([code, stdout, sets()]).toEqual([
      0,
      expect.stringContaining('A person or the service has stopped'),
      [],
    ]);
    expect(stdout).not.toContain('applied');
    expect((await apply(ACTIVE)).code, 'it needs --allow resume').toBe(5);
  });

  it('follows a start without an answer, which is not sent once more', async () => {
    const { scene, simulator, apply, versions } = await live(ACTIVE, PAUSED);
    Object.assign(scene.files.tree, ACTIVE);
    const operation = 'campaigns.set-status';
    simulator.control.addFault({ kind: 'late_commit', operation, nth: 1, after_sec: 40, how: 'reset' });
    expect((await interruptAfter(scene, 'begin', APPLY)).code).toBe(3);
    const before = simulator.world.commits.length;
    await apply(PAUSED);
    expect(versions()).toEqual(['Hey paused']);
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
    const { scene, on, apply, person, versions } = await live(two('old'));
    on.create = async (answer) => {
      delete on.create;
      await scene.clock.sleep(40_000);
      person('paused', 'B');
      return answer();
    };
    const { code, stdout } = await apply(two('new'));
    expect([code, versions()]).toEqual([4, ['old A paused', 'old B paused', 'new A active']]);
    expect(stdout).not.toContain('runs as well');
  });

  it.each([
    ['pause_first', 'archived', ['Hey archived']],
    ['create_first', 'paused', ['Hey paused', 'Hello active']],
  ])('with %s, and a person has %s the old version', async (replace, status, left) => {
    const second = declaring({ campaigns: [campaign({ replace, messages: [{ text: 'Hello' }] })] });
    const { on, apply, person, versions } = await live(ACTIVE);
    on.write = async (answer) => {
      delete on.write;
      const response = await answer();
      person(status);
      return response;
    };
    const { stdout } = await apply(second);
    expect(versions()).toEqual(left);
    expect(stdout).not.toContain('runs as well');
  });

  it('of which a person stops the new version by hand is not unknown: the report says who did it', async () => {
    const { scene, on, apply, versions } = await live(ACTIVE);
    on.create = async (answer) => {
      on.read = async (read, { path }) => {
        if (!isOfOne(path)) return read();
        delete on.read;
        await scene.herald(...PAUSE);
        return read();
      };
      return answer();
    };
    const { code, stdout } = await apply(CHANGED);
    expect([code, versions()]).toEqual([4, ['Hey paused', 'Hello paused']]);
    expect(stdout).toContain('tester stopped it with "campaigns pause" meanwhile, so it does not run');
  });
});
