import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { applyReportShape, errorReportShape, planShape } from '../../src/domain/change.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, expectEnd } from '../helpers/flows.ts';
import { aScene, type Scene, WORKSPACE } from '../helpers/scene.ts';
import { ACTIVE, answered, APPLY, live, PAUSE } from './live-scene.ts';

const two = declaring({ campaigns: [campaign(), campaign({ name: 'Two', messages: [{ text: 'Two' }] })] });

interface Before {
  readonly files?: Record<string, string>;
  readonly prepare?: (scene: Scene) => Promise<unknown>;
}

const STOP = 'campaigns pause alice/campaign/Welcome --yes';
const apply = (scene: Scene) => scene.herald('apply', '--yes');
const inOrder = (...acts: readonly ((scene: Scene) => unknown)[]): Before => ({
  prepare: async (scene) => {
    for (const act of acts) await act(scene);
  },
});
const someoneElses = inOrder((scene) =>
  scene.service((control) => control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Mine' }] })),
);
const withoutReads = inOrder((scene) =>
  scene.service((control) => control.addKey({ key: 'sim-key', permissions: ['auto_messages.edit'] })),
);
const refusedOnce: Before = {
  files: two,
  prepare: (scene) => scene.fault({ kind: 'refusal', operation: 'campaigns.create', status: 403, nth: 2 }),
};
const loseAnswer = (scene: Scene) =>
  scene.fault({
    kind: 'broken_answer',
    operation: 'campaigns.set-status',
    how: 'reset',
    when: 'before_commit',
  });
const stop = (scene: Scene) => scene.herald(...STOP.split(' '));
const remove = (scene: Scene) => Object.assign(scene.files.tree, { 'live/all.yaml': 'campaigns: []\n' });
const unanswered = inOrder(apply, loseAnswer);
const unconfirmed = inOrder(apply, loseAnswer, stop, remove);
const paused = inOrder(apply, stop);
const removed = inOrder(apply, remove);
const mixed = { ...someoneElses, files: two };
const missed: Before = {
  files: declaring({ broadcasts: [broadcast({ scheduled_at: '2026-05-31T18:00:00Z' })] }),
};
const denied: Before = {
  files: { ...ACTIVE, 'herald.yaml': `${WORKSPACE}policy: { banned_words: [hey] }\n` },
};
const broken: Before = { files: { 'live/all.yaml': 'campaign: []' } };

describe.each<[number, string, string, z.ZodType, Before?]>([
  [0, 'a plan with something to do', 'plan', planShape],
  [0, 'an apply', 'apply --yes', applyReportShape],
  [0, 'no drift', 'drift', planShape, { prepare: apply }],
  [1, 'files that do not hold', 'plan', errorReportShape, broken],
  [1, 'an apply with no one to ask', 'apply', errorReportShape],
  // ACCOUNT-11
  [1, 'a key that may not read', 'apply --yes', errorReportShape, withoutReads],
  [2, 'a plan with --detailed-exitcode', 'plan --detailed-exitcode', planShape],
  [2, 'a drift', 'drift', planShape],
  [3, 'a stop that gets no answer', STOP, applyReportShape, unanswered],
  // ACCOUNT-12
  [4, 'a key that is refused after the first create', 'apply --yes', applyReportShape, refusedOnce],
  [0, 'a plan of an unconfirmed request alone', 'plan --detailed-exitcode', planShape, unconfirmed],
  [0, 'a drift of an unconfirmed request alone', 'drift', planShape, unconfirmed],
  [0, 'a plan of what has left the files', 'plan --detailed-exitcode', planShape, removed],
  [0, 'a plan of what was missed', 'plan --detailed-exitcode', planShape, missed],
  [2, 'a drift of what was paused', 'drift', planShape, paused],
  [2, 'a drift of what is blocked', 'drift', planShape, someoneElses],
  [5, 'a blocked plan', 'plan', planShape, someoneElses],
  [5, 'a plan of a create and of what is blocked', 'plan --detailed-exitcode', planShape, mixed],
  [5, 'a plan that the policy denies', 'plan', planShape, denied],
  [5, 'an apply that leaves something to a person', 'apply --yes', applyReportShape, mixed],
])('exit %i: %s', (code, _title, line, shape, { files = ACTIVE, prepare } = {}) => {
  it('in text, and in JSON as exactly one document on stdout', async () => {
    const scene = aScene({ files });
    await prepare?.(scene);
    const run = async (...format: string[]) => {
      const ran = await scene.copy().herald(...line.split(' '), ...format);
      expect(ran.code, ran.stderr + ran.stdout).toBe(code);
      return ran;
    };
    const { stdout, stderr } = await run();
    expect(stdout + stderr).not.toBe('');
    expect(stdout + stderr).not.toMatch(/\n {4}at .*:\d+/);
    documentOf(await run('--format', 'json'), shape);
  });
});

it('what was applied is reported also when the look afterwards fails', async () => {
  const scene = aScene({ files: ACTIVE });
  const how = { how: '500', when: 'after_commit', nth: 2, times: 100 } as const;
  await scene.fault({ kind: 'broken_answer', operation: 'campaigns.list', ...how });
  const ran = await scene.herald('apply', '--yes', '--format', 'json');
  expect(ran.code).toBe(0);
  expect(documentOf(ran, applyReportShape).summary.applied).toBe(1);
  expect(ran.stderr).toContain('The result could not be verified');
});

describe('what was sent is reported', () => {
  const failed = () => Promise.reject(new HeraldError('state-unreachable', 'It broke.', 'Check it.'));

  it('although the state cannot be read after an answer that was lost', async () => {
    const { scene, on, statuses } = await live({});
    on.create = async (answer) => {
      await answer();
      on.read = async () => answered(502);
      return answered(502);
    };
    Object.assign(scene.files.tree, ACTIVE);
    const gate = () => (on.read === undefined ? Promise.resolve() : failed());
    const { code, stdout } = await scene.startAs({ gate }, ...APPLY).ran;
    expect(statuses()).toHaveLength(1);
    expect([code, stdout]).toEqual([3, expect.stringContaining('UNKNOWN create campaign "Welcome"')]);
  });

  it('although the state cannot be closed, with the reason and exit 4', async () => {
    let uses = 0;
    const apply = (failing: number) => {
      const { scene } = altered(undefined, { files: ACTIVE });
      uses = 0;
      const gate = () => ((uses += 1) === failing ? failed() : Promise.resolve());
      return scene.startAs({ gate }, 'apply', '--yes').ran;
    };
    await apply(0);
    const ran = await apply(uses);
    expectEnd(ran, 4, /warning: not-on-record: The state could not be closed.*It broke\. Check it\./);
    expect(ran.stdout).toContain('applied create campaign "Welcome"');
  });

  it('a stop that gets no answer for two minutes was not interrupted', async () => {
    const { scene, on } = await live(ACTIVE);
    on.write = async () => {
      await scene.clock.sleep(20_000);
      return answered(502);
    };
    const { code, stdout } = await scene.herald(...PAUSE);
    expect([code, stdout]).toEqual([3, expect.stringContaining('; then it was not repeated any longer')]);
  });
});
