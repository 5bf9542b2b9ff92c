import { describe, expect, it } from 'vitest';
import { draftOf, FLASH, sendFlash } from '../helpers/at-once.ts';
import { createsSent } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

describe('a draft with the content of another broadcast', () => {
  const EVENING = { ...FLASH, name: 'Evening', scheduled_at: '2026-06-01T18:00Z' };
  const live = (...broadcasts: object[]) => ({
    'live/a.yaml': JSON.stringify({ accounts: ['alice'], broadcasts }),
  });

  it('says how to stop that one, which lets the draft be sent', async () => {
    const scene = aScene({ files: { ...draftOf(), ...live(EVENING) } });
    await scene.herald('apply', '--yes');
    const ran = await sendFlash(scene);
    expect(ran.code).toBe(5);
    expect(ran.stderr).not.toContain('renamed_from');
    const [, id = ''] =
      /Stop that one first: herald broadcasts pause (\d+) --account alice\. Or change the words of this one\./.exec(
        ran.stderr,
      ) ?? [];
    const stopped = await scene.herald('broadcasts', 'pause', id, '--account', 'alice', '--yes');
    expect(stopped.code, stopped.stderr).toBe(0);
    const sent = await sendFlash(scene);
    expect([sent.code, await createsSent(scene)], sent.stderr).toEqual([0, 2]);
    // What a person stops stays stopped.
    const plan = await scene.herald('plan');
    expect([plan.code, plan.stdout]).toEqual([5, expect.stringContaining('--allow resume')]);
  });

  it('waits for one that the files only declare paused: an apply may resume it', async () => {
    const scene = aScene({ files: { ...draftOf(), ...live(EVENING) } });
    await scene.herald('apply', '--yes');
    Object.assign(scene.files.tree, live({ ...EVENING, status: 'paused' }));
    await scene.herald('apply', '--yes');
    const ran = await sendFlash(scene);
    const [, id = ''] = /herald broadcasts pause (\d+)/.exec(ran.stderr) ?? [];
    expect([ran.code, id]).toEqual([5, expect.stringMatching(/^\d+$/)]);
    await scene.herald('broadcasts', 'pause', id, '--account', 'alice', '--yes');
    expect((await sendFlash(scene)).code).toBe(0);
  });

  it('is sent next to one that someone else has paused: no apply resumes that', async () => {
    const scene = aScene({ files: draftOf() });
    const { messages } = FLASH;
    await scene.service((control) =>
      control.seedBroadcast('101', { name: 'Evening', messages, status: 'paused' }),
    );
    expect((await sendFlash(scene)).code).toBe(0);
  });

  it('is not told to add renamed_from next to one that the list does not show yet', async () => {
    const scene = aScene({
      files: { ...draftOf(), 'drafts/b.yaml': draftOf({ name: 'Flash' })['drafts/today.yaml'] ?? '' },
    });
    await scene.service((control) => control.seedBroadcast('101', { name: 'Other', status: 'sending' }));
    await scene.fault({ kind: 'list_lag', operation: 'broadcasts.create', lag_sec: 120, nth: 1 });
    await scene.herald('broadcasts', 'send', 'drafts/b.yaml#Flash', '--allow', 'now', '--yes');
    const ran = await sendFlash(scene);
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('does not list it yet')]);
    expect(ran.stderr).not.toContain('renamed_from');
  });
});
