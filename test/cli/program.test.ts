import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/main.ts';
import { INDEX } from '../../src/commands/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import { documentOf } from '../helpers/flows.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { aHost } from '../helpers/hosts.ts';
import { aScene } from '../helpers/scene.ts';
import { ALLOWANCE_NAMES } from '../../src/domain/change-kinds.ts';

/** `complete` is for scripts, and no help has it. */
const words = INDEX.commands
  .map(({ path }) => path.split(' ')[0] ?? '')
  .filter((word) => word !== 'complete');

describe('the groups of the command line', () => {
  it.each(INDEX.commands)('name the path of the command in the file: $path', async ({ path, load }) => {
    expect((await load()).path).toBe(path);
  });

  it('are all in the help, and each command has its own', async () => {
    const { stdout } = await aScene().herald('--help');
    for (const word of words) expect(stdout).toMatch(new RegExp(`^ {2}${word}\\b`, 'm'));
    for (const word of new Set(words)) {
      const help = await aScene().herald(word, '--help');
      expect(help.code).toBe(0);
      expect(help.stdout).toContain(`Usage: herald ${word}`);
      expect(help.stdout).toMatch(/^(?:Examples:$|Flags and examples of one: )/m);
      expect(help.stdout).not.toContain('default: []');
      expect(help.stdout).toMatch(/\nGlobal options, such as -C and --quiet: herald --help\n$/);
      expect((await aScene().herald('help', word)).stdout).toBe(help.stdout);
    }
  });

  it('is that of a command behind its group and behind global flags', async () => {
    const { stdout } = await aScene().herald('chat', 'send', '--help');
    expect(stdout).toContain('Usage: herald chat send');
    expect((await aScene().herald('help', 'chat', 'send')).stdout).toBe(stdout);
    expect((await aScene().herald('-C', 'help', 'help', 'chat', 'send')).stdout).toBe(stdout);
  });

  it.each(['plan', 'apply'])('%s names every allowance in its help', async (word) => {
    const { stdout } = await aScene().herald(word, '--help');
    const [, help = ''] = /--allow <name>([^-]+)/.exec(stdout) ?? [];
    for (const name of ALLOWANCE_NAMES) expect(help).toContain(name);
  });

  it('are all known where the command is not', async () => {
    const { code, stderr } = await aScene().herald('validatr');
    expect(code).toBe(1);
    expect(stderr).toContain("unknown command 'validatr'");
    expect(stderr).toContain('Did you mean validate?');
  });

  it.each([
    [['-C', 'plan', 'chat', '--help'], 'chat'],
    [['-C', 'plan', 'vault', '--help'], 'vault'],
    [['--format', 'json', 'payouts', '--help'], 'payouts'],
    [['--format=json', '-vC', 'plan', 'vault', '--help'], 'vault'],
    [['-vqCplan', 'accounts', '--help'], 'accounts'],
    [['--api-key-file', 'api', 'team', '--help'], 'team'],
    [['-vC', 'apply', 'fans', '--help'], 'fans'],
  ])('are found behind the flags of %j', async (args, command) => {
    const { code, stdout } = await aScene().herald(...args);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: herald ${command}`);
  });
});

describe('a command line that cannot be read', () => {
  const HOSTILE = '--nope\u001b[31m\n::error::x\u009b\u202e';

  it('repeats an argument so that no one obeys it, and exactly in its document', async () => {
    const { stderr } = await aScene().herald('plan', HOSTILE);
    expect(stderr).toBe(
      "error: unknown option '--nope\\u{1b}[31m\\n::error::x\\u{9b}\\u{202e}'\n(see --help)\n",
    );
    const { stdout } = await aScene().herald('--format', 'json', 'plan', HOSTILE);
    expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/);
    expect((JSON.parse(stdout) as { message: string }).message).toBe(`unknown option '${HOSTILE}'`);
  });

  it.each([
    [['plan', '--bogus'], "unknown option '--bogus'"],
    [['plann'], "unknown command 'plann'\n(Did you mean plan?)"],
    [[], 'Unknown or missing command.'],
    [['chat'], 'Unknown or missing command.'],
    [['help', 'nope'], 'Unknown or missing command.'],
  ])('is one document as well: %j', async (args, message) => {
    const ran = await aScene().herald('--format', 'json', ...args);
    expect(documentOf(ran, errorReportShape)).toMatchObject({ code: 'usage', message });
    expect(ran.code).toBe(1);
  });
});

/** Runs `herald init` in a directory of its own, by its real files; answers what was said and where that is. */
async function initialised(args: (root: string) => readonly string[]) {
  const root = temporaryFolder();
  expect(await run(aHost({ argv: ['node', 'herald', ...args(root)], cwd: () => root }))).toBe(0);
  return (path: string) => existsSync(join(root, path, 'herald.yaml'));
}

const ONE_VALUE =
  'takes one value, and it was given twice: "a" and "b". Give it once. For several values, run the command once for each.';

describe('an option with one value that is given twice', () => {
  it('is an error in every command', async () => {
    const program = await createProgram(INDEX);
    const twice = (command: Command, path: readonly string[]): (readonly string[])[] => [
      ...command.options
        .filter(({ required, parseArg }) => required && parseArg === undefined)
        .map(({ long }) => [...path, `${long}=a`, `${long}=b`]),
      ...command.commands.flatMap((below) => twice(below, [...path, below.name()])),
    ];
    const all = twice(program, []);
    expect(all.length).toBeGreaterThan(50);
    for (const args of all) {
      const { code, stderr } = await aScene().herald(...args);
      expect({ code, stderr }, args.join(' ')).toEqual({
        code: 1,
        stderr: expect.stringContaining(ONE_VALUE),
      });
    }
  });
});

it.each([
  { what: 'one', args: () => ['-C', 'a', 'init'], there: 'a' },
  { what: 'two, the second below the first', args: () => ['-C', 'a', '-C', 'b', 'init'], there: 'a/b' },
  { what: 'one on either side of the command', args: () => ['-C', 'a', 'init', '--chdir=b'], there: 'a/b' },
  { what: 'an empty one', args: () => ['-C', 'a', '-C', '', 'init'], there: 'a' },
  {
    what: 'an absolute one behind another',
    args: (root: string) => ['-C', 'a', '-C', join(root, 'b'), 'init'],
    there: 'b',
  },
  { what: 'two and a DIR', args: () => ['-C', 'a', '-C', 'b', 'init', 'c'], there: 'a/b/c' },
])('-C: $what', async ({ args, there }) => {
  const isInitialised = await initialised(args);
  expect(isInitialised(there)).toBe(true);
});
