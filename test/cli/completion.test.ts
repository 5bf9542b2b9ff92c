import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALLOWANCE_NAMES } from '../../src/domain/allowance.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

let folder = '';
let bash = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'herald-completion-'));
  bash = (await aScene().herald('completion', 'bash')).stdout;
  writeFileSync(join(folder, 'herald.bash'), bash);
  writeFileSync(join(folder, 'plan one.json'), '{}');
  mkdirSync(join(folder, 'my agency', 'inner'), { recursive: true });
  writeFileSync(join(folder, 'my agency', 'in plan.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a Tab offers behind these words, in a real bash that has sourced the script; the last word is begun. */
function offered(...words: string[]): string[] {
  const script = `
    set -u
    source ./herald.bash
    herald() { printf '%s\\n' alice bob vip "$(IFS=_; echo "\${*// /+}")"; }
    COMP_WORDS=(herald "$@")
    COMP_CWORD=$#
    _herald
    printf '%s\\n' "\${COMPREPLY[@]+"\${COMPREPLY[@]}"}"
  `;
  const ran = spawnSync('bash', ['--norc', '--noprofile', '-c', script, 'bash', ...words], {
    cwd: folder,
    env: { ...process.env, HOME: '/home/someone' },
    encoding: 'utf8',
  });
  expect(ran.stderr).toBe('');
  expect(ran.status).toBe(0);
  return ran.stdout.split('\n').filter((line) => line !== '');
}

describe('herald completion bash, sourced', () => {
  it('offers every command that help lists', async () => {
    const { stdout } = await aScene().herald('--help');
    const [list = ''] = stdout.split('\nGet started:\n').at(1)?.split('\nExit codes:') ?? [];
    const listed = list.split('\n').flatMap((line) => /^ {2}([a-z][a-z-]*)/.exec(line)?.[1] ?? []);
    expect(listed.length).toBeGreaterThan(8);
    expect(offered('').toSorted()).toEqual(listed.toSorted());
  });

  it.each([
    { typed: ['pl'], offers: ['plan'] },
    { typed: ['campaigns', 'a'], offers: ['activate', 'archive'] },
    { typed: ['-C', 'plan', 'campaigns', 'u'], offers: [] },
    { typed: ['-C', 'plan', 'campaigns', 're'], offers: ['recall'] },
    { typed: ['--format', 'json', 'broadcasts', 're'], offers: ['resume', 'recall'] },
    { typed: ['--chdir', '=', 'agency', 'broadcasts', 're'], offers: ['resume', 'recall'] },
    { typed: ['plan', '--det'], offers: ['--detailed-exitcode'] },
    { typed: ['broadcasts', 'resume', '55', '--fo'], offers: ['--format', '--force'] },
    { typed: ['broadcasts', 'pause', '55', '--forc'], offers: [] },
    { typed: ['plan', '--format', '=', 'ma'], offers: ['markdown'] },
    { typed: ['plan', '--format', '='], offers: ['text', 'markdown', 'json'] },
    { typed: ['apply', '--format', '='], offers: ['text', 'json'] },
    { typed: ['history', '--format', ''], offers: ['table', 'json', 'ndjson', 'csv'] },
    { typed: ['history', 'diff', '--format', ''], offers: ['text', 'json'] },
    { typed: ['completion', '--format', ''], offers: ['text'] },
    { typed: ['chat', 'messages', '9', '--order', ''], offers: ['asc', 'desc'] },
    { typed: ['fans', 'list', '--columns', ''], offers: ['account', 'fan_id'] },
    { typed: ['payouts', 'list', '--columns', 'rej'], offers: ['rejectReason'] },
    { typed: ['apply', '--allow', ''], offers: [...ALLOWANCE_NAMES] },
    { typed: ['completion', ''], offers: ['bash', 'zsh', 'fish'] },
    { typed: ['api', 'broadcasts.s'], offers: ['broadcasts.set-status'] },
    { typed: ['apply', 'plan'], offers: ['plan one.json'] },
    { typed: ['plan', '--out', 'pl'], offers: ['plan one.json'] },
    { typed: ['campaigns', 'pause', '77', '--account', 'v'], offers: ['vip'] },
    { typed: ['campaigns', 'pause', 'x'], offers: [] },
    { typed: ['accounts', 'get', 'v'], offers: ['vip'] },
    { typed: ['schema', 'sa'], offers: ['saved-plan'] },
    { typed: ['help', 'pl'], offers: ['plan'] },
    { typed: ['campaigns', 'help', 're'], offers: ['recall'] },
    { typed: ['completion', 'bash', ''], offers: [] },
    { typed: ['apply', 'plan.json', 'pl'], offers: [] },
    { typed: ['vault', 'upload', 'a.jpg', 'pl'], offers: ['plan one.json'] },
    { typed: ['-C', 'my\\ agency', 'apply', 'in'], offers: ['in plan.json', 'inner/'] },
    { typed: ['-C', "'my agency'", 'plan', '--out', '=', 'in'], offers: ['in plan.json', 'inner/'] },
    { typed: ['--chdir', '=', 'my\\ agency', '-C', 'in'], offers: ['inner/'] },
    { typed: ['-C', 'nowhere', 'apply', ''], offers: [] },
    { typed: ['-C', 'my'], offers: ['my agency'] },
  ])('$typed: $offers', ({ typed, offers }) => {
    expect(offered(...typed)).toEqual(offers);
  });

  it('asks the workspace of -C for its accounts', () => {
    expect(offered('-C', 'agency', 'campaigns', 'pause', '7', '--account', '-C')).toEqual([
      '-C_agency_completion_--accounts',
    ]);
    expect(offered('-C', 'a', 'campaigns', '--chdir', '=', 'b', 'pause', '7', '--account', '-C')).toEqual([
      '-C_a_-C_b_completion_--accounts',
    ]);
  });

  it.each([
    { typed: ['-C', 'my\\ agency'], asked: '-C_my+agency' },
    { typed: ['-C', '"my agency"'], asked: '-C_my+agency' },
    { typed: ['-Cagency'], asked: '-C_agency' },
    { typed: ['-qC', 'agency'], asked: '-C_agency' },
    { typed: ['-C', '~/agency'], asked: '-C_/home/someone/agency' },
  ])('reads $typed as the command line does', ({ typed, asked }) => {
    expect(offered(...typed, 'campaigns', 'list', '--account', '-C')).toEqual([
      `${asked}_completion_--accounts`,
    ]);
  });
});

describe('the names behind --account', () => {
  it('are the aliases and groups of the workspace', async () => {
    const scene = aScene();
    scene.files.tree['herald.yaml'] = `${scene.files.tree['herald.yaml']}groups: { all: [alice, bob] }\n`;
    expect((await scene.herald('completion', '--accounts')).stdout).toBe('alice\nbob\nall\n');
  });

  it('are none, without a message, outside a workspace', async () => {
    const scene = aScene();
    delete scene.files.tree['herald.yaml'];
    expect(await scene.herald('completion', '--accounts')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('every shell', () => {
  it('is a script and no document', async () => {
    const ran = await aScene().herald('completion', 'bash', '--format', 'json');
    expect([ran.code, documentOf(ran, errorReportShape).code]).toEqual([1, 'bad-flag']);
  });

  it.each(['bash', 'zsh', 'fish'])('%s knows every command and option of the command line', async (shell) => {
    const { code, stdout } = await aScene().herald('completion', shell);
    expect(code).toBe(0);
    for (const word of ['campaigns recall', 'broadcasts resume', 'apply', 'ndjson', 'recall', '--accounts'])
      expect(stdout).toContain(word);
    for (const option of ['detailed-exitcode', 'force', 'api-key-file']) expect(stdout).toContain(option);
  });

  it('has to be named', async () => {
    const ran = await aScene().herald('completion');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Use bash, zsh or fish');
    expect((await aScene().herald('completion', 'tcsh')).code).toBe(1);
  });

  it('gets the same bytes every time', async () => {
    expect((await aScene().herald('completion', 'bash')).stdout).toBe(bash);
  });
});

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).error === undefined;

describe.each(['zsh', 'fish'] as const)('herald completion %s', (shell) => {
  let script = '';
  beforeAll(async () => {
    script = (await aScene().herald('completion', shell)).stdout;
    writeFileSync(join(folder, `herald.${shell}`), script);
  });

  it('closes its quotes and blocks', () => {
    expect(unbalanced(script, shell)).toEqual([]);
  });

  // CI installs both shells; a machine without one says that these were left out.
  it.runIf(isInstalled(shell))('is read by the shell without an error', () => {
    const ran = spawnSync(shell, ['-n', join(folder, `herald.${shell}`)], { encoding: 'utf8' });
    expect(`${ran.status} ${ran.stderr}`).toBe('0 ');
  });

  it.runIf(isInstalled(shell)).each([
    { typed: 'pl', offers: ['plan'] },
    { typed: 'campaigns a', offers: ['activate', 'archive'] },
    { typed: '-C plan --format json broadcasts res', offers: ['resume'] },
    { typed: 'plan --det', offers: ['--detailed-exitcode'] },
    { typed: 'broadcasts resume 55 --forc', offers: ['--force'] },
    { typed: 'broadcasts pause 55 --forc', offers: [] },
    { typed: 'history --format n', offers: ['ndjson'] },
    { typed: 'apply --format ', offers: ['json', 'text'] },
    { typed: 'apply --allow pr', offers: ['prune'] },
    { typed: 'api broadcasts.s', offers: ['broadcasts.set-status'] },
    { typed: 'schema sa', offers: ['saved-plan'] },
    { typed: 'help pl', offers: ['plan'] },
    { typed: 'completion bash ', offers: [] },
    { typed: 'apply plan.json pl', offers: [] },
    { typed: 'vault upload a.jpg pl', offers: ['plan one.json'] },
    { typed: '-C my\\ agency apply in', offers: ['in plan.json', 'inner'] },
    { typed: "--chdir='my agency' plan --out in", offers: ['in plan.json', 'inner'] },
    { typed: '-C nowhere apply ', offers: [] },
    { typed: 'accounts get v', offers: ['vip'] },
    { typed: '-C my\\ agency accounts get asked', offers: ['asked -C|my agency|completion|--accounts'] },
    {
      typed: '-qC a --chdir=b -Cc campaigns list --account asked',
      offers: ['asked -C|a|-C|b|-C|c|completion|--accounts'],
    },
    { typed: '-C ~/a accounts get asked', offers: ['asked -C|/home/someone/a|completion|--accounts'] },
  ])('offers $offers behind "$typed"', ({ typed, offers }) => {
    expect(offeredBy(shell, typed).toSorted()).toEqual(offers);
  });

  it('asks the shell for nothing that it gives to no script', () => {
    // zsh completes under options of its own, and reads an array between (( )) as one text.
    if (shell === 'zsh') expect(script).not.toMatch(/emulate|\(\(.*\$\{#?\$\{/);
    // fish would put the option that is being completed before the directory a second time.
    else expect(script).not.toContain('__fish_complete_directories');
  });
});

const ZSH_ASKED = `
  setopt extended_glob null_glob rc_expand_param
  compdef() {}
  compset() { PREFIX=\${PREFIX#*=} }
  compadd() { shift; print -rl -- \${(M)@:#$PREFIX*} }
  _describe() { compadd -- \${\${(P)argv[-1]}%%:*} }
  _files() { local where=.; if [[ $1 == -W ]]; then where=$2; fi; compadd -- $where/*(N:t) }
  herald() { print -rl -- alice bob vip "asked \${(j:|:)@}" }
  source ./herald.zsh
  words=(herald \${(z)1})
  if [[ $1 == *' ' ]]; then words+=(''); fi
  CURRENT=\${#words} PREFIX=\${words[-1]}
  _herald
`;

const FISH_ASKED = `
  function herald
    printf '%s\\n' alice bob vip "asked "(string join -- '|' $argv)
  end
  source ./herald.fish
  complete -C "herald $argv[1]"
`;

/** What a shell offers behind this line. */
function offeredBy(shell: 'zsh' | 'fish', line: string): string[] {
  const args = shell === 'zsh' ? ['-f', '-c', ZSH_ASKED, 'zsh'] : ['-c', FISH_ASKED, '--'];
  const ran = spawnSync(shell, [...args, line], {
    cwd: folder,
    env: { ...process.env, HOME: '/home/someone', XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    encoding: 'utf8',
  });
  if (ran.error !== undefined) throw ran.error;
  expect(ran.stderr).toBe('');
  const words = ran.stdout.split('\n').map((found) => found.replace(/\t.*/, '').replace(/\/$/, ''));
  return words.filter((word) => word !== '');
}

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
