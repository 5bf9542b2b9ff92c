import { describe, expect, it } from 'vitest';
import { errorOf, SEND, sent } from '../helpers/chats.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, messages, outcomes, statuses } from '../helpers/flows.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aScene, LEDGER_FILE } from '../helpers/scene.ts';

const LOST = '.herald/apply.lock was taken over by process 7 on elsewhere';
const FILES = declaring({ campaigns: ['A', 'B', 'C'].map((name) => campaign({ name })) });

describe('a run that loses its lock', () => {
  it('sends nothing more, says so, and leaves nothing open', async () => {
    const scene = aScene({ files: FILES });
    // Once the first create is on record.
    scene.files.lostLock = () =>
      (scene.files.tree[LEDGER_FILE] ?? '').includes('"outcome":"done"') ? LOST : null;
    const run = await applied(scene);
    expect([run.code, outcomes(run).toSorted()]).toEqual([
      4,
      ['create applied', 'create failed', 'create not_attempted'],
    ]);
    expect(messages(run)).toContain(`Not sent, because ${LOST}`);
    expect(await createsSent(scene)).toBe(1);
    scene.files.lostLock = () => null;
    expect(outcomes(await applied(scene))).toEqual(['create applied', 'create applied']);
  });

  it('does not create once more what was not answered', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.create',
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    scene.files.lostLock = () =>
      (scene.files.tree[LEDGER_FILE] ?? '').includes('"outcome":"unknown"') ? LOST : null;
    const run = await applied(scene);
    expect(messages(run)).toContain(LOST);
    expect(await createsSent(scene)).toBe(1);
  });

  it('does not say that an old version still runs if the answer to its stop was lost', async () => {
    const files = (text: string) =>
      declaring({ campaigns: [campaign({ messages: [{ text }], replace: 'create_first' })] });
    const scene = aScene({ files: files('Hey') });
    await applied(scene);
    Object.assign(scene.files.tree, files('Hello'));
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.set-status',
      how: 'timeout',
      when: 'after_commit',
      nth: 1,
    });
    const startedMs = scene.clock.now();
    scene.files.lostLock = () => (scene.clock.now() > startedMs + 30_000 ? LOST : null);
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace unknown']);
    expect(messages(run)).not.toContain('is live together with');
    expect(messages(run)).toMatch(
      /The new version \d+ is live\. It is not known whether the old version \d+ still runs\./,
    );
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  it('sends no message', async () => {
    const scene = aScene();
    scene.files.lostLock = () => LOST;
    const ran = await scene.herald(...SEND, '--text', 'A word', '--yes', '--format', 'json');
    expect([ran.code, errorOf(ran)]).toMatchObject([
      4,
      { code: 'lease-lost', message: `Not sent, because this run lost the lease: ${LOST}.` },
    ]);
    expect(await sent(scene, 'chat.send')).toBe(0);
  });

  it('puts nothing away from the ledger: another run may be writing to it', async () => {
    const scene = aScene({ files: FILES });
    await applied(scene);
    scene.clock.move(200 * 86_400_000);
    addLineOfNow(scene);
    const before = scene.files.tree[LEDGER_FILE];
    scene.files.lostLock = () => LOST;
    const ran = await scene.herald('ledger', 'compact', '--format', 'json');
    expect([ran.code, errorOf(ran).message]).toEqual([
      1,
      `${LEDGER_FILE}: nothing was changed, because ${LOST}.`,
    ]);
    expect(scene.files.tree[LEDGER_FILE]).toBe(before);
  });
});
