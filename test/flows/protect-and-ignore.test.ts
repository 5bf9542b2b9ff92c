import { describe, expect, it } from 'vitest';
import { campaign, declaring, broadcast } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
  expectQuiet,
  standing,
  editLive,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { WORKSPACE, type Scene } from '../helpers/scene.ts';

const ALL = ['adopt', 'resume', 'recall', 'prune', 'large'].flatMap((name) => ['--allow', name]);

describe('a protected campaign', () => {
  const made = madeOnce(() => standing(declaring({ campaigns: [campaign({ protect: true })] })));
  const declare = (scene: Scene, more: object) =>
    void Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ ...more })] }));

  it.each([
    ['another text', { protect: true, messages: [{ text: 'Other' }] }, 'Protected by protect: true at'],
    ['a recall', { protect: true, status: 'recalled' }, 'Protected by protect: true at'],
    ['a pause in the commit that takes the line away', { status: 'paused' }, 'Still protected'],
  ])('is not touched for %s, run after run', async (_title, more, words) => {
    const scene = await made();
    declare(scene, more);
    const sent = await writesSent(scene);
    for (const _run of [1, 2]) {
      const run = await applied(scene, ...ALL);
      expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
      expect(messages(run)).toContain(words);
    }
    expect([await writesSent(scene), await statuses(scene, 'campaign')]).toEqual([sent, ['active']]);
    expect((await scene.herald('drift')).code).toBe(2);
  });

  it('is free after an apply of that line alone', async () => {
    const scene = await made();
    declare(scene, {});
    const before = await planned(scene, '--detailed-exitcode');
    expect(before.code).toBe(0);
    expect(before.plan.diagnostics.map(({ code }) => code)).toEqual(['protection-lifted']);
    expect(outcomes(await applied(scene))).toEqual([]);
    declare(scene, { messages: [{ text: 'Other' }] });
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    await expectQuiet(scene);
  });

  it('is imported with its protection where its file was lost', async () => {
    const scene = await made();
    delete scene.files.tree['live/all.yaml'];
    await scene.herald('import', '--out', 'live');
    const file = scene.files.tree['live/alice.yaml'] ?? '';
    expect(file).toContain('protect: true');
    scene.files.tree['live/alice.yaml'] = file.replace('Hey', 'Other');
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/Welcome']);
  });

  it('may be paused by hand, with a warning', async () => {
    const scene = await made();
    const ran = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
    expect(ran.code).toBe(0);
    expect(ran.stderr.replace(/\s+/g, ' ')).toContain('The files protect it');
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
  });
});

const CHECKED = { rules: { online_check_mode: 'online' } };
const IGNORED = { ...CHECKED, ignore: ['rules.online_check_mode'] };

/** A broadcast with a rule that someone changed in the service afterwards. */
async function changedOutside(more: object, workspace = WORKSPACE): Promise<Scene> {
  const files = declaring({ broadcasts: [broadcast({ ...CHECKED, ...more })] });
  const scene = await standing({ 'herald.yaml': workspace, ...files });
  await editLive(scene, 'broadcast', { rules: { online_check_mode: 'offline' } });
  return scene;
}

describe('a field that the files ignore', () => {
  it('is sent by a create', async () => {
    const scene = await standing(declaring({ broadcasts: [broadcast(IGNORED)] }));
    const rules = await scene.service((_control, world) =>
      Object.values(world.accounts['101']?.broadcasts ?? {}).map(({ live }) => live.rules),
    );
    expect(rules).toMatchObject([CHECKED.rules]);
  });

  it.each([
    ['without ignore', {}, WORKSPACE, 2],
    ['ignored by the resource', IGNORED, WORKSPACE, 0],
    ['ignored by the workspace', {}, `${WORKSPACE}ignore: [rules]\n`, 0],
  ])('that differs is drift or not: %s', async (_title, more, workspace, drift) => {
    const scene = await changedOutside(more, workspace);
    expect((await scene.herald('drift')).code).toBe(drift);
    const { plan } = await planned(scene);
    expect(plan.diagnostics.filter(({ code }) => code === 'ignored').length).toBe(drift === 0 ? 1 : 0);
  });

  it('takes the file’s value again with the next replace', async () => {
    const scene = await changedOutside(IGNORED);
    const changed = broadcast({ ...IGNORED, messages: [{ text: 'Changed' }] });
    Object.assign(scene.files.tree, declaring({ broadcasts: [changed] }));
    const ran = await scene.herald('plan');
    expect(ran.stdout.replace(/\s+/g, ' ')).toContain('ignored: rules.online_check_mode');
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectQuiet(scene);
  });
});
