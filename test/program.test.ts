import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/program.ts';
import { aScene } from './helpers/scene.ts';

const words = COMMANDS.flatMap((group) => group.words);

describe('the groups of the command line', () => {
  it.each(COMMANDS.map((group) => [group.words.join(', '), group] as const))(
    'declare what they are loaded for: %s',
    async (_words, { words: named, load }) => {
      const program = new Command('herald');
      (await load())(program, () => Promise.resolve());
      expect(program.commands.map((command) => command.name()).toSorted()).toEqual(named.toSorted());
    },
  );

  it('are all in the help, and each command has its own', async () => {
    const { stdout } = await aScene().herald('--help');
    for (const word of words) expect(stdout).toMatch(new RegExp(`^ {2}${word}\\b`, 'm'));
    for (const word of new Set(words)) {
      const help = await aScene().herald(word, '--help');
      expect(help.code).toBe(0);
      expect(help.stdout).toContain(`Usage: herald ${word}`);
      expect((await aScene().herald('help', word)).stdout).toBe(help.stdout);
    }
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
