import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/catalogue.ts';
import { seedShape, type Seed } from '../../src/simulator/fault-shape.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  dieBefore,
  dieWithLateCreate,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { aScene, NOON, WORKSPACE, type Scene } from '../helpers/scene.ts';
import { createTimes, expectNoOneGetsItTwice, expectQuiet } from '../helpers/truth.ts';

const KINDS = [
  {
    kind: 'campaign',
    create: 'campaigns.create',
    running: 'active',
    stopped: 'archived',
    files: declaring({ campaigns: [campaign()] }),
    equal: { name: 'Welcome', messages: [{ text: 'Hey' }] },
  },
  {
    kind: 'broadcast',
    create: 'broadcasts.create',
    running: 'scheduled',
    stopped: 'paused',
    files: declaring({ broadcasts: [broadcast()] }),
    equal: { name: 'Teaser', messages: [{ text: 'Tomorrow' }], scheduled_at: '2026-06-01T15:00:00.000Z' },
  },
] as const;

const PERSON = { type: 'user', id: '9' };

/** Another person's object, equal to the declared one by default. */
function theirs(
  { kind, equal }: Pick<(typeof KINDS)[number], 'kind' | 'equal'>,
  more: Readonly<Record<string, unknown>> = {},
): Seed {
  const set = { ...equal, created_by: PERSON, ...more };
  return seedShape.parse({ account_id: '101', kind, set });
}

/** The person makes it right before the `nth` such call from now. */
function madeBefore(scene: Scene, operation: Operation, nth: number, seed: Seed): Promise<void> {
  return scene.fault({ kind: 'change_before', operation, nth, seed });
}

const text = (words: string) => ({ messages: [{ text: words }] });

/** A run reads the list for its plan, right before its create, and then 2, 5, 10, 20, 40 s after the lost create. */
const LOOK_AT_5_S = 4;

describe.each(KINDS)('a $kind create that gets no answer twice', ({ create, files }) => {
  it('and of which nothing is there is reported as not created, with what to do', async () => {
    const scene = aScene({ files });
    await scene.fault({
      kind: 'broken_answer',
      operation: create,
      when: 'before_commit',
      how: 'timeout',
      times: 2,
    });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['create unknown']]);
    expect(run.report.outcomes[0]?.message).toMatch(
      /^Not created: .* does not show it\. Nothing is live under this name\. Run herald apply again/,
    );
    expect(messages(run)).not.toContain('may exist');
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
  });

  it('and with a second request that was carried out is found, not called absent', async () => {
    const scene = aScene({ files });
    await scene.fault({
      kind: 'broken_answer',
      operation: create,
      nth: 1,
      when: 'before_commit',
      how: 'timeout',
    });
    await scene.fault({
      kind: 'broken_answer',
      operation: create,
      nth: 2,
      when: 'after_commit',
      how: 'timeout',
    });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create adopted']);
    expect(messages(run)).not.toContain('Not created');
  });
});

describe.each(KINDS)('a $kind create with a lost answer, while another person makes the same', (what) => {
  const { kind, create, running, stopped, files } = what;

  /** Ours is carried out 30 s late. */
  const late = async () => {
    const scene = aScene({ files });
    await scene.fault({ kind: 'late_commit', operation: create, after_sec: 30, how: 'reset', nth: 1 });
    return scene;
  };
  /** Theirs appears 5 s after ours was sent. */
  const met = async () => {
    const scene = await late();
    await madeBefore(scene, `${kind}s.list`, LOOK_AT_5_S, theirs(what));
    return scene;
  };
  const oneRuns = async (scene: Scene) => {
    expect((await statuses(scene, kind)).toSorted()).toEqual([running, stopped].toSorted());
    expect((await createTimes(scene)).length).toBe(1);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  };

  it('is waited for until it cannot come any more, and one of the two is stopped', async () => {
    const scene = await met();
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['create adopted', 'retire applied']]);
    await oneRuns(scene);
  });

  it('and that comes has its duplicate stopped at the next look, not only after the window', async () => {
    const scene = await met();
    expect((await applied(scene)).code).toBe(0);
    const { requests } = await scene.oracle();
    const stop = requests.find(({ operation }) => operation === `${kind}s.set-status`);
    expect(Date.parse(stop?.at ?? '') - NOON).toBeLessThan(45_000);
  });

  it('and that never comes leaves theirs, and sends nothing again', async () => {
    const scene = aScene({ files });
    await scene.fault({
      kind: 'broken_answer',
      operation: create,
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    await madeBefore(scene, create, 1, theirs(what));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['create adopted']]);
    expect(await statuses(scene, kind)).toEqual([running]);
    expect((await createTimes(scene)).length).toBe(1);
  });

  it('is waited for by the next run when this one is killed', async () => {
    const scene = await late();
    await madeBefore(scene, create, 1, theirs(what));
    await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
    const { plan } = await planned(scene);
    expect(plan.diagnostics.map(({ message }) => message).join('\n')).toContain(
      'may still create another one until 2026-06-01T12:01:1',
    );
    expect((await applied(scene)).code).toBe(0);
    await oneRuns(scene);
  });

  it('is unknown when the run is interrupted inside the window, although an equal one is there', async () => {
    const scene = await met();
    const run = scene.start('apply', '--yes');
    void scene.clock.sleep(20_000).then(() => run.interrupt());
    const ran = await run.ran;
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('is live and equal to the file');
    expect((await applied(scene)).code).toBe(0);
    expect((await statuses(scene, kind)).filter((status) => status === running).length).toBe(1);
    await expectNoOneGetsItTwice(scene);
  });
});

describe('an object of another person that was adopted', () => {
  const [what] = KINDS;
  const person = (name: string) => ({ name, ...text('Of a person'), created_by: PERSON });
  /** Their equal object appears while ours is lost for good. */
  const adopt = async (scene: Scene, more: Readonly<Record<string, unknown>> = {}) => {
    const operation = what.create;
    await scene.fault({ kind: 'broken_answer', operation, how: 'reset', when: 'before_commit', nth: 1 });
    await madeBefore(scene, operation, 1, theirs(what, more));
    expect(outcomes(await applied(scene))).toEqual(['create adopted']);
  };

  it('does not make everything else of that person ours', async () => {
    const scene = aScene({ files: what.files });
    await adopt(scene);
    await scene.service((control) => control.seedCampaign('101', person('Other')));
    const other = campaign({ name: 'Other', ...text('Of the files') });
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign(), other] }));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(messages(run)).toContain('It needs --allow adopt');
  });

  const PREFIXED = `${WORKSPACE}ownership: { name_prefix: "gc/" }\n`;
  const both = campaign({ name: 'gc/both' });

  it('is not pruned with the rest of that person', async () => {
    const ours = campaign({ name: 'gc/ours', ...text('Ours') });
    const scene = aScene({ files: { 'herald.yaml': PREFIXED, ...declaring({ campaigns: [ours] }) } });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    Object.assign(scene.files.tree, declaring({ campaigns: [ours, both] }));
    await adopt(scene, { name: 'gc/both' });
    await scene.service((control) => control.seedCampaign('101', person('gc/theirs')));
    expect(decisions(await planned(scene, '--allow', 'prune'))).toEqual([
      'unmanaged alice/campaign/gc/theirs',
    ]);
  });

  it('is not pruned with the rest of that person where nothing was ever created', async () => {
    const scene = aScene({ files: { 'herald.yaml': PREFIXED, ...declaring({ campaigns: [both] }) } });
    await adopt(scene, { name: 'gc/both' });
    await scene.service((control) => control.seedCampaign('101', person('gc/theirs')));
    const plan = await planned(scene, '--allow', 'prune', '--allow', 'large');
    expect(decisions(plan)).toEqual(['unmanaged alice/campaign/gc/theirs']);
  });

  it('is not pruned with the rest of that person while a create without an answer may have made it', async () => {
    const scene = aScene({ files: { 'herald.yaml': PREFIXED, ...declaring({ campaigns: [both] }) } });
    const operation = what.create;
    await scene.fault({ kind: 'broken_answer', operation, how: 'reset', when: 'before_commit', nth: 1 });
    await madeBefore(scene, operation, 1, theirs(what, { name: 'gc/both', ...text('Mine') }));
    await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
    await scene.service((control) => control.seedCampaign('101', person('gc/theirs')));
    Object.assign(scene.files.tree, declaring({ campaigns: [{ ...both, ...text('Mine') }] }));
    const plan = await planned(scene, '--allow', 'prune', '--allow', 'large');
    expect(decisions(plan)).toContain('unmanaged alice/campaign/gc/theirs');
  });
});

it('an equal object of a person is not called the result of a lost create', async () => {
  const [what] = KINDS;
  const scene = aScene({ files: what.files });
  await dieWithLateCreate(scene);
  const { name, messages: said } = what.equal;
  const equal = { id: '77', name, messages: [...said], trigger: 'welcome_message', action: 'send_message' };
  await scene.service((control) => control.seedCampaign('101', equal));
  scene.clock.move(70_000);
  const { stdout, stderr } = await scene.herald('apply', '--yes');
  expect(stderr).toContain('may have created 77, which Herald adopts');
  expect(stdout).toMatch(/77 +found for a create of an earlier run that got no answer/);
});

describe('a copy that another person makes during an apply', () => {
  it.each(KINDS)('of a $kind is stopped by its final scan', async (what) => {
    const { kind, running, stopped, files } = what;
    const scene = aScene({ files });
    // After ours: the final scan is the third list of the run.
    await madeBefore(scene, `${kind}s.list`, 3, theirs(what));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['create applied', 'retire applied']]);
    expect(await statuses(scene, kind)).toEqual([running, stopped]);
    await expectQuiet(scene);
  });

  it('with another text is left alone and said: exit 5', async () => {
    const [what] = KINDS;
    const scene = aScene({ files: what.files });
    await madeBefore(scene, what.create, 1, theirs(what, text('Mine')));
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, ['create applied', 'blocked not_attempted']]);
    expect(messages(run)).toContain('It needs --allow adopt');
    expect((await writesSent(scene)).length).toBe(1);
  });

  it('is reported, even if a person edits the object of this run as well: exit 5', async () => {
    const [what] = KINDS;
    const scene = aScene({ files: what.files });
    const { name } = what.equal;
    // The final scan is the third list of the run.
    await scene.fault({
      kind: 'change_before',
      operation: 'campaigns.list',
      nth: 3,
      edit: { account_id: '101', kind: 'campaign', name, set: text('Edited') },
      seed: theirs(what, text('Mine')),
    });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, ['create applied', 'blocked not_attempted']]);
    expect(messages(run)).toContain('It needs --allow adopt');
    expect(messages(run)).not.toContain('was changed during this run');
    expect((await writesSent(scene)).length).toBe(1);
  });
});
