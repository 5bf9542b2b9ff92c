import { describe, expect, it } from 'vitest';
import { readDestination } from '../../../src/acts/upload/put.ts';

const startedAt = (putUrl: string) =>
  ({
    put_url: putUrl,
    upload_id: null,
    parts: null,
    key: 'vault/1',
    get_url: 'https://store.example/1',
  }) as const;

const SERVICE = 'https://svc.example';
const part = (id: number) => ({ id, put_url: `https://store.example/${id}` });

it.each([
  ['https://svc.example', 'https://store.example/1', null],
  ['https://svc.example', 'http://store.example/1', 'files go over https only'],
  ['https://svc.example', 'http://169.254.169.254/latest', 'files go over https only'],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4011/1', null],
  ['https://svc.example', 'file:///etc/passwd', 'not an http or https URL'],
  ['https://svc.example', 'ftp://store.example/1', 'not an http or https URL'],
])('of a service at %s, a file goes to %s: %s', (service, putUrl, problem) => {
  const read = () => readDestination(startedAt(putUrl), 10, service);
  if (problem === null) expect(read()).toMatchObject({ parts: [{ putUrl }] });
  else expect(read).toThrow(problem);
});

// VAULT-5
it.each([
  ['one address', {}, 1],
  ['parts', { put_url: null, upload_id: 'u', parts: [part(1), part(2)] }, 2],
])('the form of the answer decides, not the size: %s', (_title, more, parts) => {
  expect(readDestination({ ...startedAt(part(1).put_url), ...more }, 10, SERVICE)).toMatchObject({
    parts: Array.from({ length: parts }, (_, index) => ({ id: index + 1 })),
  });
});

it.each([
  ['both forms', { upload_id: 'u', parts: [part(1)] }, 'both a single address and parts'],
  ['neither form', { put_url: null }, 'neither an address nor parts'],
  ['no key', { key: null }, 'no key that can be used'],
  ['no address for the export', { get_url: null }, 'no get_url that can be used'],
])('an answer with %s ends the upload before the first byte', (_title, more, problem) => {
  const read = () => readDestination({ ...startedAt(part(1).put_url), ...more }, 10, SERVICE);
  expect(read).toThrow(problem);
});

const MIB = 1_048_576;

/** The ranges of a file of this size in the parts that start names. */
const cut = (size: number, count: number) => {
  const parts = Array.from({ length: count }, (_, index) => part(index + 1));
  const reply = { ...startedAt(''), put_url: null, upload_id: 'u', parts };
  return readDestination(reply, size, SERVICE).parts.map(({ range }) => range);
};

// VAULT-8
describe('cutting a file into the parts that start asked for', () => {
  it.each([
    [
      'cuts parts of one size where that gives exactly their number',
      20 * MIB + 1,
      [6990507, 6990507, 6990507],
    ],
    ['cuts no part below 5 MiB where the number of parts allows it', 12 * MIB, [5 * MIB, 5 * MIB, 2 * MIB]],
    ['leaves no part empty where equal parts would', 9, [2, 2, 2, 1, 1, 1]],
  ])('%s: %i bytes as %j', (_, size, lengths) => {
    expect(cut(size, lengths.length).map(({ length }) => length)).toEqual(lengths);
  });

  it('covers every byte once, in order, whatever the numbers', () => {
    for (const size of [1, 2, 9, 1000, 5 * MIB, 5 * MIB + 1, 64 * MIB, 5 * 1024 * MIB])
      for (const parts of [1, 2, 3, 6, 7, 64, 1000].filter((count) => count <= size)) {
        const ranges = cut(size, parts);
        expect(ranges).toHaveLength(parts);
        expect(ranges.every(({ length }) => length > 0)).toBe(true);
        let end = 0;
        for (const { start, length } of ranges) {
          expect(start).toBe(end);
          end = start + length;
        }
        expect(end).toBe(size);
      }
  });

  it('refuses more parts than bytes', () => {
    expect(() => cut(3, 4)).toThrow('4 parts for 3 bytes');
    expect(() => cut(3, 0)).toThrow('0 parts for 3 bytes');
  });
});
