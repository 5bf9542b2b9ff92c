import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  dieBefore,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { expectQuiet } from '../helpers/truth.ts';

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

  it('is not touched in the commit that takes the line away', async () => {
    const scene = await made();
    declare(scene, { messages: [{ text: 'Other' }] });
    await expectHeld(scene, 'Still protected');
    await expectHeld(scene, 'Still protected');
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

  it('is not lifted by a plan, only by an apply', async () => {
    const scene = await made();
    declare(scene, {});
    await planned(scene);
    declare(scene, { status: 'paused' });
    await expectHeld(scene, 'Still protected');
  });

  it('stays when its whole block is removed, also from a prune', async () => {
    const scene = await made();
    declare(scene, { name: 'Else', messages: [{ text: 'Else' }] });
    await applied(scene);
    const listed = await planned(scene);
    expect(decisions(listed).filter((line) => line.startsWith('unmanaged')).length).toBe(1);
    const sent = await writesSent(scene);
    const pruned = await planned(scene, ...ALL);
    expect(pruned.plan.changes.flatMap(({ reasons }) => reasons).join('\n')).toContain(
      'put the block back without protect',
    );
    expect(outcomes(await applied(scene, ...ALL))).toEqual([]);
    expect(await writesSent(scene)).toEqual(sent);
  });

  it('is pruned once it was put back without the line, applied, and removed', async () => {
    const scene = await made();
    declare(scene, {}, { name: 'Else', messages: [{ text: 'Else' }] });
    await applied(scene);
    declare(scene, { name: 'Else', messages: [{ text: 'Else' }] });
    const run = await applied(scene, ...ALL);
    expect(run.code).toBe(0);
    expect(outcomes(run)).toEqual([`${kind === 'campaign' ? 'archive' : 'pause'} applied`]);
  });

  it('is remembered also where it was protected only later', async () => {
    const scene = aScene();
    declare(scene, {});
    await applied(scene);
    declare(scene, { protect: true });
    expect(outcomes(await applied(scene))).toEqual([]);
    declare(scene, { status: 'paused' });
    await expectHeld(scene, 'Still protected');
  });

  it('is remembered although the answer to its create was lost', async () => {
    const scene = aScene();
    declare(scene, { protect: true });
    await scene.fault({
      kind: 'broken_answer',
      operation: `${many}.create`,
      how: 'reset',
      when: 'after_commit',
      nth: 1,
    });
    expect(outcomes(await applied(scene))).toEqual(['create adopted']);
    declare(scene, { status: 'paused' });
    await expectHeld(scene, 'Still protected');
  });

  it('is remembered although the run died right after its create', async () => {
    const scene = aScene();
    declare(scene, { protect: true });
    await dieBefore(scene, (what) => what === 'end');
    declare(scene, { name: 'Else', messages: [{ text: 'Else' }] });
    scene.clock.move(80_000);
    await applied(scene, ...ALL);
    expect(await statuses(scene, kind)).toEqual([runs, runs]);
  });

  it('loses its memory with the state, and nothing else', async () => {
    const { files, clock } = await made();
    const scene = aScene({ files: files.tree, clock });
    declare(scene, { protect: true, status: 'paused' });
    await expectHeld(scene, 'Protected by protect: true at');
  });

  it('waits for a slow service like everything else', async () => {
    const scene = aScene();
    declare(scene, { protect: true });
    await scene.fault({ kind: 'throttle', operation: `${many}.create`, nth: 1, times: 3 });
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    await expectQuiet(scene);
  });
});

describe('a protected campaign that the service stored otherwise than it was sent', () => {
  it('is accepted as it is, as any other is', async () => {
    const scene = aScene();
    const rules = { unsend_delay_sec: 60 };
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ protect: true, rules })] }));
    for (const operation of ['campaigns.create', 'campaigns.list'] as const)
      await scene.fault({ kind: 'odd_reply', operation, set: { rules: { unsend_delay_sec: 120 } } });
    const run = await applied(scene);
    expect(run.code).toBe(0);
    expect(decisions(await planned(scene))).toEqual([]);
    expect((await applied(scene)).code).toBe(0);
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

describe('several protected versions of one name', () => {
  const words = (text: string) => ({ messages: [{ text }] });
  const declare = (scene: Scene, more: object) =>
    void Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ ...more })] }));

  it('are let go by an apply of the one that stays, which clears the queue of the other one', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign(words('One'))] }) });
    await applied(scene);
    declare(scene, words('Two'));
    await applied(scene);
    declare(scene, { ...words('Two'), protect: true, status: 'archived' });
    expect(outcomes(await applied(scene))).toEqual(['blocked not_attempted', 'blocked not_attempted']);
    declare(scene, { ...words('Two'), old_queue: 'clear' });
    expect(outcomes(await applied(scene))).toEqual(['archive applied']);
    await expectQuiet(scene);
    declare(scene, { ...words('Two'), status: 'archived' });
    expect(outcomes(await applied(scene))).toEqual(['archive applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'archived']);
  });

  it('of which two run: the copy is stopped, and no fan gets two', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign(words('One'))] }) });
    await applied(scene);
    await scene.service((control, world) => {
      const [first] = Object.values(world.accounts['101']?.campaigns ?? {});
      control.seedCampaign('101', {
        name: 'Welcome',
        messages: [{ text: 'One' }],
        created_by: first?.live.created_by,
      });
    });
    declare(scene, { ...words('One'), protect: true, status: 'paused' });
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual([
      'blocked not_attempted',
      'blocked not_attempted',
    ]);
    declare(scene, words('One'));
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual(['retire applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['active', 'archived']);
    await expectQuiet(scene);
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
