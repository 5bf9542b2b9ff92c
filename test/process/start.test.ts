import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Tells on a fourth descriptor which modules of Node were loaded. */
const TELL_MODULES = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,JSON.stringify(process.moduleLoadList)))`;

/** What a command of the built command line loads. */
function loadedBy(...args: readonly string[]) {
  const folder = temporaryFolder();
  const ran = spawnSync(process.execPath, ['--import', TELL_MODULES, inject('herald'), ...args], {
    env: { ...process.env, NODE_V8_COVERAGE: folder },
    // Standard input is a pipe, as in CI: opening it would load sockets.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  const list = JSON.parse(ran.output[3] ?? '') as readonly string[];
  return {
    /** Names of the built files. */
    files: readdirSync(folder).flatMap((name) => filesIn(readFileSync(join(folder, name), 'utf8'))),
    /** Names of Node's own modules that a program can import. */
    modules: list.flatMap((line) => /^NativeModule ((?!internal\/).+)$/.exec(line)?.[1] ?? []),
  };
}

function filesIn(coverage: string): readonly string[] {
  const { result } = JSON.parse(coverage) as { readonly result: readonly { readonly url: string }[] };
  const built = pathToFileURL(dirname(inject('herald'))).href;
  return result.flatMap(({ url }) => (url.startsWith(`${built}/`) ? [basename(url)] : []));
}

function codeOf(file: string): string {
  const built = dirname(inject('herald'));
  const path = [join(built, 'chunks', file), join(built, file)].find(existsSync);
  return readFileSync(path ?? file, 'utf8');
}

/** Breaks bounds that have no message of their own: those get the words of zod first. */
const WRONG = `version: 1
service: { base_url: '' }
files: all
state: { postgres: '\${HERALD_STATE_URL}', workspace: main, lease_sec: 9999 }
`;

/** Each of these costs a start some milliseconds. commander loads `child_process`, and with it `net` and `dgram`. */
const HEAVY = ['http', 'https', 'readline', 'tls', 'v8', 'vm', 'zlib'];

describe('a start', () => {
  it('for --version loads the code of no command', () => {
    const { files } = loadedBy('--version');
    expect(files.length, files.join(' ')).toBeLessThanOrEqual(5);
    // What is loaded on demand has the name of its source.
    expect(files.filter((name) => !/^(?:cli|chunk-\w+)\.js$/.test(name))).toEqual([]);
  });

  it('of validate loads no heavy module of Node, and only the small dialect of zod', () => {
    const { files, modules } = loadedBy('-C', 'examples/agency', 'validate');
    expect(modules.filter((name) => HEAVY.includes(name))).toEqual([]);
    const code = files.map((name) => [name, codeOf(name)] as const);
    expect(code.filter(([, text]) => text.includes('"ZodMiniType"'))).toHaveLength(1);
    expect(code.filter(([, text]) => text.includes('"ZodType"')).map(([name]) => name)).toEqual([]);
  });

  it('of validate says what is wrong in full, without the words of the other dialect', () => {
    const folder = temporaryFolder({ 'herald.yaml': WRONG });
    const ran = spawnSync(process.execPath, [inject('herald'), '-C', folder, 'validate'], {
      encoding: 'utf8',
    });
    expect(ran.status).toBe(1);
    expect(`${ran.stdout}${ran.stderr}`).toContain('This is empty. Write a value, or remove the key.');
    expect(`${ran.stdout}${ran.stderr}`).toContain('"files" must be a list, but it is text.');
    expect(`${ran.stdout}${ran.stderr}`).toContain('Write at most 3600.');
  });
});
