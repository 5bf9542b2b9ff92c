import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { typedFiles, workspaceFiles } from '../../src/host/files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let top: string;
let directory: string;
let elsewhere: string;
const files = () => workspaceFiles(directory);

beforeEach(() => {
  top = temporaryFolder({ 'elsewhere/victim': 'untouched' });
  directory = join(top, 'workspace');
  elsewhere = join(top, 'elsewhere');
  for (const folder of ['campaigns', '.git/hooks']) mkdirSync(join(directory, folder), { recursive: true });
});

const link = (at: string, to: string) => {
  mkdirSync(join(directory, at, '..'), { recursive: true });
  symlinkSync(to, join(directory, at));
};

/** Everything that a path of the workspace can be used for. */
const USES: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  readText: (path) => files().readText(path),
  writeAtomically: (path) => files().writeAtomically(path, 'written'),
  exists: (path) => files().exists(path),
  stat: (path) => files().stat(path),
  readBytes: (path) => files().readBytes(path, { start: 0, length: 1 })[Symbol.asyncIterator]().next(),
};

/** Ways of a path out of the workspace. */
const WAYS: Readonly<Record<string, () => string>> = {
  'an absolute path': () => join(elsewhere, 'victim'),
  'a path with dots': () => '../elsewhere/victim',
  'a link': () => (link('out', '../elsewhere/victim'), 'out'),
  'a link by way of a link': () => (link('two', '../elsewhere/victim'), link('one', 'two'), 'one'),
  'a folder that is a link': () => (link('folder', '../elsewhere'), 'folder/victim'),
  "Herald's own folder as a link": () => (link('.herald', '../elsewhere'), '.herald/victim'),
  'a link to what is not there yet': () => (link('new', '../elsewhere/new'), 'new'),
  'a link into .git': () => (link('hook', '.git/hooks/pre-commit'), 'hook'),
  'a path into .git': () => '.git/hooks/pre-commit',
  'a link to a file with a dot': () => (link('text.md', '.env'), 'text.md'),
  "a link into Herald's own folder": () => (link('own', '.herald/world.json'), 'own'),
};

describe.each(Object.entries(WAYS))('%s', (_way, way) => {
  it.each(Object.entries(USES))('is refused for %s, and nothing there is touched', async (_use, use) => {
    const path = way();
    await expect(use(path)).rejects.toMatchObject({ code: 'path-outside' });
    expect(readdirSync(elsewhere)).toEqual(['victim']);
    expect(readFileSync(join(elsewhere, 'victim'), 'utf8')).toBe('untouched');
    expect(existsSync(join(directory, '.git/hooks/pre-commit'))).toBe(false);
  });
});

describe('inside the workspace', () => {
  it('a link from one file to another is followed', async () => {
    writeFileSync(join(directory, 'campaigns/a.md'), 'hello');
    link('campaigns/b.md', 'a.md');
    expect(await files().readText('campaigns/b.md')).toBe('hello');
    await files().writeAtomically('campaigns/b.md', 'changed');
    expect(readFileSync(join(directory, 'campaigns/a.md'), 'utf8')).toBe('changed');
  });

  it('a workspace that is reached by a link is not another place', async () => {
    symlinkSync(directory, join(top, 'by-link'));
    writeFileSync(join(directory, 'herald.yaml'), 'version: 1');
    expect(await workspaceFiles(join(top, 'by-link')).readText('herald.yaml')).toBe('version: 1');
  });
});

it.each(['/dev/zero', '/dev/stdin'])('a link to the device %s is refused at once', async (device) => {
  link('campaigns/offer.md', device);
  await expect(files().readText('campaigns/offer.md')).rejects.toThrow('which is outside the workspace');
});

it('a pipe without a writer is refused at once', async () => {
  expect(spawnSync('mkfifo', [join(directory, 'campaigns/pipe.md')]).status).toBe(0);
  await expect(files().readText('campaigns/pipe.md')).rejects.toThrow('is not a regular file');
});

it('a folder of resource files that leads out of the workspace is refused and not walked', async () => {
  link('campaigns/more', '/');
  await expect(files().glob(['campaigns/**/*.yaml'])).rejects.toThrow('campaigns/more leads to /, which is');
});

it.each(['team/**/*.yaml', 'team/*.{yaml,yml}', '*/more/*.yaml', 'campaigns/more/**/*.yaml'])(
  'a pattern that names such a folder itself, %s, does not walk it',
  async (pattern) => {
    link('team', '/');
    link('campaigns/more', '/');
    await expect(files().glob([pattern])).rejects.toThrow('leads to /, which is outside the workspace');
  },
);

it('what a person typed may stand anywhere', async () => {
  expect(await typedFiles(directory).readText('../elsewhere/victim')).toBe('untouched');
});

it('a file that a person typed is not written by a link of the workspace that leads out', async () => {
  const write = (path: string) => typedFiles(directory).writeAtomically(path, 'written');
  link('out', '../elsewhere');
  link('chain', 'out/victim');
  link('hook', '.git/hooks/pre-commit');
  for (const path of ['out/victim', 'out/new', 'chain', 'hook', join(directory, 'chain')])
    await expect(write(path)).rejects.toThrow(`, by the link ${directory}/`);
  await write('../elsewhere/mine');
  expect(readdirSync(elsewhere)).toEqual(['mine', 'victim']);
  expect(readFileSync(join(elsewhere, 'victim'), 'utf8')).toBe('untouched');
});
