import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Plan } from '../../src/domain/change.ts';
import { workspaceBytes } from '../../src/host/bytes.ts';
import { picturesOf } from '../../src/page/pictures.ts';
import { JPEG, mediaOf, MP4, PNG } from '../helpers/media.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

/** The pictures of a plan that uses these files, by path. */
async function pictures(files: Readonly<Record<string, Uint8Array | string>>, used = Object.keys(files)) {
  const folder = mkdtempSync(join(tmpdir(), 'herald-pictures-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  const [content] = SAMPLE_PLAN.contents ?? [];
  if (content === undefined) throw new Error('the sample has contents');
  const attachments = used.map((file) => ({ type: 'image', file }));
  const plan: Plan = { ...SAMPLE_PLAN, contents: [{ ...content, messages: [{ text: '', attachments }] }] };
  return picturesOf(workspaceBytes(folder), plan);
}

describe('the pictures of a page', () => {
  it('are small local files, as their first bytes say what they are', async () => {
    const found = await pictures({ 'media/a.png': PNG, 'media/b.png': JPEG });
    expect(found.get('media/a.png')).toBe(`data:image/png;base64,${PNG.toString('base64')}`);
    expect(found.get('media/b.png')).toMatch(/^data:image\/jpeg;base64,/);
  });

  it.each([
    ['a text', 'no picture'],
    [
      'markup, which could hold a script',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    ],
    ['a video', MP4],
    ['empty', ''],
    ['the beginning of a signature', PNG.subarray(0, 4)],
    ['too large', mediaOf(PNG, 65 * 1_024)],
  ])('have no file that is %s, whatever its name says', async (_, bytes) => {
    expect(await pictures({ 'a.png': bytes })).toEqual(new Map());
  });

  it('leave out what is missing, a folder, or outside of the workspace, and keep the others', async () => {
    const used = ['gone.png', 'media', '../outside.png', '/etc/passwd', 'media/a.png', 'a\0b.png'];
    const found = await pictures({ 'media/a.png': PNG }, used);
    expect([...found.keys()]).toEqual(['media/a.png']);
  });

  it('are not more than a page should hold', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`${index}.png`, mediaOf(PNG, 60 * 1_024, index + 1)]),
    );
    expect((await pictures(files)).size).toBe(5);
  });
});
