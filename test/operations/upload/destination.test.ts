import { expect, it } from 'vitest';
import { readDestination } from '../../../src/operations/upload/destination.ts';

const startedAt = (putUrl: string) =>
  ({
    put_url: putUrl,
    upload_id: null,
    parts: null,
    key: 'vault/1',
    get_url: 'https://store.example/1',
  }) as const;

it.each([
  ['https://svc.example', 'https://store.example/1', null],
  ['https://svc.example', 'http://store.example/1', 'files go over https only'],
  ['https://svc.example', 'http://169.254.169.254/latest', 'files go over https only'],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4011/1', null],
  ['https://svc.example', 'file:///etc/passwd', 'no http or https URL'],
  ['https://svc.example', 'ftp://store.example/1', 'no http or https URL'],
])('of a service at %s, a file goes to %s: %s', (service, putUrl, problem) => {
  const destination = readDestination(startedAt(putUrl), 10, service);
  if (problem === null) expect(destination).toMatchObject({ parts: [{ putUrl }] });
  else expect(destination).toEqual({ problem: expect.stringContaining(problem) });
});
