import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { documentationPages, inlineCode, projectPages, readPage, type Fence } from './pages.ts';
import { heraldHere } from './helpers/herald-here.ts';
import { folderForFile } from './helpers/temporary-folder.ts';
import { writeFiles } from './helpers/folders.ts';

/** A call is a folder of files, and its answer two more of them and an exit code. */
const command = (folder: string, port: number) => `call=$(mktemp -d "${folder}/call-XXXXXX")
env -0 > "$call/env"
printf '%s\\0' "$PWD" "$@" > "$call/words"
cat > "$call/input"
exec 3<> /dev/tcp/127.0.0.1/${port}
echo "$call" >&3
read -r code <&3
cat "$call/stdout"
cat "$call/stderr" >&2
exit "\${code:-70}"`;

/** Runs the commands of shells in this process, without a start of Node for each; their calls are kept in the folder. */
async function heraldForShells(folder: string) {
  const server = createServer((socket) => {
    socket.once('data', (said) => {
      void answer(said.toString().trim())
        .catch((error: unknown) => {
          console.error(error);
          return 70;
        })
        .then((code) => socket.end(`${code}\n`));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** What a script of bash has in place of `herald "$@"`. */
    command: command(folder, port),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(call: string): Promise<number> {
  const [directory = '', ...args] = fieldsOf(join(call, 'words'));
  const env = Object.fromEntries(
    fieldsOf(join(call, 'env')).map((field) => {
      const [name = '', ...value] = field.split('=');
      return [name, value.join('=')];
    }),
  );
  const input = readFileSync(join(call, 'input'), 'utf8');
  const { code, stdout, stderr } = await heraldHere(directory, { args, env, input });
  writeFileSync(join(call, 'stdout'), stdout);
  writeFileSync(join(call, 'stderr'), stderr);
  return code;
}

/** Fields that each end with a NUL. */
function fieldsOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\0').slice(0, -1);
}

/** Every command block of every page. A page is followed from top to bottom, in a workspace of its own. */
const PAGES = [...documentationPages(), ...projectPages()];

/** The two front-door blocks are what CI itself runs, from a clean checkout: a test cannot run the tests. */
const FRONT_DOOR = ['npm ci && npm run demo', 'npm test'];

/** The digest in the text stands for the one that the plan has here. */
const DIGEST = /(?<=--expect )sha256:[0-9a-f]+/;
const DIGEST_OF_PLAN = String.raw`"$(sed -n 's/^ *"digest": "\(.*\)",*$/\1/p' plan.json)"`;

/** A page has up to twenty commands, and lists wait for the published rates. */
const PAGE_TIMEOUT_MS = 180_000;

const SHIMS = { herald: '', npx: '[ "$1" = herald-campaigns ] || exit 64\nshift\n' };

let runs: Awaited<ReturnType<typeof heraldForShells>>;

const home = folderForFile();

beforeAll(async () => {
  runs = await heraldForShells(home);
  addCommands('bin', runs.command);
  addCommands('built', `exec "${process.execPath}" "${inject('herald')}" "$@"`);
  await bash('herald init template && herald -C template apply --yes', home);
});

afterAll(() => runs.close());

it('the README opens with what CI runs', () => {
  const ci = readFileSync('.ci/run', 'utf8');
  const blocks = readPage('README.md').fences.filter((fence) => fence.kind === 'sh repository');
  expect(blocks.map((block) => block.text)).toEqual(FRONT_DOOR);
  expect(ci).toMatch(/^npm ci\n(.*\n)*npm run demo\n(.*\n)*([A-Z_]+=\w+ )*npm test\n/m);
});

describe('the pages', () => {
  it.concurrent.each(PAGES.filter((page) => page.fences.some((fence) => fence.kind === 'sh')))(
    'can be followed: $path',
    async ({ path, fences }) => {
      const blocks = fences.filter((fence) => fence.kind === 'sh');
      const cwd = join(home, path.replaceAll(/\W/g, '-'));
      if (blocks.some((block) => block.text.includes('herald init'))) mkdirSync(cwd);
      else cpSync(join(home, 'template'), cwd, { recursive: true });
      makeRepository(cwd);
      const { code, output } = await bash(blocks.map((block) => told(path, block)).join('\n'), cwd);
      expect(code, output).toBe(0);
    },
    PAGE_TIMEOUT_MS,
  );

  it.each(blocksOf('sh server'))('serve until they are interrupted: $path:$line', async ({ text }) => {
    const server = spawn('bash', ['-c', `exec ${text}`], { cwd: home, env: environment('built') });
    const ended = new Promise<number | null>((done) => server.on('close', done));
    await new Promise<void>((ready) => {
      server.stdout.on('data', (piece: Buffer) => {
        if (piece.toString().includes('Ctrl-C')) ready();
      });
    });
    server.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('never let npm fetch a package that only has the name of the command', () => {
    const texts = [...PAGES.map((page) => page.text), readFileSync('scripts/demo.js', 'utf8')];
    for (const text of texts) expect(text).not.toMatch(/npx (?:-y |--yes )?herald(?!-campaigns)/);
  });

  it('name every command and every allowance', async () => {
    const { ALLOWANCE_NAMES } = await import('../src/domain/change-kinds.ts');
    const code = PAGES.flatMap((page) => inlineCode(page.text));
    const help = spawnSync(process.execPath, [inject('herald'), '--help'], { encoding: 'utf8' }).stdout;
    const listed = /Get started:\n([\s\S]*?)\nExit codes:/.exec(help)?.[1] ?? '';
    const commands = [...listed.matchAll(/^ {2}([a-z]+)\b/gm)]
      .map((match) => match[1])
      .filter((name) => name !== 'help');
    expect(commands.length).toBeGreaterThan(7);
    for (const command of commands)
      expect(code).toContainEqual(expect.stringMatching(new RegExp(`^herald ${command}\\b`)));
    for (const name of ALLOWANCE_NAMES) expect(code).toContain(name);
  });
});

/** Readers have their workspace in a repository. */
function makeRepository(cwd: string): void {
  for (const args of [['init'], ['remote', 'add', 'origin', 'https://github.com/acme/ads.git']])
    spawnSync('git', args, { cwd });
}

/** Puts `herald` and `npx` into a folder of commands. */
function addCommands(folder: string, command: string): void {
  for (const [name, check] of Object.entries(SHIMS))
    writeFiles(join(home, folder), { [name]: `#!/bin/bash\n${check}${command}\n` });
}

/** A block as a reader would run it; what fails is told with the place of its block. */
function told(path: string, { text, line }: Fence): string {
  return `echo "${path}:${line}"\n${text.replace(DIGEST, () => DIGEST_OF_PLAN)}`;
}

function bash(script: string, cwd: string) {
  return new Promise<{ code: number | null; output: string }>((done) => {
    const child = execFile(
      'bash',
      ['-euo', 'pipefail', '-c', script],
      { cwd, env: environment(), encoding: 'utf8' },
      (_error, stdout, stderr) => done({ code: child.exitCode, output: `${stdout}\n${stderr}` }),
    );
    child.stdin?.end();
  });
}

function blocksOf(kind: string) {
  return PAGES.flatMap(({ path, fences }) =>
    fences.filter((fence) => fence.kind === kind).map(({ line, text }) => ({ path, line, text })),
  );
}

/** Without a key, an address or trusted origins of the machine that runs the tests. */
function environment(commands: 'bin' | 'built' = 'bin'): NodeJS.ProcessEnv {
  const { HERALD_API_KEY: _key, HERALD_BASE_URL: _url, ...rest } = process.env;
  return {
    ...rest,
    XDG_CONFIG_HOME: join(home, 'config'),
    PATH: `${join(home, commands)}:${rest['PATH'] ?? ''}`,
  };
}
