import { describe, expect, it } from 'vitest';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  worstDispatch,
} from '../helpers/flows.ts';
import { aScene, WORKSPACE } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const teaser = declaring({ broadcasts: [broadcast()] });
const other = declaring({ broadcasts: [broadcast({ messages: [{ text: 'Not tomorrow' }] })] });

describe('a broadcast goes out once', () => {
  // BROADCAST-14
  it('and when it was sent, it is done permanently', async () => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    scene.clock.move(4 * HOUR);
    expect(await statuses(scene, 'broadcast')).toEqual(['sent']);
    expect(decisions(await planned(scene))).toEqual(['done alice/broadcast/Teaser']);
    scene.clock.move(400 * DAY);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
    expect(await worstDispatch(scene)).toBe(1);
  });

  it('also when the file is changed after it was sent', async () => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    scene.clock.move(4 * HOUR);
    Object.assign(scene.files.tree, other);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });

  it('and a new date on the old name is not a new run', async () => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    scene.clock.move(4 * HOUR);
    Object.assign(
      scene.files.tree,
      declaring({ broadcasts: [broadcast({ scheduled_at: '2026-06-03T15:00Z' })] }),
    );
    const again = await applied(scene);
    expect(again.code).toBe(5);
    expect(messages(again)).toContain('To send it again, give it a new name.');
    expect(await createsSent(scene)).toBe(1);
  });

  // BROADCAST-8
  it('on another day, although the end of the version that it took the place of passes meanwhile', async () => {
    const moved = { scheduled_at: '2026-06-08T15:00Z', rules: { end_at: '2026-06-08T20:00Z' } };
    const first = broadcast({ rules: { end_at: '2026-06-01T20:00Z' } });
    const scene = aScene({ files: declaring({ broadcasts: [first] }) });
    expect((await applied(scene)).code).toBe(0);
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast(moved)] }));
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    scene.clock.move(DAY);
    expect(await statuses(scene, 'broadcast')).toEqual(['sent', 'scheduled']);
    const next = await applied(scene);
    expect([next.code, outcomes(next)]).toEqual([0, []]);
    scene.clock.move(8 * DAY);
    expect(await worstDispatch(scene)).toBe(1);
  });

  // BROADCAST-22
  it('and one that was archived long ago is not sent again', async () => {
    const scene = aScene({ files: teaser });
    await scene.service((control) =>
      control.seedBroadcast('101', { name: 'Teaser', status: 'archived', messages: [{ text: 'Tomorrow' }] }),
    );
    expect((await applied(scene)).code).toBe(5);
    expect(await createsSent(scene)).toBe(0);
    scene.clock.move(4 * HOUR);
    expect(decisions(await planned(scene))).toEqual(['done alice/broadcast/Teaser']);
  });

  it('and one with a time that went by before it was created is missed, with a warning', async () => {
    const scene = aScene({ files: teaser });
    scene.clock.move(2 * HOUR + 56 * 60_000);
    const { code, plan } = await planned(scene);
    expect(decisions({ plan })).toEqual(['missed alice/broadcast/Teaser']);
    expect(plan.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(['missed']);
    expect(code).toBe(0);
    scene.clock.move(HOUR);
    const run = await applied(scene);
    expect([run.code, run.report.summary.missed, run.report.summary.unchanged]).toEqual([0, 1, 0]);
    expect(run.report.outcomes).toMatchObject([
      {
        outcome: 'missed',
        message: 'Its time 2026-06-01T15:00:00Z has passed, or is less than 5 minutes away.',
      },
    ]);
    expect(await createsSent(scene)).toBe(0);
    const text = await scene.herald('apply', '--yes');
    expect(text.stdout).toContain('! missed  alice/broadcast/Teaser  -  Its time Mon 1 Jun 2026 15:00 UTC');
    expect(text.stdout).toContain('1 missed.');
  });

  it('which the policy can deny, so that nothing else of the run is done', async () => {
    const late = declaring({ campaigns: [], broadcasts: [broadcast()] });
    const scene = aScene({ files: { ...late, 'herald.yaml': `${WORKSPACE}policy: { missed: deny }\n` } });
    scene.clock.move(4 * HOUR);
    const { code, plan } = await planned(scene);
    expect([
      code,
      plan.diagnostics.map(({ severity, code: kind }) => `${severity} ${kind}`).toSorted(),
    ]).toEqual([5, ['error missed-denied', 'warning missed']]);
    const ran = await scene.herald('apply', '--yes');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(
      'Missed, and policy.missed is deny: alice/broadcast/Teaser. Change scheduled_at or rules.end_at, or remove them.',
    );
    scene.files.tree['herald.yaml'] = `${WORKSPACE}policy: { missed: warn }\n`;
    expect((await applied(scene)).code).toBe(0);
  });
});

describe('a broadcast that has just left is not replaced', () => {
  const edited = async () => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    Object.assign(
      scene.files.tree,
      declaring({ broadcasts: [broadcast({ scheduled_at: '2026-06-01T16:00Z' })] }),
    );
    return scene;
  };

  it('when it left between the plan and the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      edit: {
        account_id: '101',
        kind: 'broadcast',
        name: 'Teaser',
        set: { status: 'sending', scheduled_at: null },
      },
    });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(messages(run)).toMatch(
      /had begun to go out before it was paused, so nothing new .* broadcasts resume \d+/,
    );
    expect(run.code, 'it was paused, so something was changed').toBe(4);
    expect(await createsSent(scene)).toBe(1);
  });

  it('and drift does not call it as declared, although nothing can be done', async () => {
    const scene = await edited();
    scene.clock.move(3 * HOUR - 60_000);
    Object.assign(scene.files.tree, other);
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(0);
    expect(drift.stdout).toContain('too-late');
    expect(drift.stdout).toMatch(/\nNo other drift: 0 resources match; 1 too late to replace\.\n$/);
    scene.clock.move(HOUR);
    expect((await scene.herald('drift')).stdout).toBe(
      'Service: simulator .herald/world.json\n\nNo drift: 0 resources match; 1 done.\n',
    );
  });

  it('when it was already over by the time of the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      edit: {
        account_id: '101',
        kind: 'broadcast',
        name: 'Teaser',
        set: { status: null, scheduled_at: null },
      },
    });
    const run = await applied(scene);
    expect(run.code).toBe(1);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(await createsSent(scene)).toBe(1);
  });

  it('nor when it cannot be read after the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.get',
      when: 'after_commit',
      how: '502',
    });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.list',
      when: 'after_commit',
      how: '500',
      nth: 2,
      times: 1000,
    });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([4, ['replace failed']]);
    expect(messages(run)).toMatch(/cannot be read, .* Herald paused the old version \d+/);
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
  });

  it('yet an unreadable one is proved by its list entry', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.get',
      when: 'after_commit',
      how: '502',
    });
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
  });
});

describe('nothing is created next to a broadcast that someone has resumed', () => {
  const edit = {
    account_id: '101',
    kind: 'broadcast',
    name: 'Teaser',
    set: { status: 'scheduled' },
  } as const;

  it.each([
    ['after the replace had paused it', false, 4, 'replace failed'],
    ['while another version is created next to a paused one', true, 1, 'create failed'],
  ])('%s', async (_, isPaused, code, outcome) => {
    const scene = aScene({ files: declaring({ broadcasts: [broadcast()] }) });
    await applied(scene);
    if (isPaused) {
      Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ status: 'paused' })] }));
      await applied(scene);
    }
    // Before its pause a replace looks at it as well.
    const other = broadcast({ messages: [{ text: 'Tonight' }] });
    Object.assign(scene.files.tree, declaring({ broadcasts: [other] }));
    await scene.fault({ kind: 'change_before', operation: 'broadcasts.get', nth: isPaused ? 1 : 2, edit });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([code, [outcome]]);
    expect(messages(run)).toContain('reads as scheduled after the service confirmed the change');
    expect(await createsSent(scene)).toBe(1);
  });
});

// BROADCAST-17, LIMIT-7
it.each([
  ['after exactly five days is resumed', 0, [0, 0], 'scheduled'],
  ['a second later is refused by the service, and needs a new name', 1_000, [1, 5], 'paused'],
] as const)('a broadcast that Herald paused %s', async (_, moreMs, codes, status) => {
  const hour = { scheduled_at: '2026-06-11T15:00Z' };
  const waiting = declaring({ broadcasts: [broadcast(hour)] });
  const scene = aScene({ files: waiting });
  await applied(scene);
  Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ ...hour, status: 'paused' })] }));
  await applied(scene);
  const pausedMs = (await scene.requests()).find(({ target }) => target === 'paused')?.ended_at ?? 0;
  scene.clock.move(pausedMs + 5 * DAY + moreMs - scene.clock.now());
  Object.assign(scene.files.tree, waiting);
  const runs = [await applied(scene), await applied(scene)];
  expect(runs.map(({ code }) => code)).toEqual(codes);
  if (moreMs > 0) expect(runs.map(messages).at(-1)).toContain('give it a new name');
  expect(await statuses(scene, 'broadcast')).toEqual([status]);
  expect(await createsSent(scene)).toBe(1);
});

describe('what a person did to a broadcast stays', () => {
  // BROADCAST-16
  it('a pause by hand blocks until --allow resume', async () => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    await scene.service((control) =>
      control.editBroadcast('101', '999999999999999970', { status: 'paused', pause_reason: 'manual' }),
    );
    const blocked = await applied(scene);
    expect(blocked.code).toBe(5);
    expect(messages(blocked)).toContain('--allow resume');
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
    expect((await applied(scene, '--allow', 'resume')).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['scheduled']);
  });

  it('an unreadable one is left alone, and named', async () => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    await scene.service((control) =>
      control.editBroadcast('101', '999999999999999970', { unreadable: true }),
    );
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(messages(run)).toContain('Check it on the service, or declare another name.');
    Object.assign(scene.files.tree, other);
    expect((await applied(scene)).code).toBe(5);
    expect(await createsSent(scene)).toBe(1);
  });

  // BROADCAST-24
  it("one with words that are a person's nameless message is not taken for ours", async () => {
    const scene = aScene({
      files: declaring({ broadcasts: [broadcast({ name: 'Tomorrow', messages: [{ text: 'Else' }] })] }),
    });
    await scene.service((control) =>
      control.seedBroadcast('101', { name: null, messages: [{ text: 'Tomorrow' }] }),
    );
    expect((await applied(scene)).code).toBe(0);
    expect((await liveOn(scene, '101', 'broadcast')).map(({ status }) => status)).toEqual([
      'scheduled',
      'scheduled',
    ]);
  });

  // BROADCAST-1
  it('extra scheduled copies are paused before anything else, and the lowest id stays', async () => {
    const scene = aScene({
      files: declaring({
        broadcasts: [broadcast(), broadcast({ name: 'Second', messages: [{ text: 'Else' }] })],
      }),
    });
    await scene.service((control) => {
      for (const id of ['1000', '999', '1001'])
        control.seedBroadcast('101', {
          id,
          name: 'Teaser',
          scheduled_at: '2026-06-01T15:00:00Z',
          messages: [{ text: 'Tomorrow' }],
          created_by: { type: 'api_token', id: '1' },
        });
    });
    const first = await applied(scene);
    expect(first.code, 'not ours as far as anybody knows').toBe(5);
    const run = await applied(scene, '--allow', 'adopt');
    expect(run.code).toBe(0);
    const objects = await liveOn(scene, '101', 'broadcast');
    expect(objects.map(({ id, status }) => `${id} ${status}`).slice(0, 3)).toEqual([
      '999 scheduled',
      '1000 paused',
      '1001 paused',
    ]);
    expect((await planned(scene)).plan.changes.every(({ action }) => action === 'keep')).toBe(true);
    scene.clock.move(5 * HOUR);
    expect(await worstDispatch(scene)).toBe(1);
  });
});

describe('two of one name wait for the same hour, and the file is edited too late', () => {
  /** A second one next to it with this text, by the same creator, four minutes before the hour. */
  const withSecond = async (text: string) => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    await scene.service((control, world) => {
      const [first] = Object.values(world.accounts['101']?.broadcasts ?? {});
      const creator = first?.live.created_by;
      if (creator == null) throw new Error('the first one has no creator');
      const messages = [{ text }];
      control.seedBroadcast('101', {
        name: 'Teaser',
        status: 'scheduled',
        scheduled_at: '2026-06-01T15:00:00Z',
        created_by: creator,
        messages,
      });
    });
    Object.assign(
      scene.files.tree,
      declaring({ broadcasts: [broadcast({ messages: [{ text: 'Edited' }] })] }),
    );
    scene.clock.move(3 * HOUR - 4 * 60_000);
    return scene;
  };

  it.each(['Tomorrow', 'Another text'])(
    'with %j: both are named, and the commands that stop them',
    async (text) => {
      const scene = await withSecond(text);
      const { code, stderr } = await applied(scene);
      expect(code).toBe(0);
      for (const { id } of await liveOn(scene, '101', 'broadcast'))
        expect(stderr).toMatch(
          new RegExp(`${id} \\(scheduled\\) goes out at .* To stop it: herald broadcasts pause ${id}`),
        );
    },
  );
});
