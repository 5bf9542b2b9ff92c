import { describe, expect, it } from 'vitest';
import { seedShape } from '../../src/simulator/fault-shape.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  dieBefore,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import {
  REWRITTEN_KINDS as KINDS,
  rewriting,
  SENT,
  SHOWN,
  type RewrittenKind as Kind,
} from '../helpers/rewrites.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';
import { expectNoOneGetsItTwice, expectQuiet } from '../helpers/truth.ts';

const MINUTE = 60_000;

const rewritten = madeOnce(async (what: Kind, afterSec: number = 20, more: object = {}) => {
  const scene = aScene({ files: what.files(more) });
  await rewriting(scene, what, afterSec);
  expect((await applied(scene)).code).toBe(0);
  scene.clock.move(MINUTE);
  return scene;
});

/** A person changes the text of the newest object on the service. */
async function edited(scene: Scene, { kind }: Kind, text: string): Promise<void> {
  const id = (await liveOn(scene, '101', kind)).at(-1)?.id ?? '';
  const set = { messages: [{ text }] };
  await scene.service((control) =>
    kind === 'campaign' ? control.editCampaign('101', id, set) : control.editBroadcast('101', id, set),
  );
}

const texts = async (scene: Scene, { kind }: Kind) =>
  (await liveOn(scene, '101', kind)).map(({ text, status }) => `${text ?? ''} ${status ?? ''}`);

describe.each(KINDS)('a text of a $kind that the service rewrites some seconds after its create', (what) => {
  // CONTENT-23
  it('is replaced once and then left as it is, however often the files are applied', async () => {
    const scene = await rewritten(what);
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    for (let time = 1; time <= 3; time += 1) {
      const run = await applied(scene);
      expect([run.code, outcomes(run)], `apply ${time}`).toEqual([0, []]);
      scene.clock.move(MINUTE);
    }
    expect(await texts(scene, what)).toEqual([`${SHOWN} paused`, `${SHOWN} ${what.running}`]);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  });

  it('is named by plan and drift, with the live value and both ways on', async () => {
    const scene = await rewritten(what);
    await applied(scene);
    scene.clock.move(MINUTE);
    const id = (await liveOn(scene, '101', what.kind)).at(-1)?.id ?? '';
    for (const command of ['plan', 'drift']) {
      const ran = await scene.herald(command);
      expect(ran.code, command).toBe(0);
      const words = ran.stdout.replaceAll(/\s+/g, ' ');
      expect(words).toContain(`${id} has messages[0].text "${SHOWN}"`);
      expect(words).toContain('To accept it: herald import --update.');
      expect(words).toContain('To replace it again: herald apply --allow replace.');
      expect(words).toContain('1 different again after a replace');
      expect(words, 'it does not match').not.toContain('1 resource matches');
    }
    const { plan } = await planned(scene);
    expect(plan.changes.find(({ live_id: live }) => live === id)).toMatchObject({
      action: 'keep',
      fields: [{ path: 'messages[0].text', old: SHOWN, new: SENT }],
    });
  });

  it('is replaced once more with --allow replace, and left again after that', async () => {
    const scene = await rewritten(what);
    await applied(scene);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene, '--allow', 'replace'))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene))).toEqual([]);
    expect(await createsSent(scene)).toBe(3);
  });

  it('is not a difference any more once import --update has taken it over', async () => {
    const scene = await rewritten(what);
    await applied(scene);
    scene.clock.move(MINUTE);
    expect((await scene.herald('import', '--update')).code).toBe(0);
    expect(scene.files.tree['live/all.yaml']).toContain(SHOWN);
    const ran = await scene.herald('plan', '--detailed-exitcode');
    expect([ran.code, ran.stdout]).toEqual([0, expect.not.stringContaining('differs-again')]);
  });

  it('does not keep a new text of the file from being sent', async () => {
    const scene = await rewritten(what);
    await applied(scene);
    scene.clock.move(MINUTE);
    Object.assign(scene.files.tree, what.files({ messages: [{ text: 'Now...' }] }));
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    expect((await texts(scene, what)).at(-1)).toBe(`Now... ${what.running}`);
  });

  it('is named by the run that created it when it is rewritten before that run ends', async () => {
    const scene = aScene({ files: what.files() });
    await rewriting(scene, what, 2);
    await scene.fault({ kind: 'slow', operation: `${what.kind}s.create`, delay_ms: 5_000, nth: 1 });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['create applied']]);
    expect(messages(run)).toContain(
      'It already needs "replace" again: the service or a person has changed messages[0].text since. Run "herald plan".',
    );
    expect(scene.files.tree[LEDGER_FILE]).not.toContain('"rewrite"');
  });

  it('is named by the run that replaced it for nothing', async () => {
    const scene = await rewritten(what, 2);
    await scene.fault({ kind: 'slow', operation: `${what.kind}s.create`, delay_ms: 5_000, nth: 1 });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(messages(run)).toContain('Herald replaced it once for this');
  });

  it('is accepted at once where the answer to the create shows it already', async () => {
    const scene = await rewritten(what, 0);
    expect(scene.files.tree[LEDGER_FILE]).toContain(`"got":"\\"${SHOWN}\\""`);
    await expectQuiet(scene);
    expect((await scene.herald('plan')).stdout).not.toContain('differs-again');
    expect(await createsSent(scene)).toBe(1);
  });

  it('is reported by the run that got it as the answer to its create', async () => {
    const scene = aScene({ files: what.files() });
    await rewriting(scene, what, 0);
    expect(messages(await applied(scene))).toContain(
      'the service changed messages[0].text while creating it; Herald accepts that from now on',
    );
  });

  it('holds a protected one back from nothing once it was left as it is', async () => {
    const scene = await rewritten(what);
    await applied(scene);
    scene.clock.move(MINUTE);
    Object.assign(scene.files.tree, what.files({ protect: true }));
    expect((await applied(scene)).code).toBe(0);
    await expectQuiet(scene);
  });
});

describe.each(KINDS)('a text of a $kind that a person edits', (what) => {
  it('is replaced the first time, and the plan says that the file has not changed', async () => {
    const scene = aScene({ files: what.files() });
    await applied(scene);
    scene.clock.move(MINUTE);
    await edited(scene, what, 'Mine');
    const { plan } = await planned(scene);
    expect(plan.changes[0]?.reasons.join(' ')).toContain('the service or a person has changed it since');
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    await expectQuiet(scene);
  });

  it('is left the second time in succession, also with other words, and shown as drift', async () => {
    const scene = aScene({ files: what.files() });
    await applied(scene);
    await edited(scene, what, 'Mine');
    await applied(scene);
    await edited(scene, what, 'Mine again');
    expect(outcomes(await applied(scene))).toEqual([]);
    expect((await scene.herald('drift')).stdout.replaceAll(/\s+/g, ' ')).toContain('"Mine again"');
  });

  it('is replaced where another field was replaced before', async () => {
    const scene = aScene({
      files: what.files({ messages: [{ text: SENT, price_gross: 5, is_paid: undefined }] }),
    });
    await applied(scene);
    await edited(scene, what, SENT);
    expect(outcomes(await applied(scene)), 'the price').toEqual(['replace applied']);
    const id = (await liveOn(scene, '101', what.kind)).at(-1)?.id ?? '';
    const set = { messages: [{ text: 'Mine', price_gross: 5 }] };
    await scene.service((control) =>
      what.kind === 'campaign' ? control.editCampaign('101', id, set) : control.editBroadcast('101', id, set),
    );
    expect(outcomes(await applied(scene)), 'the text').toEqual(['replace applied']);
  });

  it('while an apply is at work is shown as drift, and is not learned as a rewrite by the service', async () => {
    const scene = aScene({ files: what.files() });
    await scene.fault({
      kind: 'change_before',
      operation: `${what.kind}s.list`,
      nth: 3,
      edit: { kind: what.kind, account_id: '101', name: what.name, set: { messages: [{ text: 'Mine' }] } },
    });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create applied']);
    expect(messages(run)).toContain('already needs "replace" again');
    expect((await scene.herald('drift')).code).toBe(2);
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    await expectQuiet(scene);
  });
});

describe.each(KINDS)('a lost create of a $kind, where the service rewrites the text', (what) => {
  /** Something of ours was created before, so that we are known; then a create of which the answer is lost. */
  const lost = async (isKnown: boolean, how: 'timeout' | '502' = 'timeout') => {
    const other = what.kind === 'campaign' ? campaign({ name: 'Other' }) : broadcast({ name: 'Other' });
    const others = declaring({ [`${what.kind}s`]: [other] })['live/all.yaml'] ?? '';
    const scene = aScene({ files: isKnown ? { 'live/other.yaml': others } : {} });
    if (isKnown) expect((await applied(scene)).code).toBe(0);
    Object.assign(scene.files.tree, what.files());
    await rewriting(scene, what, 20);
    await scene.fault({
      kind: 'broken_answer',
      operation: `${what.kind}s.create`,
      how,
      when: 'after_commit',
      nth: 1,
    });
    return scene;
  };
  const ofName = async (scene: Scene) =>
    (await liveOn(scene, '101', what.kind)).filter(({ name }) => name === what.name);

  it('is recognised, taken over and not sent a second time by that run', async () => {
    const scene = await lost(true);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['create adopted']]);
    expect((await ofName(scene)).map(({ text, status }) => [text, status])).toEqual([[SHOWN, what.running]]);
    expect(messages(run)).toContain('already needs "replace" again');
  });

  it('is replaced once by the next run, and then left as it is', async () => {
    const scene = await lost(true);
    await applied(scene);
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene))).toEqual([]);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  });

  it('is not sent a second time under a new name that the file gives it meanwhile', async () => {
    const scene = await lost(true);
    await applied(scene);
    Object.assign(scene.files.tree, what.files({ name: 'Renamed' }));
    const run = await applied(scene);
    expect([run.code, messages(run)]).toEqual([5, expect.stringContaining('renamed_from')]);
    expect((await liveOn(scene, '101', what.kind)).map(({ name }) => name)).toEqual(['Other', what.name]);
  });

  it('is blocked, and not sent a second time, where no one knows who made it', async () => {
    const scene = await lost(false);
    expect((await applied(scene)).code).toBe(3);
    const run = await applied(scene);
    expect([run.code, messages(run)]).toEqual([5, expect.stringContaining('It needs --allow adopt')]);
    expect(await statuses(scene, what.kind)).toEqual([what.running]);
    expect((await writesSent(scene)).filter((call) => call.endsWith('create'))).toHaveLength(1);
    expect(decisions(await planned(scene))).toEqual([`blocked alice/${what.kind}/${what.name}`]);
  });

  it('is not sent a second time under a new name where no one knows who made it', async () => {
    const scene = await lost(false);
    await applied(scene);
    Object.assign(scene.files.tree, what.files({ name: 'Renamed' }));
    const run = await applied(scene);
    const [{ id } = { id: '' }] = await ofName(scene);
    expect([run.code, messages(run)]).toEqual([
      5,
      expect.stringContaining(
        `add renamed_from: "${what.name}". If you do not need it: herald ${what.kind}s pause ${id}`,
      ),
    ]);
    expect(await createsSent(scene)).toBe(1);
    expect((await scene.herald(`${what.kind}s`, 'pause', id, '--account', 'alice', '--yes')).code).toBe(0);
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
  });

  /** The first list after the create shows a copy next to it, both as they were sent, and so one of them is stopped. */
  const copied = async (isKnown: boolean) => {
    const scene = await lost(isKnown, '502');
    const seed = seedShape.parse({ kind: what.kind, account_id: '101', set: what.equal });
    await scene.fault({ kind: 'change_before', operation: `${what.kind}s.list`, nth: 3, seed });
    return scene;
  };

  it.each([true, false])(
    'is not forgotten for a copy of it that was stopped before the rewrite (known as ours: %s)',
    async (isKnown) => {
      const scene = await copied(isKnown);
      const found = await applied(scene);
      expect([found.code, outcomes(found)]).toEqual(
        isKnown ? [0, ['create adopted', 'retire applied']] : [3, ['create unknown', 'retire applied']],
      );
      expect(await texts(scene, what)).toContain(`${SHOWN} ${what.running}`);
      Object.assign(scene.files.tree, what.files({ name: 'Renamed' }));
      const run = await applied(scene);
      expect([run.code, messages(run)]).toEqual([5, expect.stringContaining('renamed_from')]);
      expect((await liveOn(scene, '101', what.kind)).map(({ name }) => name)).not.toContain('Renamed');
    },
  );

  it('is not forgotten for a copy of it that a killed run had begun to stop', async () => {
    const scene = await copied(false);
    await dieBefore(scene, (line) => line.includes('"outcome":"done"'));
    scene.clock.move(MINUTE);
    await applied(scene);
    Object.assign(scene.files.tree, what.files({ name: 'Renamed' }));
    const run = await applied(scene);
    expect([run.code, messages(run)]).toEqual([5, expect.stringContaining('renamed_from')]);
    expect(await createsSent(scene)).toBe(1);
  });

  it('is replaced with --allow adopt where no one knows who made it', async () => {
    const scene = await lost(false);
    await applied(scene);
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene)), 'the second one differs as well').toEqual([]);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  });

  it('is taken over as soon as another create shows who Herald is', async () => {
    const scene = await lost(false);
    await applied(scene);
    const other = what.kind === 'campaign' ? campaign({ name: 'Other' }) : broadcast({ name: 'Other' });
    const others = declaring({ [`${what.kind}s`]: [other] })['live/all.yaml'] ?? '';
    Object.assign(scene.files.tree, { 'live/other.yaml': others });
    expect(outcomes(await applied(scene))).toContain('create applied');
    const { plan } = await planned(scene);
    expect(plan.diagnostics.map(({ message }) => message).join('\n')).toMatch(
      /created \d+, which Herald adopts; the service or a person has changed its text since/,
    );
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene))).toEqual([]);
  });

  it('of which nothing else is known is not said to have failed', async () => {
    const scene = await lost(false);
    const run = scene.start('apply', '--yes');
    void scene.clock.sleep(30_000).then(() => run.interrupt());
    expect((await run.ran).code).toBe(3);
    scene.clock.move(2 * MINUTE);
    const { plan } = await planned(scene);
    const said = plan.diagnostics.map(({ message }) => message).join('\n');
    expect(said).toMatch(/may have created \d+, which has another text than was sent/);
    expect(decisions({ plan })).toEqual([`blocked alice/${what.kind}/${what.name}`]);
  });

  it('is not taken for one that a person has made with another audience', async () => {
    const scene = aScene({ files: what.files() });
    await scene.fault({
      kind: 'broken_answer',
      operation: `${what.kind}s.create`,
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    const run = scene.start('apply', '--yes');
    void scene.clock.sleep(30_000).then(() => run.interrupt());
    await run.ran;
    const audience_filters = [{ kind: 'subscribed_date', mode: 'exclude' as const, options: {} }];
    const set = { name: what.name, audience_filters };
    await scene.service((control) =>
      what.kind === 'campaign' ? control.seedCampaign('101', set) : control.seedBroadcast('101', set),
    );
    scene.clock.move(2 * MINUTE);
    const { plan } = await planned(scene);
    expect(plan.diagnostics.map(({ message }) => message).join('\n')).toMatch(
      /may have created a new object with its name and other content: \d+/,
    );
    expect(decisions({ plan })).toEqual([`blocked alice/${what.kind}/${what.name}`]);
  });
});
