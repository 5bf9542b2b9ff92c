import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aRepository } from '../../helpers/git-repository.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { heraldHere } from '../../helpers/herald-here.ts';
import { VERSION } from '../../../src/version.ts';
import { expectEnd } from '../../helpers/flows.ts';

const WORKFLOW = '.github/workflows/herald.yml';
const GITHUB = '[remote "origin"]\n\turl = git@github.com:acme/ads.git\n';
const GITLAB = '[remote "origin"]\n\turl = https://oauth2:secret@gitlab.acme.example/acme/ads.git\n';
const YAML = 'version: 1\nservice: { base_url: https://api.service.example/v1 }\n';

/** A repository with these files; git itself is not needed. */
function repository(files: Readonly<Record<string, string>> = {}): string {
  return temporaryFolder({ 'herald.yaml': YAML, '.git/config': GITHUB, ...files });
}

const init = (root: string, ...args: string[]) => heraldHere(root, { args: ['ci', 'init', ...args] });
const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8');

describe('herald ci init', () => {
  it('writes the workflow and says what is left to do', async () => {
    const root = repository();
    const ran = await init(root);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain(`Wrote ${WORKFLOW}. Pushes to main are applied.`);
    expect(ran.stdout).toContain('gh secret set HERALD_VIEW_KEY');
    expect(ran.stdout).toContain('gh secret set HERALD_API_KEY --env herald');
    expect(ran.stdout).toMatch(
      /gh secret set HERALD_GITHUB_PUSH_TOKEN --env herald\n.*a ruleset for the branch/,
    );
    expect(ran.stdout).toContain(`npm install --save-dev --save-exact herald-campaigns@${VERSION}`);
    expect(read(root, WORKFLOW)).toContain('HERALD_ALLOWED_ORIGINS: https://api.service.example\n');
  });

  it('of a workspace with the embedded simulator ends with 5 and says what to replace', async () => {
    const root = repository({
      'herald.yaml': 'version: 1\nservice: { simulator: .herald/world.json }\n',
    });
    const ran = await init(root);
    expect(ran.code).toBe(5);
    expect(ran.stdout).toContain('Replace simulator: by base_url: in herald.yaml.');
    writeFileSync(join(root, 'herald.yaml'), YAML);
    expect((await init(root)).code).toBe(0);
  });

  it('writes no address that a shell would run into a script', async () => {
    const root = repository({ 'herald.yaml': 'service: { base_url: "https://$({touch,x}).example" }\n' });
    await init(root, '--provider', 'generic');
    expect(read(root, 'herald-ci.sh')).not.toContain('touch');
  });

  it.each([
    ['*.mp4 filter=lfs diff=lfs merge=lfs -text\n', true],
    ['*.yaml text\n# *.mp4 filter=lfs\n', false],
  ])('fetches the files of Git LFS if .gitattributes has %j', async (attributes, isFetched) => {
    const root = repository({ '.gitattributes': attributes });
    await init(root);
    expect(read(root, WORKFLOW).includes('fetch-depth: 0, lfs: true }\n')).toBe(isFetched);
  });

  it('updates what is between its marks, and leaves the rest', async () => {
    const root = repository();
    await init(root);
    const written = read(root, WORKFLOW);
    const mine = `# Ask Ann before you change this.\n${written}  lint:\n    runs-on: ubuntu-latest\n    steps: [{ run: make }]\n`;
    writeFileSync(join(root, WORKFLOW), mine.replace("'17 6 * * *'", "'0 0 * * *'"));
    const ran = await init(root);
    expect(ran.stdout).toContain(`Updated ${WORKFLOW}.`);
    expect(read(root, WORKFLOW)).toBe(mine);
    expect((await init(root)).stdout).toContain(`Nothing to change in ${WORKFLOW}.`);
  });

  it('does not overwrite a file without marks', async () => {
    const root = repository({ [WORKFLOW]: 'name: Mine\n' });
    expectEnd(await init(root), 1, 'Add these two lines where the jobs of Herald belong');
    expect(read(root, WORKFLOW)).toBe('name: Mine\n');
  });

  it.each([
    ['a remote on GitLab', { '.git/config': GITLAB }, '.gitlab-ci.yml'],
    [
      'GitHub Enterprise',
      { '.git/config': '[remote "o"]\n url = https://github.acme.example/a/b\n' },
      WORKFLOW,
    ],
  ])('finds the provider from %s', async (_title, files, path) => {
    const root = repository(files);
    const ran = await init(root);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(read(root, path)).toContain('herald-campaigns ci plan');
    expect(ran.stdout).not.toContain('secret@');
  });

  it.each([
    ['nothing tells', ''],
    ['remotes are on both', `${GITHUB}${GITLAB.replace('origin', 'mirror')}`],
  ])('asks for the provider if %s', async (_title, config) => {
    const root = repository({ '.git/config': config });
    const ran = await init(root);
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain('--provider');
    expect((await init(root, '--provider', 'generic')).code).toBe(0);
    execFileSync('bash', ['-n', join(root, 'herald-ci.sh')]);
  });

  it('writes at the root of the repository for a workspace in a folder', async () => {
    const root = repository({ 'ads/eu/herald.yaml': YAML });
    expect((await init(join(root, 'ads/eu'))).code).toBe(0);
    expect(read(root, '.github/workflows/herald-ads-eu.yml')).toContain('working-directory: ads/eu\n');
    expect(existsSync(join(root, 'ads/eu/.github'))).toBe(false);
  });

  it.each([
    ['ads', []],
    ['.', ['-C', 'ads']],
  ])('prints a git add of all that is to be committed, from the folder %s', async (from, options) => {
    const origin = aRepository();
    origin.git('remote', 'add', 'origin', 'git@github.com:acme/ads.git');
    const ignored = '.herald/*\n!.herald/schemas/\n';
    const own = {
      'ads/herald.yaml': YAML,
      'ads/campaigns/a.yaml': 'campaigns: []\n',
      'ads/.gitignore': ignored,
    };
    origin.write({ ...own, 'ads/.herald/state.ndjson': '', 'ads/node_modules/x/y.js': '', 'other.txt': '' });
    const cwd = join(origin.directory, from);
    const { stdout } = await heraldHere(cwd, { args: [...options, 'ci', 'init'] });
    const [command = ''] = /^.*git add .*$/m.exec(stdout) ?? [];
    execFileSync('bash', ['-c', command], { cwd });
    expect(origin.git('diff', '--cached', '--name-only').split('\n')).toEqual([
      '.github/workflows/herald-ads.yml',
      ...Object.keys(own).toSorted(),
    ]);
  });

  it('takes the branch that a clone starts with, or that is checked out, or the one that is given', async () => {
    const root = repository({ '.git/HEAD': 'ref: refs/heads/master\n' });
    expect((await init(root)).stdout).toContain('Pushes to master are applied.');
    mkdirSync(join(root, '.git/refs/remotes/origin'), { recursive: true });
    writeFileSync(join(root, '.git/refs/remotes/origin/HEAD'), 'ref: refs/remotes/origin/trunk\n');
    await init(root);
    expect(read(root, WORKFLOW)).toContain('branches: [trunk]');
    await init(root, '--branch', 'release');
    expect(read(root, WORKFLOW)).toContain('branches: [release]');
  });

  it('says how to bring over what was applied from this machine', async () => {
    const root = repository({ '.herald/state.db': '' });
    const { stdout } = await init(root);
    expect(stdout.match(/herald state \w+ \S+|Add to herald\.yaml/g)).toEqual([
      'herald state export .herald/state.ndjson',
      'Add to herald.yaml',
      'herald state import .herald/state.ndjson',
    ]);
  });

  it.each([
    [GITHUB, 'gh secret set HERALD_STATE_VIEW_URL\n', 'gh secret set HERALD_STATE_URL --env herald\n'],
    [
      GITLAB,
      'set HERALD_STATE_VIEW_URL --masked --raw\n',
      'set HERALD_STATE_URL --masked --raw --protected\n',
    ],
  ])('gives pull requests no address that may write the state', async (config, reads, writes) => {
    const yaml = `${YAML}state: { postgres: "\${HERALD_STATE_URL}", workspace: ads }\n`;
    const { stdout } = await init(repository({ '.git/config': config, 'herald.yaml': yaml }));
    for (const words of [reads, writes]) expect(stdout).toContain(words);
  });

  it('lets only the branch that is applied use the environment of GitHub, whether it is protected or not', async () => {
    const { stdout } = await init(repository(), '--branch', 'release');
    expect(stdout).toContain('-F "deployment_branch_policy[custom_branch_policies]=true"');
    expect(stdout).toContain('environments/herald/deployment-branch-policies -f name=release\n');
  });

  it.each<[string, (root: string) => void, string]>([
    ['the folder has no repository', (root) => rmSync(join(root, '.git'), { recursive: true }), 'git init'],
    ['the folder has no workspace', (root) => rmSync(join(root, 'herald.yaml')), 'herald.yaml'],
    [
      'the state has errors',
      (root) => writeFileSync(join(root, 'herald.yaml'), `${YAML}state: 7\n`),
      'herald validate',
    ],
  ])('writes nothing if %s', async (_title, harm, said) => {
    const root = repository();
    harm(root);
    const ran = await init(root);
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain(said);
    expect(existsSync(join(root, '.github'))).toBe(false);
  });

  it.each(['a b', "x'; rm -rf /; '", '${{ secrets.KEY }}', '-rf', 'a..b/../c', 'a/'])(
    'writes nothing for the branch %j, which would be code elsewhere',
    async (branch) => {
      const root = repository();
      const ran = await init(root, `--branch=${branch}`);
      expect(ran.code).toBe(1);
      expect(existsSync(join(root, '.github'))).toBe(false);
    },
  );

  it.each(['.github', '.github/workflows', WORKFLOW])('does not follow a link at %s', async (path) => {
    const root = repository();
    const outside = temporaryFolder();
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(path === WORKFLOW ? join(outside, 'herald.yml') : outside, join(root, path));
    expectEnd(await init(root), 1, 'is a link');
    expect(existsSync(join(outside, 'herald.yml')) || existsSync(join(outside, 'workflows'))).toBe(false);
  });
});
