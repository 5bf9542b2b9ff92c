import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
  expectQuiet,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const ALL = ['adopt', 'resume', 'recall', 'prune', 'large'].flatMap((name) => ['--allow', name]);

const KINDS = [
  { kind: 'campaign', of: campaign, many: 'campaigns', runs: 'active' },
  { kind: 'broadcast', of: broadcast, many: 'broadcasts', runs: 'scheduled' },
] as const;

describe.each(KINDS)('a protected $kind', ({ kind, of, many, runs }) => {
  const declare = (scene: Scene, ...resources: readonly object[]) =>
    void Object.assign(scene.files.tree, declaring({ [many]: resources.map((more) => of({ ...more })) }));

  /** Made by an apply, with the line. */
  const made = madeOnce(async () => {
    const scene = aScene();
    declare(scene, { protect: true });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    await expectQuiet(scene);
    return scene;
  });

  async function expectHeld(scene: Scene, words: string): Promise<void> {
    const sent = await writesSent(scene);
    const run = await applied(scene, ...ALL);
    expect(run.code).toBe(5);
    expect(outcomes(run)).toEqual(['blocked not_attempted']);
    expect(messages(run)).toContain(words);
    expect(await writesSent(scene)).toEqual(sent);
    expect(await statuses(scene, kind)).toEqual([runs]);
  }

  it.each([
    { title: 'another text', more: { messages: [{ text: 'Other' }] } },
    { title: 'a pause', more: { status: 'paused' } },
    { title: 'a recall', more: { status: 'recalled' } },
  ])('is not touched for $title, run after run', async ({ more }) => {
    const scene = await made();
    declare(scene, { protect: true, ...more });
    await expectHeld(scene, 'live/all.yaml:');
    await expectHeld(scene, 'Protected by protect: true at');
    expect((await scene.herald('drift')).code).toBe(2);
  });

  it('is free after an apply of that line alone', async () => {
    const scene = await made();
    declare(scene, {});
    const before = await planned(scene, '--detailed-exitcode');
    expect(before.code).toBe(0);
    expect(before.plan.diagnostics.map(({ code }) => code)).toEqual(['protection-lifted']);
    expect(outcomes(await applied(scene))).toEqual([]);
    expect((await planned(scene)).plan.diagnostics).toEqual([]);
    declare(scene, { messages: [{ text: 'Other' }] });
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    await expectQuiet(scene);
  });
});

describe('a protected campaign with a lost file', () => {
  it('is imported with its protection', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ protect: true })] }) });
    await applied(scene);
    delete scene.files.tree['live/all.yaml'];
    await scene.herald('import', '--out', 'live');
    expect(scene.files.tree['live/alice.yaml']).toContain('protect: true');
    await applied(scene);
    scene.files.tree['live/alice.yaml'] = (scene.files.tree['live/alice.yaml'] ?? '').replace('Hey', 'Other');
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/Welcome']);
  });
});

describe('a person who asks by hand', () => {
  it('may pause what is protected, with a warning', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ protect: true })] }) });
    await applied(scene);
    const id = await scene.service(
      (_control, world) => Object.values(world.accounts['101']?.campaigns ?? {})[0]?.live.id ?? '',
    );
    const ran = await scene.herald('campaigns', 'pause', id, '--account', 'alice', '--yes');
    expect(ran.code).toBe(0);
    expect(ran.stderr.replace(/\s+/g, ' ')).toContain('The files protect it');
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
  });
});
