import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { errorReportShape } from '../../src/domain/change.ts';
import { documentOf, expectEnd } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';
import { folderForFile } from '../helpers/temporary-folder.ts';
import { atTerminal } from '../helpers/terminal.ts';

/** Whatever evaluates this name makes a file. */
const HOSTILE = 'y$(touch pwned)';
const HOME_FOLDER = 'home';

const folder = folderForFile({
  [`my agency/${HOSTILE}`]: '',
  [`${HOME_FOLDER}/saved plan.json`]: '',
  'plan one.json': '',
  'herald.yaml':
    'version: 1\nservice: { simulator: w.json }\naccounts: { alice: { id: "1" } }\nfiles: [x.yaml]\n',
  'bin/herald': `#!/bin/bash
if [[ $1 == complet* ]]; then exec "${process.execPath}" "${inject('herald')}" "$@"; fi
called="$(dirname "$0")/../called"
printf '<%s>' "$@" >> "$called"
echo >> "$called"
echo "CALLED $(wc -l < "$called")"
`,
});

const SHELLS = {
  bash: { command: ['bash', '--norc', '--noprofile', '-i'], load: 'source <(herald completion bash)' },
  zsh: {
    command: ['zsh', '-f', '-i'],
    load: 'autoload -U compinit; compinit -u -D; source <(herald completion zsh)',
  },
  fish: { command: ['fish', '--no-config', '-i'], load: 'herald completion fish | source' },
} as const;

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).error === undefined;

/** Types the lines into a shell at a terminal, each with a Tab and Enter. Resolves with what the shell then ran. */
async function typeInto(shell: keyof typeof SHELLS, lines: readonly string[]): Promise<readonly string[]> {
  rmSync(join(folder, 'called'), { force: true });
  const { command, load } = SHELLS[shell];
  const typed = [...lines.map((line) => `herald ${line}\t\n`), 'exit\n'];
  await atTerminal({
    directory: folder,
    command,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: join(folder, HOME_FOLDER),
      TERM: 'xterm',
    },
    early: `${load}; herald loaded\n`,
    steps: typed.map((keys, at) => ({ text: `CALLED ${at + 1}`, act: ({ type }) => type(keys) })),
  });
  return readFileSync(join(folder, 'called'), 'utf8').trim().split('\n').slice(1);
}

const TYPED = [
  { line: 'campaigns arc', runs: '<campaigns><archive>' },
  { line: 'plan --format=ma', runs: '<plan><--format=markdown>' },
  { line: 'broadcasts pause 5 --account al', runs: '<broadcasts><pause><5><--account><alice>' },
  { line: 'apply plan\\ o', runs: '<apply><plan one.json>' },
  { line: 'apply "plan o', runs: '<apply><plan one.json>' },
  { line: '-C my', runs: '<-C><my agency>' },
  { line: 'apply my\\ agency/y', runs: `<apply><my agency/${HOSTILE}>` },
  { line: 'apply ~/s', runs: () => `<apply><${join(folder, HOME_FOLDER, 'saved plan.json')}>` },
] as const;

describe.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])('herald completion %s', (shell) => {
  // CI installs all three. A machine without one leaves it out.
  it.runIf(isInstalled(shell))('completes what is typed, and runs nothing that a name says', async () => {
    const ran = await typeInto(
      shell,
      TYPED.map(({ line }) => line),
    );
    // A shell may keep the slash behind a folder, or take it off.
    expect(ran.map((line) => line.replaceAll('/>', '>'))).toEqual(
      TYPED.map(({ runs }) => (typeof runs === 'string' ? runs : runs())),
    );
    expect(spawnSync('find', [folder, '-name', 'pwned'], { encoding: 'utf8' }).stdout).toBe('');
  });
});

describe('herald completion', () => {
  it('prints a script and no document', async () => {
    const ran = await aScene().herald('completion', 'bash', '--format', 'json');
    expect([ran.code, documentOf(ran, errorReportShape).code]).toEqual([1, 'bad-flag']);
  });

  it('needs a shell that it knows', async () => {
    expectEnd(await aScene().herald('completion'), 1, "missing required argument 'SHELL'");
    expect((await aScene().herald('completion', 'tcsh')).code).toBe(1);
  });
});
