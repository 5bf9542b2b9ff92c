import { describe, expect, it } from 'vitest';
import { JPEG, mediaOf, PNG } from '../helpers/media.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, uploaded, uploadsIn, vaultOf } from '../helpers/uploads.ts';

function scene(world: NonNullable<Parameters<typeof aScene>[0]>['world'] = {}): Scene {
  const made = aScene({ world });
  made.bytes.blobs['hello.jpg'] = HELLO;
  return made;
}

const FATE = (fate: 'failed' | 'unprocessable' | 'stuck_uploaded' | 'stuck_processed' | 'late_media') => ({
  modes: { uploadFates: [{ name_contains: 'hello', fate }] },
});

describe('the end of an upload', () => {
  // VAULT-12
  it('is waited for until the media has its id', async () => {
    const { code, item } = await uploaded(scene(FATE('late_media')));
    expect([code, item.outcome]).toEqual([0, 'exported']);
    expect(item.media_id).toMatch(/^\d+$/);
  });

  // VAULT-12
  it('unprocessable: exit 1, and the same bytes are not tried again without --again', async () => {
    const made = scene(FATE('unprocessable'));
    expect((await uploaded(made)).item.outcome).toBe('unprocessable');
    const second = await uploaded(made);
    expect([second.code, second.item.outcome]).toEqual([1, 'unprocessable']);
    expect(await callsOf(made)).toBe('start 1, export 1');
    expect((await uploaded(made, '--again')).item.outcome).toBe('unprocessable');
    expect(await callsOf(made)).toBe('start 2, export 2');
  });

  it('not reached within --wait: exit 3, and nothing is uploaded a second time', async () => {
    const made = scene(FATE('stuck_processed'));
    const begun = made.clock.now();
    const first = await uploaded(made, '--wait', '5m');
    expect([first.code, first.item.outcome, first.item.status]).toEqual([3, 'pending', 'processed']);
    expect(made.clock.now() - begun).toBeGreaterThanOrEqual(300_000);
    expect(made.clock.now() - begun).toBeLessThan(310_000);
    const retried = await made.herald('vault', 'retry', first.item.upload_id ?? '', '--account', 'alice');
    expect(retried.code, retried.stderr).toBe(0);
    const second = await uploaded(made);
    expect([second.code, second.item.outcome]).toEqual([0, 'already']);
    expect(await callsOf(made)).toBe('start 1, export 1');
    expect((await vaultOf(made)).exported).toHaveLength(1);
  });

  it('is not waited for with --no-wait, and the next run finds it', async () => {
    const made = scene();
    const first = await uploaded(made, '--no-wait');
    expect([first.code, first.item.outcome, first.item.status]).toEqual([0, 'accepted', 'uploaded']);
    const second = await uploaded(made);
    expect(second).toMatchObject({ code: 0, item: { outcome: 'already', upload_id: first.item.upload_id } });
    expect(await callsOf(made)).toBe('start 1, export 1');
  });
});

describe('several files', () => {
  const many = (made: Scene, ...flags: readonly string[]) =>
    made.herald(
      'vault',
      'upload',
      'hello.jpg',
      'b.png',
      'c.jpg',
      '--account',
      'alice',
      '--format',
      'json',
      ...flags,
    );

  it('end one by one: exit 4 where some are there and some are not', async () => {
    const made = scene(FATE('failed'));
    made.bytes.blobs['b.png'] = mediaOf(PNG, 5000);
    made.bytes.blobs['c.jpg'] = mediaOf(JPEG, 6000);
    const ran = await many(made);
    expect(ran.code).toBe(4);
    expect(uploadsIn(ran).map(({ file, outcome }) => `${file} ${outcome}`)).toEqual([
      'hello.jpg failed',
      'b.png exported',
      'c.jpg exported',
    ]);
  });

  it('of the same bytes are one upload', async () => {
    const made = scene();
    made.bytes.blobs['b.png'] = mediaOf(PNG, 5000);
    made.bytes.blobs['c.jpg'] = HELLO;
    const ran = await many(made);
    expect(uploadsIn(ran).map(({ outcome }) => outcome)).toEqual(['exported', 'exported', 'already']);
    const [hello, , copy] = uploadsIn(ran);
    expect(copy?.media_id).toBe(hello?.media_id);
    expect(await callsOf(made)).toBe('start 2, export 2');
  });

  it('are all looked at before the first request, with everything that is wrong', async () => {
    const made = scene();
    made.bytes.blobs['b.png'] = JPEG;
    const ran = await made.herald(
      'vault',
      'upload',
      'hello.jpg',
      'b.png',
      'c.jpg',
      '--account',
      'alice',
      '--format',
      'json',
    );
    expect(ran.code).toBe(1);
    const { code, details } = JSON.parse(ran.stdout) as {
      code: string;
      details: { diagnostics: { file: string; message: string }[] };
    };
    expect(code).toBe('invalid-files');
    expect(details.diagnostics.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      expect.stringContaining('b.png: its name says image/png, but it holds image/jpeg'),
      'c.jpg: the file does not exist.',
    ]);
    expect((await made.oracle()).requests).toEqual([]);
  });
});
