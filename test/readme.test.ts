import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

/** Every command block of the README, run one after the other in one place, as a reader would. */
const BLOCKS = [...readFileSync('README.md', 'utf8').matchAll(/```(sh[^\n]*)\n([\s\S]*?)```/g)].map(
  (match) => ({
    kind: match[1] ?? '',
    commands: (match[2] ?? '').trim(),
  }),
);

/** The two front-door blocks are what CI itself runs, from a clean checkout: a test cannot run the tests. */
const FRONT_DOOR = ['npm ci && npm run demo', 'npm test'];

/** The digest in the text stands for the one that the plan has here. */
const DIGEST = /(?<=--expect )sha256:[0-9a-f]+/;
const DIGEST_OF_PLAN = String.raw`"$(sed -n 's/^ *"digest": "\(.*\)",*$/\1/p' ../my-agency/plan.json)"`;

let home: string;
let cwd: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'herald-readme-'));
  cwd = home;
  mkdirSync(join(home, 'bin'));
  const shim = `#!/bin/sh\n[ "$1" = herald-campaigns ] || exit 64\nshift\nexec "${process.execPath}" "${inject('herald')}" "$@"\n`;
  writeFileSync(join(home, 'bin/npx'), shim);
  chmodSync(join(home, 'bin/npx'), 0o755);
});

afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

describe('the README', () => {
  it('opens with what CI runs', () => {
    const ci = readFileSync('.ci/run', 'utf8');
    expect(BLOCKS.slice(0, 2).map((block) => block.commands)).toEqual(FRONT_DOOR);
    expect(ci).toContain('npm ci\nnpm run demo\nnpm test\n');
  });

  it.each(BLOCKS.slice(2).filter((block) => block.kind === 'sh'))(
    'can be followed: $commands',
    ({ commands }) => {
      const result = spawnSync(
        'bash',
        ['-euo', 'pipefail', '-c', `${commands.replace(DIGEST, () => DIGEST_OF_PLAN)}\npwd >&3`],
        {
          cwd,
          env: environment(),
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        },
      );
      expect(result.status, `${result.stdout}\n${result.stderr}`).toBe(0);
      cwd = (result.output[3] ?? '').trim();
    },
  );

  it.each(BLOCKS.filter((block) => block.kind === 'sh server'))(
    'serves until it is interrupted: $commands',
    async ({ commands }) => {
      const server = spawn('bash', ['-c', `exec ${commands}`], { cwd, env: environment() });
      const ended = new Promise<number | null>((done) => server.on('close', done));
      await new Promise<void>((ready) => {
        server.stdout.on('data', (piece: Buffer) => {
          if (piece.toString().includes('Ctrl-C')) ready();
        });
      });
      server.kill('SIGINT');
      expect(await ended).toBe(0);
    },
  );

  it('never lets npm fetch a package that only has the name of the command', () => {
    for (const file of ['README.md', 'SECURITY.md', 'scripts/demo.js'])
      expect(readFileSync(file, 'utf8')).not.toMatch(/npx (?:-y |--yes )?herald(?!-campaigns)/);
  });

  it('names every command and every allowance', async () => {
    const { ALLOWANCE_NAMES } = await import('../src/domain/allowance.ts');
    const text = readFileSync('README.md', 'utf8');
    const help = spawnSync(process.execPath, [inject('herald'), '--help'], { encoding: 'utf8' }).stdout;
    const listed = /Commands:\n([\s\S]*?)\n\n/.exec(help)?.[1] ?? '';
    const commands = [...listed.matchAll(/^ {2}([a-z]+) /gm)]
      .map((match) => match[1])
      .filter((name) => name !== 'help');
    expect(commands.length).toBeGreaterThan(7);
    for (const command of commands) expect(text).toContain(`\`herald ${command}`);
    for (const name of ALLOWANCE_NAMES) expect(text).toContain(`\`${name}\``);
  });
});

/** Without a key or an address of the machine that runs the tests. */
function environment(): NodeJS.ProcessEnv {
  const { HERALD_API_KEY: _key, HERALD_BASE_URL: _url, ...rest } = process.env;
  return { ...rest, PATH: `${join(home, 'bin')}:${rest['PATH'] ?? ''}` };
}
