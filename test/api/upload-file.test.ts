import { describe, expect, it } from 'vitest';
import { examineFile, printFile } from '../../src/api/upload-file.ts';
import { memoryBytes } from '../helpers/memory-bytes.ts';
import { JPEG, MP4, PNG } from '../helpers/media.ts';

const none = { name: undefined, contentType: undefined };
const examine = (path: string, content: Uint8Array, wishes = {}) =>
  examineFile(memoryBytes({ [path]: content }), path, { ...none, ...wishes });

const signal = new AbortController().signal;
it('no fingerprint is made of a file that became shorter', async () => {
  const bytes = memoryBytes({ a: Buffer.from('abc') });
  await expect(printFile(bytes, { path: 'a', size: 4 }, signal)).rejects.toThrow('became shorter');
});

describe('the type of a file', () => {
  it.each([
    ['hello.jpg', JPEG, 'image/jpeg'],
    ['HELLO.JPEG', JPEG, 'image/jpeg'],
    ['clip.mp4', MP4, 'video/mp4'],
    ['clip.mov', box('qt  '), 'video/quicktime'],
    ['old.mov', Buffer.from('\0\0\0\x08wide\0\0\0\0mdat'), 'video/quicktime'],
    ['note.m4a', box('M4A '), 'audio/mp4'],
    ['pic.heic', box('heic'), 'image/heic'],
    ['a.webm', Buffer.from('1a45dfa3', 'hex'), 'video/webm'],
    ['a.webp', Buffer.from('RIFF0000WEBPVP8 '), 'image/webp'],
    ['a.wav', Buffer.from('RIFF0000WAVEfmt '), 'audio/wav'],
    ['a.gif', Buffer.from('GIF89a'), 'image/gif'],
    ['a.png', PNG, 'image/png'],
    ['a.mp3', Buffer.from('ID3\x03'), 'audio/mpeg'],
    ['b.mp3', Buffer.from('fffb9064', 'hex'), 'audio/mpeg'],
    ['a.flac', Buffer.from('fLaC'), 'audio/flac'],
    ['a.ogg', Buffer.from('OggS'), 'audio/ogg'],
    ['a.aac', Buffer.from('fff15080', 'hex'), 'audio/aac'],
  ])('%s is told by its name and confirmed by its bytes', async (path, head, contentType) => {
    expect(await examine(path, head)).toMatchObject({ contentType });
  });

  it.each([
    ['hello.jpg', PNG, 'it holds image/png'],
    ['hello.mp4', Buffer.from('hello there, this is text'), 'does not begin like it'],
    ['hello.txt', JPEG, 'ends in .txt'],
    ['hello', JPEG, 'has no extension'],
  ])('is refused for %s where name and bytes name no kind, or two', async (path, head, problem) => {
    expect(await examine(path, head)).toEqual({ problems: [expect.stringContaining(problem)] });
  });

  function box(brand: string): Buffer {
    return Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0`);
  }
});

// VAULT-4
describe('a file before anything is sent', () => {
  const problemsOf = async (...input: Parameters<typeof examine>) => {
    const found = await examine(...input);
    return 'problems' in found ? found.problems.join(' | ') : 'fine';
  };

  it('is taken with its name, size and type', async () => {
    expect(await examine('media/hello.jpg', JPEG)).toEqual({
      path: 'media/hello.jpg',
      name: 'hello.jpg',
      size: JPEG.byteLength,
      contentType: 'image/jpeg',
      changedMs: 1000,
    });
  });

  it('is refused when it is missing, a directory or empty', async () => {
    const bytes = memoryBytes({ 'dir/a.jpg': JPEG });
    expect(await examineFile(bytes, 'b.jpg', none)).toEqual({ problems: ['the file does not exist'] });
    expect(await examineFile(bytes, 'dir', none)).toEqual({ problems: ['it is a directory'] });
    expect(await problemsOf('a.jpg', Buffer.alloc(0))).toContain('it is empty');
  });

  it.each([{}, { contentType: 'video/mp4' }, { contentType: 'image/jpeg' }])(
    'is refused as a Git LFS pointer, whatever type is stated: %j',
    async (wishes) => {
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
      const problems = await problemsOf('a.jpg', Buffer.from(pointer), wishes);
      expect(problems).toMatch(/^it is a Git LFS pointer.*git lfs pull.*lfs: true/);
    },
  );

  it('is refused above 5 GiB without being read', async () => {
    const bytes = memoryBytes({ 'a.jpg': JPEG });
    const huge = {
      ...bytes,
      stat: async () => ({ isFile: true, isDirectory: false, size: 5 * 2 ** 30 + 1, changedMs: 1 }),
    };
    expect(await examineFile(huge, 'a.jpg', none)).toEqual({
      problems: [expect.stringContaining('5 GiB at most')],
    });
  });

  it.each([
    // A name that would do.
    ['Crème brûlée?.jpg', {}, /such as "Creme brulee_\.jpg"/, JPEG],
    [`${'x'.repeat(300)}.jpg`, {}, /such as "x{251}\.jpg"/, JPEG],
    ['Crème.jpg', { name: 'creme.jpg' }, /^fine$/, JPEG],
    ['a.jpg', { name: 'a/b.jpg' }, /its name is "a\/b\.jpg"/, JPEG],
    // A type that someone vouches for, within the rules.
    ['a.bin', { contentType: 'video/mp4' }, /^fine$/, Buffer.from('x')],
    ['a.bin', { contentType: 'text/plain' }, /the service takes a type/, Buffer.from('x')],
    ['a.bin', { contentType: 'video/mp4; codecs=avc1' }, /without parameters/, Buffer.from('x')],
  ])('with the path %s and %j is judged: %s', async (path, wishes, words, content) => {
    expect(await problemsOf(path, content, wishes)).toMatch(words);
  });
});
