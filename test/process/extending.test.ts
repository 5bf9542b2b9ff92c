import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../helpers/pages.ts';

const PAGE = 'docs/extending.md';
/** What a build and the reference are made from. */
const COPIED = [
  'src',
  'scripts',
  'test',
  'docs/reference',
  'man',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

const WORKSPACE = `version: 1
service: { simulator: .herald/world.json }
accounts: { alice: { id: "101" } }
files: [x.yaml]
`;

let copy = '';
let workspace = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'herald-extended-'));
  workspace = join(copy, 'workspace');
  for (const path of COPIED) cpSync(path, join(copy, path), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'herald.yaml'), WORKSPACE);
  for (const { kind, text } of readPage(PAGE).fences) {
    const [, how, path] = /^(ts|diff) (src\/\S+)$/.exec(kind) ?? [];
    if (path === undefined) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    const before = how === 'ts' ? '' : readFileSync(join(copy, path), 'utf8');
    writeFileSync(join(copy, path), how === 'ts' ? `${text}\n` : applyDifference(before, text, path));
  }
  run('scripts/build.js', '--bin', 'bin');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

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
    const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.src.json'];
    expect(spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' }).stdout).toBe('');
  });

  it('is in the help and in the completion', () => {
    expect(herald('help', 'fans')).toMatch(/^ {2}mute\b.* mute a fan$/m);
    expect(herald('complete', '--', 'accounts', 'co')).toContain(
      'count\tcount the accounts that the key sees\n',
    );
    expect(herald('complete', '--', 'traffic', 'views', '--format', 'l')).toBe('lines\tvalue\n');
    expect(herald('complete', '--', 'api', 'traffic.v')).toBe('traffic.views\toperation\n');
  });

  it('prints its JSON', () => {
    const json = (...args: readonly string[]): unknown => JSON.parse(herald(...args, '--format', 'json'));
    expect(json('accounts', 'count')).toMatchObject({ schema: 'herald/item/1', item: { accounts: 4 } });
    expect(json('traffic', 'views', '--from', '7d', '--limit', '1')).toMatchObject({
      schema: 'herald/list/1',
      items: [{ account: 'alice' }],
    });
    expect(json('fans', 'mute', '101001', '--yes')).toMatchObject({
      schema: 'herald/item/1',
      item: { fan_id: '101001', muted: true },
    });
  });

  it('draws the new format', () => {
    expect(
      herald('traffic', 'views', '--from', '90d', '--limit', '2', '--format', 'lines').split('\n'),
    ).toHaveLength(3);
  });
});
