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

describe('an answer that the ledger cannot record', () => {
  const isOutcome = (line: string) => line.includes('"type":"outcome"');

  it('is kept in a file, with the command that adds it, and the exit is 4', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    fullFrom(scene, isOutcome);
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([4, ['create applied']]);
    expect(run.stderr).toContain('herald state push .herald/rescue-run1.ndjson');
    const rescued = scene.files.tree['.herald/rescue-run1.ndjson'] ?? '';
    expect(
      rescued
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ type: 'outcome', outcome: 'done', run: 'run1' }]);
    // What `herald state push` does to the ledger.
    scene.files.onWrite = () => 'done';
    scene.files.tree[LEDGER_FILE] += rescued;
    expect(outcomes(await applied(scene))).toEqual([]);
    expect((await writesSent(scene)).length).toBe(1);
  });

  it('is not needed for the next run to be right: it finds the object and adopts it', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    fullFrom(scene, isOutcome);
    await applied(scene);
    scene.files.onWrite = () => 'done';
    expect(outcomes(await applied(scene))).toEqual(['keep adopted']);
    expect((await liveOn(scene, '101', 'campaign')).length).toBe(1);
  });

  it('ends a command of one request with exit 4 as well', async () => {
    const scene = aScene();
    fullFrom(scene, isOutcome);
    const ran = await scene.herald(...SEND, '--text', 'A word', '--yes');
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining('herald state push .herald/rescue-')]);
  });
});

describe('a run that loses its lease', () => {
  it('sends nothing more, says so, and ends with exit 4', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    let sends = 0;
    const lockLost = () => (sends++ > 0 ? 'it was taken over by bo' : null);
    const ran = await scene.startAs({ lockLost }, 'apply', '--yes').ran;
    expect((await writesSent(scene)).length).toBe(1);
    expect(ran.code, ran.stderr).toBe(0);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign(), campaign({ name: 'Second' })] }));
    const lost = await scene.startAs({ lockLost }, 'apply', '--yes').ran;
    expect(lost.code).toBe(4);
    expect(lost.stderr).toContain(
      'lease-lost: This run lost the lease: it was taken over by bo. It sent nothing more.',
    );
    expect((await writesSent(scene)).length).toBe(1);
    const chat = await scene.startAs({ lockLost }, ...SEND, '--text', 'A word', '--yes').ran;
    expect([chat.code, chat.stderr]).toEqual([
      4,
      expect.stringContaining('Not sent, because this run lost the lease'),
    ]);
  });
});
