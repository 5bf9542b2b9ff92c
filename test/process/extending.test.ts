import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandPages } from '../command-pages.ts';
import { readPage } from '../pages.ts';
import { folderForFile } from '../helpers/temporary-folder.ts';
import { writeFiles } from '../helpers/folders.ts';

const PAGE = 'docs/extending.md';
/** What a build and the reference are made from. */
const COPIED = ['src', 'scripts', 'test/command-pages.ts', 'package.json', 'tsconfig.json'];
/** Prints the reference as the copy would have it. */
const PRINT_PAGES = `import { drawCommandPages } from './test/command-pages.ts';
console.log(JSON.stringify(await drawCommandPages()));
`;

const FORMATS = /"table",\s+"json", "ndjson", "csv", "lines"/;

const WORKSPACE = `version: 1
service: { simulator: .herald/world.json }
accounts: { alice: { id: "101" } }
files: [x.yaml]
`;

const copy = folderForFile({ 'workspace/herald.yaml': WORKSPACE, 'print-pages.ts': PRINT_PAGES });
const workspace = join(copy, 'workspace');
let pages: CommandPages;

/** Two builds, on a machine that may be busy. */
const BUILD_MS_MAX = 180_000;

beforeAll(() => {
  for (const path of COPIED) cpSync(path, join(copy, path), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  for (const { kind, text } of readPage(PAGE).fences) {
    const [, how, path] = /^(ts|diff) (src\/\S+)$/.exec(kind) ?? [];
    if (path === undefined) continue;
    const before = how === 'ts' ? '' : readFileSync(join(copy, path), 'utf8');
    writeFiles(copy, { [path]: how === 'ts' ? `${text}\n` : applyDifference(before, text, path) });
  }
  run('scripts/build.js', '--bin', 'bin');
  pages = JSON.parse(run('scripts/run.js', 'print-pages.ts')) as CommandPages;
}, BUILD_MS_MAX);

/** Replaces the lines of the difference that have no plus by those that have no minus. */
function applyDifference(source: string, difference: string, path: string): string {
  const lines = difference.split('\n').map((line) => ({ mark: line.charAt(0), text: line.slice(1) }));
  const pick = (dropped: string) =>
    lines.flatMap(({ mark, text }) => (mark === dropped ? [] : [`${text}\n`])).join('');
  expect(source.split(pick('+')).length, `${path} has these lines once: ${pick('+')}`).toBe(2);
  return source.replace(pick('+'), () => pick('-'));
}

function run(script: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [script, ...args], { cwd: copy, encoding: 'utf8' });
}

function herald(...args: readonly string[]): string {
  return run('bin/cli.js', '-C', workspace, ...args);
}

describe('what the page on extending Herald adds', () => {
  it('compiles', () => {
    writeFileSync(join(copy, 'tsconfig.src.json'), '{ "extends": "./tsconfig.json", "include": ["src"] }');
    const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.src.json', '--checkers', '1'];
    expect(spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' }).stdout).toBe('');
  });

  it.each([
    {
      of: 'a command',
      group: 'accounts',
      word: 'count',
      about: 'count the accounts that the key sees',
      usage: 'accounts count [options]',
      args: [],
      json: { schema: 'herald/item/1', item: { accounts: 4 } },
    },
    {
      of: 'a read endpoint',
      group: 'traffic',
      word: 'views',
      about: 'list the views of an account in a range',
      usage: 'traffic views [options]',
      args: ['--from', '7d', '--limit', '1'],
      json: { schema: 'herald/list/1', items: [{ account: 'alice' }] },
    },
    {
      of: 'an act',
      group: 'fans',
      word: 'mute',
      about: 'mute a fan',
      usage: 'fans mute [options] [FAN]',
      args: ['101001', '--yes'],
      json: { schema: 'herald/item/1', item: { fan_id: '101001', muted: true } },
    },
  ])(
    '$of is in help, completion, reference and JSON: $group $word',
    ({ group, word, about, usage, args, json }) => {
      expect(herald('help', group)).toMatch(new RegExp(`^ {2}${word}\\b.* ${about}$`, 'm'));
      expect(herald('complete', '--', group, word.slice(0, 2))).toContain(`${word}\t${about}\n`);
      expect(pages.page).toContain(`\n### herald ${group} ${word}\n`);
      expect(pages.manual).toContain(`.SS herald ${usage}\n`);
      expect(JSON.parse(herald(group, word, ...args, '--format', 'json'))).toMatchObject(json);
    },
  );

  it('a format is in help, completion and reference, and draws rows', () => {
    expect(herald('traffic', 'views', '--help')).toMatch(FORMATS);
    expect(herald('complete', '--', 'traffic', 'views', '--format', 'l')).toBe('lines\tvalue\n');
    expect(pages.page).toMatch(FORMATS);
    const drawn = herald('traffic', 'views', '--from', '90d', '--limit', '2', '--format', 'lines');
    expect(drawn.split('\n')).toHaveLength(3);
  });

  it('columns and calls by name are in the completion, too', () => {
    expect(herald('complete', '--', 'traffic', 'views', '--columns', 's')).toBe('seconds\tvalue\n');
    expect(herald('complete', '--', 'api', 'traffic.v')).toBe('traffic.views\tvalue\n');
  });
});
