import { symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileProblem, networkProblem } from '../../src/domain/file-problem.ts';
import { folderForFile } from '../helpers/temporary-folder.ts';

const folder = folderForFile({ file: '' });
symlinkSync('circle', join(folder, 'circle'));

async function problemOf(path: string): Promise<string> {
  return readFile(join(folder, path)).then(() => 'none', fileProblem);
}

it.each([
  ['missing', 'the file does not exist'],
  ['file/below', 'the file does not exist: a part of its path is not a directory'],
  ['.', 'it is a directory, not a file'],
  ['circle', 'its links lead in a circle'],
  ['x'.repeat(300), 'its name is too long'],
])('says why %.20s cannot be read', async (path, words) => {
  expect(await problemOf(path)).toBe(words);
});

const failed = (code: unknown, message = '') => Object.assign(new Error(message), { code });

it.each([
  [failed('EACCES', "EACCES: permission denied, open '/root/x'"), 'permission denied'],
  [failed('EIO', 'EIO: i/o error, read'), 'i/o error'],
  [new Error('it leads out of the workspace'), 'it leads out of the workspace'],
  ['broken', 'broken'],
])('has no code of the system: %s', (error, words) => {
  expect(fileProblem(error)).toBe(words);
});

it.each([
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND no.host', 'the host name was not found'],
  ['ECONNREFUSED', 'connect ECONNREFUSED ::1:9', 'the server refused the connection'],
  ['ECONNRESET', '', 'the other side closed the connection'],
])('%s is told in words, with the message of the system', (code, message, words) => {
  const detail = message === '' ? code : message;
  expect(networkProblem(failed(code, message))).toBe(`${words} (${detail})`);
});

it.each([undefined, 'constructor', 7, 'CERT_HAS_EXPIRED'])('%j is left to its own message', (code) => {
  expect(networkProblem(failed(code))).toBeNull();
});
