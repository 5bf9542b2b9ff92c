import { describe, expect, it } from 'vitest';
import { examineFile } from '../../src/api/upload-file.ts';
import { limitUploads, uploadsForApply } from '../../src/acts/upload/upload.ts';
import type { ExportWishes, UploadJob } from '../../src/acts/upload/export.ts';
import { type UploadResult, followExports } from '../../src/acts/upload/records.ts';
import type { Run } from '../../src/engine/run.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import type { WorldOptions } from '../../src/simulator/world.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import { HELLO, sha256 } from '../helpers/uploads.ts';
import { ALICE, actScene, lost, outcomes, summarise, type ActScene, type RunOptions } from './act-scene.ts';

/** The list tells uploads that were never exported apart: they have no status. Parts of 4000 bytes: three of them. */
const SINGLE: WorldOptions = { modes: { unfinishedStatus: 'null' } };
const IN_PARTS: WorldOptions = {
  modes: { ...SINGLE.modes, uploadShape: 'multipart', uploadPartBytes: 4000 },
};
const NO_IDS = { guests: [], partners: [], tags: [] };
const POST: ExportWishes = { type: 'post', fanId: null, duration: undefined, ...NO_IDS };
const quiet = { onBytes: () => undefined, onPhase: () => undefined, onWarning: () => undefined };

interface Uploading extends RunOptions {
  readonly paths?: readonly string[];
  readonly wishes?: Partial<ExportWishes>;
  readonly isAgain?: boolean;
  /** Called when the files are checked, before anything is sent. */
  readonly beforeSend?: () => void;
}

function uploadScene(world: WorldOptions = SINGLE): ActScene {
  const scene = actScene(world);
  scene.bytes.blobs['hello.jpg'] = HELLO;
  return scene;
}

async function checked(scene: ActScene, path: string) {
  const file = await examineFile(scene.bytes, path, { name: undefined, contentType: undefined });
  if ('problems' in file) throw new Error(file.problems.join(' '));
  return file;
}

/** Uploads files as `herald vault upload` does, and returns what became of each. */
async function uploadAll(scene: ActScene, run: Run, options: Uploading): Promise<readonly UploadResult[]> {
  const { paths = ['hello.jpg'], wishes = {}, isAgain = false, beforeSend } = options;
  const { bytes, putBytes } = scene;
  const jobs: UploadJob[] = [];
  for (const path of paths) {
    const file = await checked(scene, path);
    jobs.push({ account: ALICE, file, planned: null, wishes: { ...POST, ...wishes }, parallel: 2, ...quiet });
  }
  beforeSend?.();
  const random = () => 0;
  const send = limitUploads({ run, bytes, putBytes, random });
  const follow = followExports({ ...run, random, waitMs: 60_000 });
  return Promise.all(
    jobs.map(async (job) => {
      const sent = await send(job, isAgain);
      return sent.outcome === null ? follow('101', sent, () => undefined) : sent;
    }),
  );
}

/** `exported`, `already` and so on, of each file. */
function upload(scene: ActScene, options: Uploading = {}): Promise<string> {
  const work = scene.act((run) => uploadAll(scene, run, options), options);
  return summarise(work.then((ends) => ({ kind: ends.map(({ outcome }) => outcome).join(', ') })));
}

const mediaIn = (scene: ActScene) =>
  (scene.control.oracle().vaults['101']?.exported ?? []).map(({ sha256: digest }) => digest);
const ONE = [sha256(HELLO)];

describe('an upload', () => {
  it.each([
    ['in one put', SINGLE, 0],
    ['in three parts', IN_PARTS, 1],
  ])('%s becomes one media, and its id is on record', async (_, world, finishes) => {
    const scene = uploadScene(world);
    expect(await upload(scene)).toBe('exported');
    expect(mediaIn(scene)).toEqual(ONE);
    expect(scene.count('vault.upload-finish')).toBe(finishes);
    const media = await scene.act(async ({ state }) => (await state.known(['101'])).media);
    expect(media.map(({ digest }) => digest)).toContain(`sha256:${sha256(HELLO)}`);
  });

  // VAULT-11, VAULT-13, LOST-17
  it.each<[string, FaultInput, string, string]>([
    ['lost before', lost.before('vault.upload-export'), 'absent, done', 'exported'],
    ['lost after', lost.after('vault.upload-export'), 'adopted', 'exported'],
    ['late', lost.late('vault.upload-export'), 'adopted', 'exported'],
    ['throttled', lost.throttled('vault.upload-export'), 'done', 'exported'],
    ['without a connection', lost.refusedConnection('vault.upload-export'), 'done', 'exported'],
    ['twice lost before', { ...lost.before('vault.upload-export'), times: 2 }, 'absent, absent', 'failed'],
    [
      'answered for another upload',
      { kind: 'odd_reply', operation: 'vault.upload-export', nth: 1, set: { metadata: { key: 'other' } } },
      'adopted',
      'exported',
    ],
  ])('with an export that is %s makes at most one media', async (_, fault, recorded, result) => {
    const scene = uploadScene();
    scene.control.addFault(fault);
    expect(await upload(scene)).toBe(result);
    expect(await outcomes(scene)).toBe(recorded);
    scene.clock.move(200_000);
    expect(mediaIn(scene)).toEqual(result === 'exported' ? ONE : []);
  });

  // VAULT-9, VAULT-17, LOST-14, LOST-15, LOST-16
  it.each<[string, FaultInput]>([
    ['a lost start', lost.after('vault.upload-start')],
    ['a lost finish that was carried out', lost.after('vault.upload-finish')],
    ['a lost finish that was not carried out', lost.before('vault.upload-finish')],
    ['an address that has expired', { kind: 'storage', how: 'expired', nth: 1 }],
    ['a put that breaks', { kind: 'storage', how: 'reset', nth: 1 }],
    ['a store that names no ETag', { kind: 'storage', how: 'missing_etag', nth: 1 }],
    ['a store that is not there at first', { kind: 'storage', how: 'refused', nth: 1 }],
  ])('survives %s', async (_, fault) => {
    const scene = uploadScene(IN_PARTS);
    scene.control.addFault(fault);
    expect(await upload(scene)).toBe('exported');
    expect(mediaIn(scene)).toEqual(ONE);
  });

  // VAULT-7
  it('gives up after three expired addresses', async () => {
    const scene = uploadScene();
    scene.control.addFault({ kind: 'storage', how: 'expired' });
    expect(await upload(scene)).toBe('failed');
    expect(scene.count('vault.upload-start')).toBe(3);
    expect(await outcomes(scene)).toBe('');
  });

  it('is not sent if the file changed since it was checked', async () => {
    const scene = uploadScene();
    const beforeSend = () => {
      scene.bytes.blobs['hello.jpg'] = mediaOf(JPEG, 9_000);
    };
    expect(await upload(scene, { beforeSend })).toBe('failed');
    expect(await outcomes(scene)).toBe('');
  });

  it.each([401, 403])('is not waited for after the key was refused with %i', async (status) => {
    const scene = uploadScene();
    const beganMs = scene.clock.now();
    scene.control.addFault({ kind: 'refusal', operation: 'vault.uploads', status });
    expect(await upload(scene)).toBe('pending');
    expect(scene.count('vault.uploads')).toBe(1);
    expect(scene.clock.now() - beganMs).toBeLessThan(10_000);
  });

  it.each([
    ['begun', 'exported', 2],
    ['answered', 'already', 1],
  ] as const)(
    'is finished by the next run after a kill when its export has %s',
    async (killAt, result, starts) => {
      const scene = uploadScene();
      await upload(scene, { killAt });
      expect(await outcomes(scene)).toBe('open');
      expect(await upload(scene)).toBe(result);
      expect(mediaIn(scene)).toEqual(ONE);
      expect(scene.count('vault.upload-start')).toBe(starts);
    },
  );

  it('of the same bytes is done once, until it is asked for again', async () => {
    const scene = uploadScene();
    scene.bytes.blobs['copy.jpg'] = HELLO;
    expect(await upload(scene, { paths: ['hello.jpg', 'copy.jpg'] })).toBe('exported, already');
    expect(await upload(scene)).toBe('already');
    expect(mediaIn(scene)).toEqual(ONE);
    expect(await upload(scene, { isAgain: true })).toBe('exported');
    expect(mediaIn(scene)).toHaveLength(2);
  });

  it('for one fan is another media, and other tags are not', async () => {
    const scene = uploadScene();
    await upload(scene);
    expect(await upload(scene, { wishes: { tags: ['5'] } })).toBe('already');
    expect(await upload(scene, { wishes: { type: 'message', fanId: '101001' } })).toBe('exported');
    expect(await upload(scene, { wishes: { type: 'message', fanId: '101001' } })).toBe('already');
    expect(await upload(scene)).toBe('already');
    expect(mediaIn(scene)).toHaveLength(2);
  });

  it('that the service cannot use is not repeated, and one that failed is', async () => {
    const uploadFates = [
      { name_contains: 'hello', fate: 'unprocessable' },
      { name_contains: 'cat', fate: 'failed' },
    ] as const;
    const scene = uploadScene({ modes: { ...SINGLE.modes, uploadFates: [...uploadFates] } });
    scene.bytes.blobs['cat.jpg'] = mediaOf(JPEG, 5_000, 7);
    expect(await upload(scene, { paths: ['hello.jpg', 'cat.jpg'] })).toBe('unprocessable, failed');
    expect(await upload(scene, { paths: ['hello.jpg', 'cat.jpg'] })).toBe('unprocessable, failed');
    expect(scene.count('vault.upload-export')).toBe(3);
  });

  it('exports nothing after an interrupt', async () => {
    const scene = uploadScene();
    expect(await upload(scene, { isInterrupted: true })).toBe('not_attempted');
    expect(await outcomes(scene)).toBe('');
  });
});

describe('an upload of an apply', () => {
  const media = {
    path: 'hello.jpg',
    name: 'hello.jpg',
    size: HELLO.byteLength,
    content_type: 'image/jpeg',
    digest: `sha256:${sha256(HELLO)}`,
  };

  async function uploadForApply(scene: ActScene, digest = media.digest) {
    const file = await checked(scene, 'hello.jpg');
    const { bytes, putBytes } = scene;
    const ports = {
      bytes,
      putBytes,
      random: () => 0,
      findFile: () => file,
      follow: () => ({ ...quiet, onEnd: () => undefined }),
    };
    return scene.act((run) => uploadsForApply(run, ports)(run.interrupted)(ALICE, { ...media, digest }));
  }

  it('brings the declared file into the vault once, also next to an upload by hand', async () => {
    const scene = uploadScene();
    expect(await upload(scene)).toBe('exported');
    expect(await uploadForApply(scene)).toMatchObject({ kind: 'uploaded', earlier: true });
    expect(mediaIn(scene)).toEqual(ONE);
  });

  it('refuses other bytes than those of the plan', async () => {
    const scene = uploadScene();
    expect(await uploadForApply(scene, 'sha256:other')).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('has changed since the plan was made'),
    });
    expect(mediaIn(scene)).toEqual([]);
  });
});
