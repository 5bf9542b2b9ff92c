import { PNG as PngFile } from 'pngjs';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/change.ts';
import { workspaceFiles } from '../../src/host/files.ts';
import { renderPlanPage } from '../../src/page/page.tsx';
import { readPictures } from '../../src/page/pictures.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { JPEG, mediaOf, MP4, PNG } from '../helpers/media.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

/** The pictures of a plan that uses these files, by path. */
async function pictures(files: Readonly<Record<string, Uint8Array | string>>, used = Object.keys(files)) {
  const folder = temporaryFolder(files);
  const [content] = SAMPLE_PLAN.contents ?? [];
  if (content === undefined) throw new Error('the sample has contents');
  const attachments = used.map((file) => ({ type: 'image', file }));
  const plan: Plan = { ...SAMPLE_PLAN, contents: [{ ...content, messages: [{ text: '', attachments }] }] };
  return readPictures(workspaceFiles(folder), plan);
}

const MIB = 1_024 * 1_024;
const WEBP = Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1');

describe('the pictures of a page', () => {
  it('are local files, as their first bytes say what they are', async () => {
    const found = await pictures({
      'a.png': PNG,
      'b.png': JPEG,
      'c.png': WEBP,
      'd.png': mediaOf(PNG, 4 * MIB),
    });
    expect(found.get('a.png')).toEqual({
      kind: 'shown',
      url: `data:image/png;base64,${PNG.toString('base64')}`,
    });
    expect(found.get('b.png')).toMatchObject({ url: expect.stringMatching(/^data:image\/jpeg;base64,/) });
    expect(found.get('c.png')).toMatchObject({ url: expect.stringMatching(/^data:image\/webp;base64,/) });
    expect(found.get('d.png')).toMatchObject({ kind: 'shown' });
  });

  it.each([
    ['a text', 'no picture', /^Only PNG, JPEG, GIF and WebP are shown here/],
    [
      'markup, which could hold a script',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      /^Only PNG/,
    ],
    ['a video', MP4, /^Only PNG/],
    ['empty', '', /^Only PNG/],
    ['the beginning of a signature', PNG.subarray(0, 4), /^Only PNG/],
    ['too large, and broken', mediaOf(PNG, 4 * MIB + 1), /^It could not be made small enough/],
    [
      'too large, and neither PNG nor JPEG',
      mediaOf(WEBP, 4 * MIB + 1),
      /^Too large to show here, and only PNG/,
    ],
    ['too large to be read', mediaOf(JPEG, 64 * MIB + 1), /^Larger than 64\.0 MiB, too large to show/],
  ])('say why a file is not shown that is %s, whatever its name says', async (_, bytes, why) => {
    const found = await pictures({ 'a.png': bytes });
    expect(found.get('a.png')).toEqual({ kind: 'missing', why: expect.stringMatching(why) });
  });

  it('do not show what is missing, a folder, or outside of the workspace, and keep the others', async () => {
    const used = ['gone.png', 'media', '../outside.png', '/etc/passwd', 'media/a.png', 'a\0b.png'];
    const found = await pictures({ 'media/a.png': PNG }, used);
    const shown = [...found].filter(([, { kind }]) => kind === 'shown');
    expect(shown.map(([path]) => path)).toEqual(['media/a.png']);
    expect(found.get('gone.png')).toEqual({ kind: 'missing', why: 'The file could not be read.' });
  });

  it('are made smaller when a page has enough of large ones', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 4 }, (_, index) => [`${index}.png`, mediaOf(PNG, 3 * MIB, index + 1)]),
    );
    const small = PngFile.sync.write(new PngFile({ width: 8, height: 8 }));
    const found = await pictures({ ...large, 'small.png': small });
    for (const path of Object.keys(large)) expect(found.get(path)).toMatchObject({ kind: 'shown' });
    expect(found.get('small.png')).toMatchObject({ url: expect.stringMatching(/^data:image\/jpeg;base64,/) });
  });

  it('are drawn when they are paid as well, once in the file, with a lock over them', () => {
    const paid = { type: 'image', file: 'media/a.png', is_paid: true };
    const messages = [{ attachments: [paid] }, { attachments: [{ ...paid, is_paid: false }] }];
    const url = 'data:image/png;base64,AAAA';
    const html = renderPlanPage(
      { ...SAMPLE_PLAN, contents: (SAMPLE_PLAN.contents ?? []).map((one) => ({ ...one, messages })) },
      { pictures: new Map([['media/a.png', { kind: 'shown', url }]]) },
    );
    expect(html.split(url)).toHaveLength(2);
    const drawn = html.match(/<div class="pic">.*?<\/div>/gs) ?? [];
    expect(drawn[0]).toMatch(/aria-label="Photo, media\/a\.png"><use href="#picture-1".* locked<\/span>/s);
    expect(drawn[1]).not.toContain('locked');
  });
});
