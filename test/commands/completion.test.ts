import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALLOWANCE_NAMES } from '../../src/domain/allowance.ts';
import { aScene } from '../helpers/scene.ts';

let folder = '';
let bash = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'herald-completion-'));
  bash = (await aScene().herald('completion', 'bash')).stdout;
  writeFileSync(join(folder, 'herald.bash'), bash);
  writeFileSync(join(folder, 'plan one.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a Tab offers behind these words, in a real bash that has sourced the script; the last word is begun. */
function offered(...words: string[]): string[] {
  const script = `
    set -u
    source ./herald.bash
    herald() { printf '%s\\n' alice bob vip "$(IFS=_; echo "$*")"; }
    COMP_WORDS=(herald "$@")
    COMP_CWORD=$#
    _herald
    printf '%s\\n' "\${COMPREPLY[@]+"\${COMPREPLY[@]}"}"
  `;
  const ran = spawnSync('bash', ['--norc', '--noprofile', '-c', script, 'bash', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(ran.stderr).toBe('');
  expect(ran.status).toBe(0);
  return ran.stdout.split('\n').filter((line) => line !== '');
}

describe('herald completion bash, sourced', () => {
  it('offers every command that help lists', async () => {
    const { stdout } = await aScene().herald('--help');
    const [, commands = ''] = stdout.split('\nCommands:\n');
    const [list = ''] = commands.split('\n\n');
    const listed = list.split('\n').flatMap((line) => /^ {2}([a-z][a-z-]*)/.exec(line)?.[1] ?? []);
    expect(listed.length).toBeGreaterThan(8);
    expect(offered('').toSorted()).toEqual(listed.toSorted());
  });

  it.each([
    { typed: ['pl'], offers: ['plan'] },
    { typed: ['campaigns', 'a'], offers: ['activate', 'archive'] },
    { typed: ['-C', 'plan', 'campaigns', 'u'], offers: ['unsend'] },
    { typed: ['--format', 'json', 'broadcasts', 're'], offers: ['resume'] },
    { typed: ['--chdir', '=', 'agency', 'broadcasts', 're'], offers: ['resume'] },
    { typed: ['plan', '--det'], offers: ['--detailed-exitcode'] },
    { typed: ['broadcasts', 'resume', '55', '--fo'], offers: ['--force', '--format'] },
    { typed: ['broadcasts', 'pause', '55', '--forc'], offers: [] },
    { typed: ['--format', 'n'], offers: ['ndjson'] },
    { typed: ['apply', '--format', '=', 'ma'], offers: ['markdown'] },
    { typed: ['apply', '--format', '='], offers: ['text', 'markdown', 'table', 'json', 'ndjson', 'csv'] },
    { typed: ['apply', '--allow', ''], offers: [...ALLOWANCE_NAMES] },
    { typed: ['completion', ''], offers: ['bash', 'zsh', 'fish'] },
    { typed: ['api', 'broadcasts.s'], offers: ['broadcasts.set-status'] },
    { typed: ['apply', 'plan'], offers: ['plan one.json'] },
    { typed: ['plan', '--out', 'pl'], offers: ['plan one.json'] },
    { typed: ['campaigns', 'pause', '77', '--account', 'v'], offers: ['vip'] },
    { typed: ['campaigns', 'pause', 'x'], offers: [] },
  ])('$typed: $offers', ({ typed, offers }) => {
    expect(offered(...typed)).toEqual(offers);
  });

  it('asks the workspace of -C for its accounts', () => {
    expect(offered('-C', 'agency', 'campaigns', 'pause', '7', '--account', '-C')).toEqual([
      '-C_agency_completion_--accounts',
    ]);
  });
});

describe('the names behind --account', () => {
  it('are the aliases and groups of the workspace', async () => {
    const scene = aScene();
    scene.files.tree['herald.yaml'] = `${scene.files.tree['herald.yaml']}groups: { all: [alice, bob] }\n`;
    expect((await scene.herald('completion', '--accounts')).stdout).toBe('alice\nbob\nall\n');
  });

  it('are none, without a word, where there is no workspace', async () => {
    const scene = aScene();
    delete scene.files.tree['herald.yaml'];
    expect(await scene.herald('completion', '--accounts')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('every shell', () => {
  it.each(['bash', 'zsh', 'fish'])('%s knows every command and option of the command line', async (shell) => {
    const { code, stdout } = await aScene().herald('completion', shell);
    expect(code).toBe(0);
    for (const word of ['campaigns unsend', 'broadcasts resume', 'apply', 'ndjson', 'recall', '--accounts'])
      expect(stdout).toContain(word);
    for (const option of ['detailed-exitcode', 'force', 'api-key-file']) expect(stdout).toContain(option);
  });

  it('has to be named', async () => {
    const ran = await aScene().herald('completion');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Use one of: bash, zsh, fish.');
    expect((await aScene().herald('completion', 'tcsh')).code).toBe(1);
  });

  it('gets the same bytes every time', async () => {
    expect((await aScene().herald('completion', 'bash')).stdout).toBe(bash);
  });
});

/** Where a shell is installed it reads the script; elsewhere its quotes and blocks are counted. */
describe.each(['zsh', 'fish'] as const)('herald completion %s', (shell) => {
  it('is read without an error', async () => {
    const { stdout } = await aScene().herald('completion', shell);
    const file = join(folder, `herald.${shell}`);
    writeFileSync(file, stdout);
    const ran = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    if (ran.error === undefined) expect(`${ran.status} ${ran.stderr}`).toBe('0 ');
    expect(unbalanced(stdout, shell)).toEqual([]);
  });
});

/** Lines with an odd number of quotes, and blocks that do not end. */
function unbalanced(script: string, shell: 'zsh' | 'fish'): string[] {
  const lines = script.split('\n').filter((line) => !line.startsWith('#'));
  const escaped = shell === 'zsh' ? /'\\''/g : /\\['\\]/g;
  const odd = lines.filter((line) => (line.replace(escaped, '').match(/'/g) ?? []).length % 2 === 1);
  const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;
  const blocks =
    shell === 'zsh'
      ? [
          count(/^ *case /) - count(/^ *esac$/),
          count(/^ *if .*then$/) - count(/^ *fi$/),
          count(/^ *for .* do$/) - count(/^ *done$/),
          count(/^_herald\w*\(\) \{$/) - count(/^\}$/),
        ]
      : [count(/^ *(function|for|if) /) - count(/^ *end$/)];
  return blocks.every((open) => open === 0) ? odd : [...odd, `open blocks: ${blocks.join(', ')}`];
}
