import { describe, expect, it } from 'vitest';
import type { WorldOptions } from '../../src/simulator/world.ts';
import { campaign } from '../helpers/declare-live.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, uploaded, uploadsIn, vaultOf } from '../helpers/uploads.ts';

/** The list tells uploads that were never exported apart by their status, unless a test says otherwise. */
function scene({ modes }: Pick<WorldOptions, 'modes'> = {}): Scene {
  const made = aScene({ world: { modes: { unfinishedStatus: 'null', ...modes } } });
  made.bytes.blobs['hello.jpg'] = HELLO;
  return made;
}

const EXPORT = 'vault.upload-export';

describe('the same bytes for another purpose', () => {
  it.each([
    ['another type', ['--type', 'message'], /it was exported for post/],
    ['a guest', ['--guest', '77'], /its guests were none/],
  ])('%s: said so, nothing uploaded without --again', async (_, flags, why) => {
    const made = scene();
    const first = await uploaded(made);
    const second = await uploaded(made, ...flags);
    expect([second.code, second.item.outcome, second.item.media_id]).toEqual([
      1,
      'not_attempted',
      first.item.media_id,
    ]);
    expect(second.item.message).toMatch(why);
    expect(await callsOf(made)).toBe('start 1, export 1');
    expect((await uploaded(made, ...flags, '--again')).item.outcome).toBe('exported');
    expect((await uploaded(made, ...flags)).item.outcome).toBe('already');
    expect((await vaultOf(made)).exported).toHaveLength(2);
  });

  it('the fan that it is aimed at: two fans are two exports', async () => {
    const made = aScene({ world: { accounts: [{ id: '101', fans: ['501', '502'] }] } });
    made.bytes.blobs['hello.jpg'] = HELLO;
    const fan = (id: string) => ['--fan', `https://platform.example/u${id}`];
    expect((await uploaded(made, ...fan('501'))).item.outcome).toBe('exported');
    const other = await uploaded(made, ...fan('502'));
    expect([other.code, other.item.outcome]).toEqual([1, 'not_attempted']);
    expect(other.item.message).toContain('it was for fan 501');
    expect((await uploaded(made, ...fan('501'))).item.outcome).toBe('already');
  });

  it('the vault of the account: what it has is not taken for a fan', async () => {
    const made = scene();
    const first = await uploaded(made, '--type', 'message');
    const fan = ['--fan', 'https://platform.example/u101001'];
    const second = await uploaded(made, ...fan);
    expect([second.code, second.item.outcome]).toEqual([1, 'not_attempted']);
    expect(second.item.message).toContain('it was not for a single fan');
    const third = await uploaded(made, ...fan, '--again');
    expect(third.item.media_id).not.toBe(first.item.media_id);
    expect((await uploaded(made, '--type', 'message')).item.media_id).toBe(first.item.media_id);
    expect((await uploaded(made, ...fan)).item.media_id).toBe(third.item.media_id);
  });
});

describe('an export that the service is not clear about', () => {
  it('answered with another key: looked for by ours, and never repeated', async () => {
    const made = scene();
    await made.fault({
      kind: 'odd_reply',
      operation: EXPORT,
      set: { id: 'b2a7c5f0-0000-4000-8000-000000000000', metadata: { key: 'someone/else' } },
    });
    const { code, item } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'exported']);
    expect(item.upload_id).not.toContain('b2a7c5f0');
    expect(await callsOf(made)).toBe('start 1, export 1');
    expect((await uploaded(made)).item.outcome).toBe('already');
  });

  it('lost, and not listed once its window is over: sent once more', async () => {
    const made = scene({ modes: { unfinishedStatus: 'uploaded' } });
    await made.fault({
      kind: 'broken_answer',
      operation: EXPORT,
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    const { code, item } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'exported']);
    expect(await callsOf(made)).toBe('start 1, export 2');
  });

  // VAULT-11
  it('FAULT-12 landed after its repeat had been answered: the second copy is named', async () => {
    const made = scene({ modes: { uploadStepSec: 20 } });
    await made.fault({ kind: 'late_commit', operation: EXPORT, after_sec: 90, how: 'reset', nth: 1 });
    const { code, item, stderr } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'exported']);
    expect(await callsOf(made)).toBe('start 1, export 2');
    expect(stderr).toMatch(/2 uploads with the same key\. .* may be a second copy/);
  });

  it('FAULT-12 landed after no one waited any more: the next run names the second copy', async () => {
    const made = scene();
    await made.fault({ kind: 'late_commit', operation: EXPORT, after_sec: 90, how: 'reset', nth: 1 });
    expect((await uploaded(made, '--no-wait')).item.outcome).toBe('accepted');
    made.clock.move(3_600_000);
    const { code, item, stderr } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'already']);
    expect(stderr).toMatch(/2 uploads with the same key\. .* may be a second copy/);
  });

  it('lost, landed late, its repeat refused for that, and not in the list yet: looked for until it shows', async () => {
    const made = scene({ modes: { exportAgain: 'refuse', listLagSec: 3 } });
    await made.fault({ kind: 'late_commit', operation: EXPORT, after_sec: 73.5, how: 'reset', nth: 1 });
    const { code, item } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'exported']);
    expect((await uploaded(made)).item.outcome).toBe('already');
    expect((await vaultOf(made)).exported).toHaveLength(1);
  });

  it('lost and certainly absent, when a Ctrl-C comes: not sent once more', async () => {
    const made = scene();
    const how = { how: 'reset', when: 'before_commit' } as const;
    await made.fault({ kind: 'broken_answer', operation: EXPORT, ...how, nth: 1 });
    const run = made.start('vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json');
    made.files.onWrite = (_path, text) => {
      if (text.includes('"outcome":"absent"')) run.interrupt();
      return 'done';
    };
    const ran = await run.ran;
    expect([ran.code, uploadsIn(ran)[0]?.outcome]).toEqual([130, 'not_attempted']);
    expect(await callsOf(made)).toBe('start 1, export 1');
  });

  it('accepted a moment ago, and not in the list yet: looked for until it shows', async () => {
    const made = scene({ modes: { listLagSec: 3 } });
    const first = await uploaded(made, '--no-wait');
    expect(first.item.outcome).toBe('accepted');
    const second = await uploaded(made);
    expect([second.code, second.item.outcome]).toEqual([0, 'already']);
    expect(await callsOf(made)).toBe('start 1, export 1');
  });

  it('accepted and ended since: --no-wait says the media, and the ledger learns it', async () => {
    const made = scene();
    await uploaded(made, '--no-wait');
    made.clock.move(3_600_000);
    const second = await uploaded(made, '--no-wait');
    expect([second.code, second.item.outcome, second.item.status]).toEqual([0, 'already', 'exported']);
    expect(made.files.tree[LEDGER_FILE]).toContain(`media ${second.item.media_id}`);
  });
});

describe('while the service makes the media', () => {
  it('other runs may work here: the ledger is held only until the export is accepted', async () => {
    const made = scene({ modes: { uploadFates: [{ name_contains: 'hello', fate: 'stuck_processed' }] } });
    made.bytes.blobs['other.jpg'] = mediaOf(JPEG, 5000, 2);
    const long = made.start('vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json');
    await made.clock.sleep(60_000);
    const other = await made.herald('vault', 'upload', 'other.jpg', '--account', 'alice', '--format', 'json');
    expect([other.code, uploadsIn(other)[0]?.outcome], other.stderr).toEqual([0, 'exported']);
    expect(uploadsIn(await long.ran)[0]?.outcome).toBe('pending');
  });

  it('a ledger that another run holds for long does not hold up the result', async () => {
    const made = scene({ modes: { uploadStepSec: 60 } });
    const run = made.start('vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json');
    await made.clock.sleep(60_000);
    const { release } = await made.files.state.leases.take();
    const ran = await run.ran;
    expect([ran.code, uploadsIn(ran)[0]?.outcome]).toEqual([0, 'exported']);
    expect(ran.stderr).toContain(
      'The result of this upload is not in the ledger yet: another herald run is active, process 4711 on this-machine.',
    );
    await release();
    const second = await uploaded(made);
    expect([second.code, second.item.outcome]).toEqual([0, 'already']);
    expect(await callsOf(made)).toBe('start 1, export 1');
  });
});

describe('while another run works here', () => {
  it('nothing is sent, and the holder of the lock is named', async () => {
    const made = scene();
    const { release } = await made.files.state.leases.take();
    const ran = await made.herald('vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json');
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([
      1,
      expect.objectContaining({
        code: 'locked',
        message: 'Another herald run is active: process 4711 on this-machine.',
        hint: expect.stringContaining('Wait for it to finish'),
      }),
    ]);
    expect(await callsOf(made)).toBe('');
    await release();
    expect((await uploaded(made)).item.outcome).toBe('exported');
  });
});

describe('a ledger with a line that cannot be read', () => {
  const DAMAGED = '<<<<<<< ours\n';

  it('holds no upload up, and says that these bytes may be there twice', async () => {
    const made = scene();
    made.files.tree[LEDGER_FILE] = DAMAGED;
    const { code, item, stderr } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'exported']);
    expect(stderr).toContain('may upload the same bytes again');
    expect(stderr).toContain('fans get nothing twice');
    const again = await uploaded(made, '--again');
    expect(again.stderr).not.toContain('a second time');
  });

  it('is not a matter where a crash cut its last line short: that request never left', async () => {
    const made = scene();
    await uploaded(made);
    made.files.tree[LEDGER_FILE] += '{"v":1,"type":"act","oper';
    expect((await uploaded(made)).stderr).not.toContain('a second time');
  });

  it('keeps an apply from uploading, because it creates nothing', async () => {
    const made = scene();
    made.files.tree['live/a.yaml'] = JSON.stringify({
      accounts: ['alice'],
      campaigns: [campaign({ messages: [{ text: 'Look', attachments: [{ file: '../hello.jpg' }] }] })],
    });
    made.files.tree[LEDGER_FILE] = DAMAGED;
    const ran = await made.herald('apply', '--yes');
    expect([ran.code, await callsOf(made)]).toEqual([5, '']);
  });
});

describe('an upload killed at a line of the ledger', () => {
  const LINES = ['act', 'export answered', 'media'] as const;
  it.each(
    LINES.flatMap((line, index) => [
      [`${line}, before it is on the disk`, index, 'before'] as const,
      [`${line}, right after it`, index, 'after'] as const,
    ]),
  )('%s: the same command again leaves exactly one media', async (_, index, when) => {
    const made = scene({ modes: { uploadShape: 'multipart', uploadPartBytes: 4000 } });
    let lines = 0;
    const run = made.start('vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json');
    const killed = new Promise<void>((resolve) => {
      made.files.onWrite = (path) => {
        if (path !== LEDGER_FILE || lines++ !== index) return 'done';
        const die = () => {
          run.kill();
          resolve();
        };
        if (when === 'before') die();
        else setImmediate(die);
        return when === 'before' ? 'frozen' : 'done';
      };
    });
    await killed;
    made.files.onWrite = () => 'done';
    const second = await uploaded(made);
    expect(second.code, second.stderr).toBe(0);
    expect((await vaultOf(made)).exported).toHaveLength(1);
    expect((await uploaded(made)).item.outcome).toBe('already');
    expect((await vaultOf(made)).exported).toHaveLength(1);
  });

  it('with branches that were merged: the lines of both stand for one media', async () => {
    const made = scene();
    const base = made.files.tree[LEDGER_FILE] ?? '';
    await uploaded(made, '--no-wait');
    const ours = made.files.tree[LEDGER_FILE] ?? '';
    await uploaded(made);
    const theirs = made.files.tree[LEDGER_FILE] ?? '';
    made.files.tree[LEDGER_FILE] = `${base}${theirs}${ours}`;
    expect((await uploaded(made)).item.outcome).toBe('already');
    expect(await callsOf(made)).toBe('start 1, export 1');
  });
});
