import { describe, expect, it } from 'vitest';
import { applied, createsSent, decisions, liveOn, messages, outcomes, planned } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import {
  REWRITTEN_KINDS as KINDS,
  rewriting,
  SENT,
  SHOWN,
  type RewrittenKind as Kind,
} from '../helpers/rewrites.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
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
  it('is replaced once and then blocked, however often the files are applied', async () => {
    const scene = await rewritten(what);
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    for (let time = 1; time <= 3; time += 1) {
      const run = await applied(scene);
      expect([run.code, outcomes(run)], `apply ${time}`).toEqual([5, ['blocked not_attempted']]);
      expect(messages(run)).toContain('herald import --update');
      scene.clock.move(MINUTE);
    }
    expect(await texts(scene, what)).toEqual([`${SHOWN} paused`, `${SHOWN} ${what.running}`]);
    await expectNoOneGetsItTwice(scene);
  });

  it('is replaced once more with --allow replace, and blocked again after that', async () => {
    const scene = await rewritten(what);
    await applied(scene);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene, '--allow', 'replace'))).toEqual(['replace applied']);
    scene.clock.move(MINUTE);
    expect(outcomes(await applied(scene))).toEqual(['blocked not_attempted']);
    expect(await createsSent(scene)).toBe(3);
  });

  it('is not a difference any more once import --update has taken it over', async () => {
    const scene = await rewritten(what);
    await applied(scene);
    scene.clock.move(MINUTE);
    expect((await scene.herald('import', '--update')).code).toBe(0);
    expect(scene.files.tree['live/all.yaml']).toContain(SHOWN);
    expect((await scene.herald('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('does not keep a new text of the file from being sent', async () => {
    const scene = await rewritten(what);
    await applied(scene);
    scene.clock.move(MINUTE);
    Object.assign(scene.files.tree, what.files({ messages: [{ text: 'Now...' }] }));
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    expect((await texts(scene, what)).at(-1)).toBe(`Now... ${what.running}`);
  });

  it('is accepted at once where the answer to the create shows it already', async () => {
    const scene = await rewritten(what, 0);
    await expectQuiet(scene);
    expect(await createsSent(scene)).toBe(1);
  });
});

describe.each(KINDS)('a text of a $kind that a person edits', (what) => {
  it('is replaced the first time, and blocked if the person writes the same once more', async () => {
    const scene = aScene({ files: what.files() });
    await applied(scene);
    scene.clock.move(MINUTE);
    await edited(scene, what, 'Mine');
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    await expectQuiet(scene);
    await edited(scene, what, 'Mine');
    expect(outcomes(await applied(scene))).toEqual(['blocked not_attempted']);
    await edited(scene, what, 'Mine again');
    expect(outcomes(await applied(scene)), 'another difference').toEqual(['replace applied']);
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
      nth: 2,
      edit: { kind: what.kind, account_id: '101', name: what.name, set: { messages: [{ text: 'Mine' }] } },
    });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    expect((await scene.herald('drift')).code).toBe(2);
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    await expectQuiet(scene);
  });
});

it.each(KINDS)(
  'a lost create of a $kind that the service rewrites is not sent again, and is named',
  async (what) => {
    const scene = aScene({ files: what.files() });
    await rewriting(scene, what, 20);
    await scene.fault({
      kind: 'broken_answer',
      operation: `${what.kind}s.create`,
      how: 'timeout',
      when: 'after_commit',
      nth: 1,
    });
    expect((await applied(scene)).code).toBe(3);
    const [{ id } = { id: '' }] = await liveOn(scene, '101', what.kind);
    const run = await applied(scene);
    expect([run.code, messages(run)]).toEqual([5, expect.stringContaining(id)]);
    expect(messages(run)).toContain('herald state close');
    expect(decisions(await planned(scene))).toEqual([`blocked alice/${what.kind}/${what.name}`]);
    expect(await createsSent(scene)).toBe(1);
  },
);
