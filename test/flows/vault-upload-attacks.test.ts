import { HeraldError } from '../../src/domain/herald-error.ts';
import { describe, expect, it } from 'vitest';
import type { WorldOptions } from '../../src/simulator/world.ts';
import { dieBefore } from '../helpers/flows.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, UPLOAD, uploaded, uploadsIn, vaultOf } from '../helpers/uploads.ts';

/** The list tells uploads that were never exported apart by their status, unless a test says otherwise. */
function scene({ modes }: Pick<WorldOptions, 'modes'> = {}): Scene {
  const made = aScene({ world: { modes: { unfinishedStatus: 'null', ...modes } } });
  made.bytes.blobs['hello.jpg'] = HELLO;
  return made;
}

const EXPORT = 'vault.upload-export';
const OTHER = { run: 'other', who: 'ana' };

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
    const made = scene({ modes: { uploadStepSec: 20, requestTimeoutSec: 100 } });
    await made.fault({ kind: 'late_commit', operation: EXPORT, after_sec: 100, how: 'reset', nth: 1 });
    const { code, item, stderr } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'exported']);
    expect(await callsOf(made)).toBe('start 1, export 2');
    expect(stderr).toMatch(/2 uploads with the same key\. .* may be a second copy/);
  });

  it('FAULT-12 landed after no one waited any more: the next run names the second copy', async () => {
    const made = scene({ modes: { requestTimeoutSec: 100 } });
    await made.fault({ kind: 'late_commit', operation: EXPORT, after_sec: 100, how: 'reset', nth: 1 });
    expect((await uploaded(made, '--no-wait')).item.outcome).toBe('accepted');
    made.clock.move(3_600_000);
    const { code, item, stderr } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'already']);
    expect(stderr).toMatch(/2 uploads with the same key\. .* may be a second copy/);
  });

  it('lost, landed late, its repeat refused for that, and not in the list yet: looked for until it shows', async () => {
    const made = scene({ modes: { exportAgain: 'refuse', listLagSec: 3, requestTimeoutSec: 74 } });
    await made.fault({ kind: 'late_commit', operation: EXPORT, after_sec: 73.5, how: 'reset', nth: 1 });
    const { code, item } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'exported']);
    expect((await uploaded(made)).item.outcome).toBe('already');
    expect((await vaultOf(made)).exported).toHaveLength(1);
  });

  it('accepted a moment ago, and not in the list yet: looked for until it shows', async () => {
    const made = scene({ modes: { listLagSec: 3 } });
    const first = await uploaded(made, '--no-wait');
    expect(first.item.outcome).toBe('accepted');
    const second = await uploaded(made);
    expect([second.code, second.item.outcome]).toEqual([0, 'already']);
    expect(await callsOf(made)).toBe('start 1, export 1');
  });

  it('accepted and ended since: --no-wait says the media, and the state learns it', async () => {
    const made = scene();
    await uploaded(made, '--no-wait');
    made.clock.move(3_600_000);
    const second = await uploaded(made, '--no-wait');
    expect([second.code, second.item.outcome, second.item.status]).toEqual([0, 'already', 'exported']);
    const { media } = await made.readState((state) => state.known(['101']));
    expect(media.map((one) => one.media_id)).toContain(second.item.media_id);
  });
});

describe('while the service makes the media', () => {
  it('other runs may work here: the lease is held only until the export is accepted', async () => {
    const made = scene({ modes: { uploadFates: [{ name_contains: 'hello', fate: 'stuck_processed' }] } });
    made.bytes.blobs['other.jpg'] = mediaOf(JPEG, 5000, 2);
    const long = made.start('vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json');
    await made.clock.sleep(60_000);
    const other = await made.herald('vault', 'upload', 'other.jpg', '--account', 'alice', '--format', 'json');
    expect([other.code, uploadsIn(other)[0]?.outcome], other.stderr).toEqual([0, 'exported']);
    expect(uploadsIn(await long.ran)[0]?.outcome).toBe('pending');
  });

  it('a state that cannot be written does not hold up the result, and the next run finds it', async () => {
    const made = scene({ modes: { uploadStepSec: 60 } });
    let hasEnded = false;
    const onRecord = (what: string) => {
      if (what === 'learn' && hasEnded) return new HeraldError('state-failed', 'no space left', '');
      hasEnded ||= what === 'end';
      return 'done';
    };
    const ran = await made.startAs({ onRecord }, ...UPLOAD).ran;
    expect([ran.code, uploadsIn(ran)[0]?.outcome]).toEqual([0, 'exported']);
    expect(ran.stderr).toContain('The result of this upload is not in the state: no space left');
    const second = await uploaded(made);
    expect([second.code, second.item.outcome]).toEqual([0, 'already']);
    expect(await callsOf(made)).toBe('start 1, export 1');
  });

  it('an end that the state cannot record is a warning and exit 4', async () => {
    const made = scene();
    const onRecord = (what: string) =>
      what === 'end' ? new HeraldError('state-failed', 'no space left', '') : 'done';
    const ran = await made.startAs({ onRecord }, ...UPLOAD).ran;
    expect([ran.code, uploadsIn(ran)[0]?.outcome]).toEqual([4, 'exported']);
    expect(ran.stderr).toContain('warning: not-on-record: ');
    expect((await uploaded(made)).item.outcome).toBe('already');
  });
});

describe('while another run works here', () => {
  it('nothing is sent, and the holder of the lease is named', async () => {
    const made = scene();
    const other = await made.state
      .access({ clock: made.clock, files: made.files, env: {}, identity: OTHER, process: 'process 4712' })
      .access.take(() => 'live', { waitMs: 0 });
    const ran = await made.herald('vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json');
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([
      1,
      expect.objectContaining({
        code: 'locked',
        message: 'Another herald run is active: ana, process 4712.',
        hint: expect.stringContaining('Wait for it to finish'),
      }),
    ]);
    expect(await callsOf(made)).toBe('');
    await other.close();
    expect((await uploaded(made)).item.outcome).toBe('exported');
  });
});

describe('an upload that is killed', () => {
  it.each([
    ['before its export is on record', 'begin'],
    ['before its end is on record', 'end'],
    ['before its media is on record', 'learn'],
  ])('%s: the same command again leaves exactly one media', async (_, write) => {
    const made = scene({ modes: { uploadShape: 'multipart', uploadPartBytes: 4000 } });
    let hasBegun = false;
    const isLast = (what: string) => {
      hasBegun ||= what === 'begin';
      return what === write && hasBegun;
    };
    await dieBefore(made, isLast, UPLOAD);
    const second = await uploaded(made);
    expect(second.code, second.stderr).toBe(0);
    expect((await vaultOf(made)).exported).toHaveLength(1);
    expect((await uploaded(made)).item.outcome).toBe('already');
    expect((await vaultOf(made)).exported).toHaveLength(1);
  });
});
