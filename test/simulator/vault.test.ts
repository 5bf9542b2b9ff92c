import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aVaultVisit, UPLOADS, VAULT } from './vault-visit.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const IN_PARTS = { uploadShape: 'multipart', uploadPartBytes: 2 } as const;

describe('an upload in one piece', () => {
  it('moves on by itself until it is a media in a folder', async () => {
    const visit = aVaultVisit();
    const { id } = await visit.upload();
    const seen = [];
    for (let step = 0; step < 6; step += 1) {
      const [record] = await visit.uploads();
      seen.push([record?.['status'], record?.['media_id']]);
      visit.clock.move(10_000);
    }
    const [exported] = visit.simulator.control.oracle().vaults['101']?.exported ?? [];
    expect(seen).toEqual([
      ['uploaded', null],
      ['processing', null],
      ['processed', null],
      ['exporting', null],
      ['exported', exported?.media_id],
      ['exported', exported?.media_id],
    ]);
    expect(exported).toMatchObject({ upload: id, name: 'beach.jpg', size: 5, sha256: sha256('bytes') });
    const { text } = await visit.call('GET', `${VAULT}/folders/9007199254740993/medias?type=photo`);
    expect(text).toContain(`"id":${exported?.media_id}`);
  });

  it.each([
    [{ get_url: 'https://elsewhere.example.com/x' }, 'get_url is not'],
    [{ name: 'other.jpg' }, 'name is not'],
    [{ size: 6 }, 'size is not'],
    [{ content_type: 'image/png' }, 'content_type is not'],
    [{ duration: 3 }, 'duration is not'],
    [{ e_tag: '"other"' }, 'e_tag is not'],
    [{ export_fan_id: '7' }, 'export_fan_id goes with'],
  ])('refuses an export with %o', async (more, why) => {
    const visit = aVaultVisit();
    const started = await visit.start();
    const { etag } = await visit.put(started.put_url, 'bytes');
    const { status, text } = await visit.export(started, etag ?? '', more);
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
  });

  it('refuses an export of bytes that are not there, or of a key that is not the account’s', async () => {
    const visit = aVaultVisit();
    const started = await visit.start();
    expect((await visit.export(started, '"x"')).text).toContain('not there yet');
    expect((await visit.export({ ...started, key: 'vault/102/x' }, '"x"')).status).toBe(404);
  });
});

describe('an upload in parts', () => {
  it('is joined by finish, in whatever order the parts came', async () => {
    const visit = aVaultVisit(IN_PARTS);
    const started = await visit.start();
    expect(started.parts.map(({ id }) => id)).toEqual([1, 2, 3]);
    const eTags: string[] = [];
    for (const [index, bytes] of [
      [2, 's'],
      [0, 'by'],
      [1, 'te'],
    ] as const)
      eTags[index] =
        (await visit.put(started.parts[index]?.put_url ?? '', bytes, { length: bytes.length })).etag ?? '';
    const { status, body } = await visit.finish(started, eTags);
    expect([status, body]).toEqual([200, { e_tag: expect.stringMatching(/^"[0-9a-f]{32}-3"$/) }]);
    expect((await visit.export(started, String(body['e_tag']))).status).toBe(200);
    visit.clock.move(60_000);
    expect(visit.control.oracle().vaults['101']?.exported).toMatchObject([
      {
        sha256: sha256('bytes'),
        parts: [2, 2, 1].map((size, index) => ({ id: index + 1, stored: { size } })),
      },
    ]);
  });

  it.each([
    ['a part that is missing', [1, 2], 'not those of start'],
    ['a part that is named twice', [1, 1, 2], 'named twice'],
    ['a part that start did not name', [1, 2, 4], 'not those of start'],
    ['a part that was not put', [1, 2, 3], 'part 3 has not been uploaded'],
  ])('refuses %s', async (_what, parts, why) => {
    const visit = aVaultVisit(IN_PARTS);
    const started = await visit.start();
    const put = async (index: number, bytes: string) =>
      (await visit.put(started.parts[index]?.put_url ?? '', bytes, { length: 2 })).etag ?? '';
    const eTags = [await put(0, 'by'), await put(1, 'te'), '"none"', '"none"'];
    const { status, text } = await visit.call('POST', `${UPLOADS}/finish`, {
      key: started.key,
      upload_id: started.upload_id,
      parts: parts.map((part) => ({ part, e_tag: eTags[part - 1] })),
    });
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
  });
});

it.each([
  ['stuck_uploaded', 'uploaded'],
  ['stuck_processed', 'processed'],
] as const)('an upload waits as %s for a retry, which may be repeated', async (fate, status) => {
  const visit = aVaultVisit({ uploadFates: [{ name_contains: 'beach', fate }] });
  const { id } = await visit.upload();
  visit.clock.move(600_000);
  expect(await visit.uploads()).toMatchObject([{ id, status }]);
  for (const _try of [1, 2])
    expect(await visit.call('POST', `${UPLOADS}/${String(id)}/retry`)).toMatchObject({
      status: 200,
      body: { status },
    });
  visit.clock.move(60_000);
  expect(await visit.uploads()).toMatchObject([{ id, status: 'exported' }]);
  expect((await visit.call('POST', `${UPLOADS}/${String(id)}/retry`)).status).toBe(409);
  expect(visit.control.oracle().vaults['101']?.exported).toHaveLength(1);
});
