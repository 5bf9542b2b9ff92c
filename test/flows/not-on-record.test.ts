import { describe, expect, it } from 'vitest';
import { errorOf, SEND, sent } from '../helpers/chats.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, liveOn, messages, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const FULL = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
  syscall: 'write',
});

/** The disk is full once a line like this would be written, and stays so. */
function fullFrom(scene: Scene, isFirst: (line: string) => boolean): void {
  let isFull = false;
  scene.files.onWrite = (path, text) => {
    isFull ||= path === LEDGER_FILE && isFirst(text);
    return isFull && path === LEDGER_FILE ? FULL : 'done';
  };
}

const isRepeat = (line: string) => line.includes('"message":"sent again"');

describe('a repeat of a request that the ledger cannot record', () => {
  it('is not sent: the pause stays unconfirmed, and the next run finishes it', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await applied(scene);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.set-status',
      how: 'timeout',
      when: 'before_commit',
      nth: 1,
    });
    fullFrom(scene, isRepeat);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([3, ['pause unknown']]);
    expect(`${messages(run)} ${run.stderr}`).toContain('no space left on device');
    expect((await writesSent(scene)).filter((call) => call.endsWith('set-status'))).toHaveLength(1);
    scene.files.onWrite = () => 'done';
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
    expect((await liveOn(scene, '101', 'campaign')).length).toBe(1);
  });

  it('is not sent after a 429: the message was not sent, and the command says so', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'throttle', operation: 'chat.send', retry_after_sec: 1, nth: 1 });
    fullFrom(scene, isRepeat);
    const ran = await scene.herald(...SEND, '--text', 'A word', '--yes', '--format', 'json');
    expect([ran.code, errorOf(ran).message]).toEqual([1, expect.stringContaining('no space left on device')]);
    expect(await sent(scene, 'chat.send')).toBe(1);
  });
});
