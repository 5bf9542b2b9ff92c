import { expect, it } from 'vitest';
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
