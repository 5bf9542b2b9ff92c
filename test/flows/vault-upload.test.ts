import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import type { WorldOptions } from '../../src/simulator/world.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, sha256, uploaded, vaultOf } from '../helpers/uploads.ts';

/** Parts of 4000 bytes: hello.jpg has three. */
const IN_PARTS = { modes: { uploadShape: 'multipart', uploadPartBytes: 4000 } } as const;

/** The list tells uploads that were never exported apart: they have no status. */
const TOLD_APART = { unfinishedStatus: 'null' } as const;

function scene({ world }: { readonly world?: WorldOptions } = {}): Scene {
  const made = aScene({ world: { ...world, modes: { ...TOLD_APART, ...world?.modes } } });
  made.bytes.blobs['hello.jpg'] = HELLO;
  return made;
}

/** One media of exactly these bytes, one record of its key, and the service's key nowhere near the store. */
async function expectOneMedia(made: Scene, content: Uint8Array = HELLO): Promise<void> {
  const vault = await vaultOf(made);
  expect(vault.exported.map(({ sha256: digest }) => digest)).toEqual([sha256(content)]);
  expect(Object.values(vault.records).map((records) => records.length)).toEqual([1]);
  expect(vault.keysSeen).toBe(0);
}

type Lost = readonly [title: string, fault: (operation: FaultInput['operation']) => FaultInput];
const broken =
  (how: '502' | 'timeout' | 'reset' | '500' | 'unreadable' | 'truncated', when: 'before' | 'after') =>
  (operation: FaultInput['operation']): FaultInput => ({
    kind: 'broken_answer',
    how,
    when: when === 'before' ? 'before_commit' : 'after_commit',
    nth: 1,
    operation,
  });

/** FAULT-1 to FAULT-7 and FAULT-10, for any call. */
const LOST: readonly Lost[] = [
  ['FAULT-1 a time-out, never carried out', broken('timeout', 'before')],
  ['FAULT-2 a time-out, carried out', broken('timeout', 'after')],
  [
    'FAULT-3 carried out 40 s later',
    (operation) => ({ kind: 'late_commit', after_sec: 40, how: 'reset', nth: 1, operation }),
  ],
  ['FAULT-4 a 500, not carried out', broken('500', 'before')],
  ['FAULT-5 a 502, carried out', broken('502', 'after')],
  ['FAULT-6 no connection', (operation) => ({ kind: 'connection_refused', nth: 1, operation })],
  ['FAULT-11 a reset, carried out', broken('reset', 'after')],
  ['FAULT-11 a reset, not carried out', broken('reset', 'before')],
  ['FAULT-7 a 429', (operation) => ({ kind: 'throttle', nth: 1, times: 2, operation })],
  ['FAULT-10 an answer that is not JSON', broken('unreadable', 'after')],
  ['FAULT-10 an answer cut short', broken('truncated', 'after')],
];

// VAULT-17
describe('LOST-14: the start', () => {
  it.each(LOST)('%s: begun again, one media', async (_, fault) => {
    const made = scene();
    await made.fault(fault('vault.upload-start'));
    const { code, item } = await uploaded(made);
    expect(code).toBe(0);
    expect(item.outcome).toBe('exported');
    await expectOneMedia(made);
    expect(await callsOf(made)).toMatch(/^start [23], export 1$/);
  });

  it('FAULT-9 the same bytes exported before: said with the media, and nothing is sent', async () => {
    const made = scene();
    const first = await uploaded(made);
    const second = await uploaded(made);
    expect(second).toMatchObject({ code: 0, item: { outcome: 'already', media_id: first.item.media_id } });
    expect(await callsOf(made)).toBe('start 1, export 1');
    await expectOneMedia(made);
    const third = await uploaded(made, '--again');
    expect(third.item.outcome).toBe('exported');
    expect((await vaultOf(made)).exported).toHaveLength(2);
  });

  it('is given up after three, and says why', async () => {
    const made = scene();
    await made.fault({
      kind: 'broken_answer',
      how: '500',
      when: 'before_commit',
      operation: 'vault.upload-start',
    });
    const { code, item } = await uploaded(made);
    expect(code).toBe(1);
    expect(item).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/Gave up after 3 uploads/),
    });
    expect(await callsOf(made)).toBe('start 3');
  });

  it.each([
    ['no key', { key: null }, /no key/],
    ['no get_url', { get_url: null }, /no get_url/],
    ['both shapes', { put_url: 'https://s.example/x' }, /both a single address and parts/],
    ['neither shape', { upload_id: null }, /neither an address nor parts/],
    [
      'two parts of one id',
      {
        parts: [
          { id: 1, put_url: 'https://s/1' },
          { id: 1, put_url: 'https://s/2' },
        ],
      },
      /one id/,
    ],
  ])('that names %s ends it before any byte', async (_, set, why) => {
    const made = scene({ world: IN_PARTS });
    await made.fault({ kind: 'odd_reply', operation: 'vault.upload-start', set });
    const { code, item } = await uploaded(made);
    expect([code, item.outcome]).toEqual([1, 'failed']);
    expect(item.message).toMatch(why);
    expect(await vaultOf(made)).toMatchObject({ puts: 0, exported: [] });
  });
});

const STORE: readonly (readonly [string, Omit<Extract<FaultInput, { kind: 'storage' }>, 'kind'>])[] = [
  ['a reset in the middle', { how: 'reset' }],
  ['a stall', { how: 'stall', after_bytes: 100 }],
  ['a lost answer', { how: 'lost_answer' }],
  ['no ETag', { how: 'missing_etag' }],
  ['an address that has lapsed', { how: 'expired' }],
  ['a redirect', { how: 'redirect' }],
];

describe.each([
  ['one put', {}],
  ['three parts', IN_PARTS],
])('LOST-15: bytes to the store in %s', (_kind, world) => {
  it.each(STORE)('%s: from the start with a new key, one media', async (_, fault) => {
    const made = scene({ world });
    await made.fault({ ...fault, kind: 'storage', nth: 1 });
    const { code, item, stderr } = await uploaded(made);
    expect([code, item.outcome]).toEqual([0, 'exported']);
    await expectOneMedia(made);
    expect(await callsOf(made)).toMatch(/^start 2, (finish 1, )?export 1$/);
    expect(stderr).toContain('uploaded again from its beginning (2 of 3)');
  });

  it.each([
    ['a 503 before any byte', { how: 'unavailable' }],
    ['no connection', { how: 'refused' }],
  ] as const)('%s: the same part again, no new start', async (_, fault) => {
    const made = scene({ world });
    await made.fault({ ...fault, kind: 'storage', nth: 1, times: 2 });
    expect((await uploaded(made)).code).toBe(0);
    expect(await callsOf(made)).toMatch(/^start 1, (finish 1, )?export 1$/);
    await expectOneMedia(made);
  });

  // VAULT-7
  it('is given up after three starts, and nothing is exported', async () => {
    const made = scene({ world });
    await made.fault({ kind: 'storage', how: 'expired' });
    const { code, item } = await uploaded(made);
    expect([code, item.outcome]).toEqual([1, 'failed']);
    expect(item.message).toContain('Gave up after 3 uploads: the object store answered 403: AccessDenied');
    expect(await callsOf(made)).toBe('start 3');
  });
});

describe('a presigned address', () => {
  it('is nowhere to be read: not in the state, the document or the log of requests', async () => {
    const made = scene({ world: IN_PARTS });
    const { stdout, stderr } = await uploaded(made, '--verbose');
    for (const text of [stdout, stderr, JSON.stringify(await made.requests())])
      expect(text).not.toMatch(/storage\.simulator\.invalid\S*\?[^…]/);
    expect(stderr).toMatch(/^PUT http:\/\/storage\.simulator\.invalid\/\S+\?… \(3334 bytes\) -> 200$/m);
  });
});
