import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatCommand } from '../../src/domain/command-line.ts';
import { visible } from '../../src/domain/visible.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { folderForFile } from '../helpers/temporary-folder.ts';

/** Two workspaces next to one another; a person works in `eu`. */
const folder = folderForFile({ 'bin/herald': `#!/bin/sh\nprintf '%s\\0' "$@" 'end of run'\n` });
const eu = join(folder, 'eu');
/** What is in `eu`: a command that ran by mistake would add a file. */
const FILES = ['.gitignore', '.herald', 'broadcasts', 'campaigns', 'herald.yaml'];

beforeAll(async () => {
  mkdirSync(eu);
  await heraldHere(folder, { args: ['init', 'eu'] });
  await heraldHere(folder, { args: ['init', 'us'] });
});

async function herald(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await heraldHere(eu, { args });
  return stdout + stderr;
}

/** The arguments of each `herald` after a person has pasted these lines into a shell. */
function paste(lines: readonly string[], shell: string): readonly (readonly string[])[] {
  const PATH = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
  const script = lines.join('\n');
  const { stdout } = spawnSync(shell, ['-c', script], { cwd: eu, env: { PATH }, encoding: 'utf8' });
  const runs = stdout.split('\0end of run\0').slice(0, -1);
  return runs.map((run) => run.split('\0'));
}

it('commands and files printed by a run with -C repeat it after init, plan and apply', async () => {
  const { stdout } = await heraldHere(folder, { args: ['init', 'asia'] });
  expect(stdout).toContain('\n  asia/herald.yaml\n');
  expect(stdout).toContain('Next: herald -C asia validate, herald -C asia plan, herald -C asia apply.');
  expect(await herald('-C', '../us', 'plan')).toContain('Next: herald -C ../us apply\n');
  const saved = await herald('-C', '../us', 'plan', '--out', 'plan.json');
  expect(saved).toContain('Plan written to ../us/plan.json, sha256:');
  expect(saved).toContain('To apply exactly this plan: herald -C ../us apply plan.json --expect sha256:');
});

describe('a printed command that is pasted into a shell', () => {
  const NAME = `It's "$(touch x)" \`touch y\``;

  it('has each word as it is, in each shell', () => {
    const words = [
      NAME,
      '',
      '$HOME !! ; rm -rf / & # ~ * ? [a] {b,c}',
      String.raw`\'$(touch x)\\`,
      'Привет 👩‍👩‍👧 é',
    ];
    const lines = words.map((word) =>
      visible(formatCommand('campaigns', 'pause', word, '--account', 'alice')),
    );
    for (const shell of ['sh', 'bash'])
      expect(paste(lines, shell), shell).toEqual(
        words.map((word) => ['campaigns', 'pause', word, '--account', 'alice']),
      );
  });

  it('shows what cannot be seen, as bash reads it, and runs nothing in other shells', () => {
    const words = [
      'two\nlines',
      'a\ttab\r',
      'bell\u0007',
      'right\u202eto left',
      `${String.raw`\n is no `}\n`,
      `it's\n$(touch x)`,
      '\u{e0041}',
      '##[error]',
    ];
    const lines = words.map((word) => formatCommand('history', word));
    for (const line of lines) expect(line).toMatch(/^[ -~]*$/);
    expect(lines.map(visible)).toEqual(lines);
    expect(paste(lines, 'bash')).toEqual(words.map((word) => ['history', word]));
    expect(paste(lines, 'sh')).toHaveLength(words.length);
    expect(readdirSync(eu).toSorted()).toEqual(FILES);
  });
});
