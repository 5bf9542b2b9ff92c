import { HeraldError } from '../../src/domain/herald-error.ts';
import { describe, expect, it } from 'vitest';
import { applyReportShape, planShape } from '../../src/domain/change.ts';
import type { RateBudget } from '../../src/api/limiter.ts';
import { openWorkspace, type WorkspaceOptions } from '../../src/library/workspace.ts';
import type { RunEvent } from '../../src/engine/run.ts';
import { createsSent } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const WELCOME = `accounts: [alice]
campaigns:
  - name: Welcome
    trigger: welcome_message
    action: send_message
    rules: { send_delay_interval: { min_sec: 30, range_sec: 60 } }
    audience: everyone
    messages: [{ text: Hello }]
`;

const SCENE = { files: { 'live/welcome.yaml': WELCOME }, world: {} };

/** A workspace with the ports of a scene: a clock that jumps, files in memory, the embedded simulator. */
function opened(scene: Scene, options: WorkspaceOptions = {}) {
  const { files, bytes, clock, events } = scene;
  const identity = { run: 'a-run', who: options.who ?? 'library' };
  const { access: state } = scene.state.access({ clock, files, env: {}, identity, process: 'a process' });
  return openWorkspace('.', { ...options, ports: { files, state, bytes, clock, events, ...options.ports } });
}

describe('a workspace as a library', () => {
  it('plans, applies exactly that plan, and has nothing to do then', async () => {
    const herald = opened(aScene(SCENE), { who: 'a program' });
    expect(await herald.validate()).toMatchObject({ valid: true, resources: 1 });
    const reviewed = await herald.plan();
    expect(planShape.parse(reviewed.plan).summary.create).toBe(1);
    const report = await herald.apply(reviewed);
    expect(applyReportShape.parse(report)).toMatchObject({ exit: 0, outcomes: [{ outcome: 'applied' }] });
    expect((await herald.plan()).plan.summary).toMatchObject({ create: 0, keep: 1 });
    expect((await herald.drift()).changes.filter(({ action }) => action !== 'keep')).toEqual([]);
    const history = await herald.history();
    expect(history).toMatchObject({
      schema: 'herald/list/1',
      items: [{ who: 'a program', action: 'create', outcome: 'done' }],
      complete: true,
    });
    await herald.close();
  });

  it('takes a plan that was kept as JSON, also in another process', async () => {
    const scene = aScene(SCENE);
    const kept = JSON.stringify(await opened(scene).plan());
    const other = { ...JSON.parse(kept), schema: 'herald/saved-plan/9' };
    await expect(opened(scene).apply(other)).rejects.toMatchObject({ code: 'bad-plan-file' });
    const more = { ...JSON.parse(kept), allow: ['prune'] };
    await expect(opened(scene).apply(more)).rejects.toMatchObject({ code: 'bad-plan-file' });
    await expect(opened(scene).history({ since: 'yesterday' })).rejects.toMatchObject({ code: 'bad-flag' });
    expect((await opened(scene).apply(JSON.parse(kept))).summary.applied).toBe(1);
  });

  it('says what the command would end with after a change that was refused', async () => {
    const scene = aScene(SCENE);
    await scene.fault({ kind: 'refusal', operation: 'campaigns.create', status: 403 });
    const herald = opened(scene);
    expect((await herald.apply(await herald.plan())).exit).toBe(1);
  });

  it('plans only what is asked for', async () => {
    const renamed = WELCOME.replace('Welcome', 'Hello').replace(
      'trigger',
      'renamed_from: Welcome\n    trigger',
    );
    const files = { ...SCENE.files, 'live/other.yaml': renamed.replace('[alice]', '[bob]') };
    const herald = opened(aScene({ ...SCENE, files }));
    const { plan } = await herald.plan({ exclude: ['alice/campaign/*'] });
    expect(plan.changes.map(({ address }) => address.name)).toEqual(['Hello']);
    const refused = [{ target: ['alice/campaign/Welcom'] }, { exclude: ['bob/campaign/Welcome'] }];
    await expect(herald.plan(refused[0])).rejects.toMatchObject({ code: 'no-match' });
    await expect(herald.drift(refused[1])).rejects.toMatchObject({ code: 'excluded-rename' });
  });

  it('reports its progress, also while it waits for a lost answer', async () => {
    const scene = aScene(SCENE);
    const lost = { how: 'reset', when: 'after_commit', nth: 1 } as const;
    await scene.fault({ kind: 'broken_answer', operation: 'campaigns.create', ...lost });
    const events: RunEvent[] = [];
    const herald = opened(scene, { onEvent: (event) => events.push(event) });
    expect((await herald.apply(await herald.plan())).summary).toMatchObject({ adopted: 1, unknown: 0 });
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['reading', 'applying']));
    const first = { kind: 'settling', requests: 1, canStop: true, isFirst: true };
    expect(events).toContainEqual(expect.objectContaining(first));
  });

  it('begins nothing new once its signal is aborted', async () => {
    const scene = aScene(SCENE);
    const controller = new AbortController();
    const herald = opened(scene, { signal: controller.signal });
    const reviewed = await herald.plan();
    controller.abort(new Error('interrupted'));
    await expect(herald.apply(reviewed)).rejects.toMatchObject({
      code: 'interrupted',
      message: 'Interrupted; nothing was sent.',
    });
    expect(await createsSent(scene)).toBe(0);
  });

  it('rejects with every problem of the files, and needs no key for that', async () => {
    const scene = aScene({ ...SCENE, files: { 'live/welcome.yaml': WELCOME.replace('Welcome', '""') } });
    const { valid, diagnostics } = await opened(scene).validate();
    expect([valid, diagnostics.length > 0]).toEqual([false, true]);
    const refusal = { code: 'invalid-files', details: { diagnostics } };
    await expect(opened(scene).plan()).rejects.toMatchObject(refusal);
  });

  const [HERE, ELSEWHERE] = ['http://127.0.0.1:9', 'https://api.example.com'];
  it.each([
    ['without a key', HERE, {}, 'no-api-key'],
    ['with a key that no header can carry', HERE, { apiKey: 'a b' }, 'bad-api-key'],
    ['where only herald.yaml names the address', ELSEWHERE, { apiKey: 'ab' }, 'untrusted-origin'],
    ['where the program allows it without a key', ELSEWHERE, { allowedOrigins: [ELSEWHERE] }, 'no-api-key'],
  ])('sends nothing %s', async (_, url, options, code) => {
    const files = { 'herald.yaml': `version: 1\nservice: { base_url: "${url}" }\naccounts: {}\n` };
    const planned = opened(aScene({ files }), options).plan();
    await expect(planned).rejects.toBeInstanceOf(HeraldError);
    await expect(planned).rejects.toMatchObject({ code });
  });

  it('asks a rate budget that the program hands in before each request', async () => {
    const asked: string[] = [];
    const slot = { answered: () => undefined, abandon: () => undefined, isOpen: () => true };
    const shares: number[] = [];
    const rateBudget = (share: number): RateBudget => {
      shares.push(share);
      return {
        acquire: async (buckets) => {
          asked.push(...buckets.map(({ key }) => key));
          return slot;
        },
        penalise: () => undefined,
      };
    };
    const herald = opened(aScene(SCENE), { ports: { rateBudget } });
    await herald.plan();
    await herald.plan();
    expect(shares, 'one budget for all runs').toHaveLength(1);
    expect(new Set(asked)).toEqual(new Set(['token', 'endpoint:campaigns.list']));
  });
});
