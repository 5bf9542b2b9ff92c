import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { aCi, aFolderWithStubs, VARIANTS, writeCi, type CiSettings } from './variants.ts';
import { WorkspaceNames } from '../../../src/ci/workspace-names.ts';

const LOCAL = [
  '--import',
  resolve('test/ci/init/newer-sets.mjs'),
  resolve('node_modules/gitlab-ci-local/dist/index.js'),
];

interface Job {
  readonly rules?: readonly { readonly if: string }[];
  readonly interruptible?: boolean;
  readonly resource_group?: string;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
}

const textOf = (settings: CiSettings) => writeCi('gitlab', settings);

/** A repository with the pipeline, and stand-ins for npm and Herald that say what they were asked. */
function repository(pipeline: string, npx = 'exit 0') {
  const place = aFolderWithStubs({
    npm: 'echo "npm $*"',
    npx: `echo "npx $* with key $HERALD_API_KEY"\n${npx}`,
    // Copies the files for a job. It is not on every machine.
    rsync: 'mkdir -p "${*: -1}"\ntar -c --exclude=./.gitlab-ci-local . | tar -x -C "${*: -1}"',
  });
  const { root } = place;
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', root]);
  execFileSync('git', ['-C', root, 'remote', 'add', 'origin', 'git@gitlab.com:acme/ads.git']);
  const who = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.test'];
  execFileSync('git', ['-C', root, ...who, 'commit', '--quiet', '--allow-empty', '-m', 'Begin']);
  writeFileSync(join(root, '.gitlab-ci.yml'), pipeline);
  return place;
}

function gitLab(
  { root: cwd, env: all }: ReturnType<typeof repository>,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((done) => {
    const env = { ...all, HERALD_API_KEY: undefined };
    const child = execFile(process.execPath, [...LOCAL, ...args], { cwd, env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, said: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });
}

const withKey = [
  '--force-shell-executor',
  '--variable',
  'HERALD_API_KEY=writes',
  '--variable',
  'HERALD_GITLAB_TOKEN=t',
];

describe('the pipeline for GitLab', () => {
  // One run of the tool reads all of them: each start of it costs two seconds.
  it('is what the schema of GitLab allows, with each variant next to the others', async () => {
    let all = '';
    for (const [index, [, settings]] of VARIANTS.entries()) {
      const folder = index === 0 ? '' : `ads/${index}`;
      const marks = index === 0 ? '' : `# herald:begin ${folder}\n# herald:end ${folder}\n`;
      const text = await writeCi('gitlab', { ...settings, folder }, all + marks || null);
      expect(text.startsWith(all)).toBe(true);
      all = text;
    }
    const names = Object.keys(parse(all) as object).filter((name) => !name.startsWith('.'));
    expect(new Set(names).size).toBe(3 * VARIANTS.length);
    const { code, said } = await gitLab(repository(all), '--list-json');
    expect([code, said]).toEqual([0, expect.stringContaining('json schema validated')]);
  });

  it('fails with the apply', async () => {
    const { code, said } = await gitLab(
      repository(await textOf(aCi()), 'exit 4'),
      ...withKey,
      'herald-apply',
    );
    expect(code, said).not.toBe(0);
    expect(said).toContain('ci apply --branch main with key writes');
  });

  it('is what the guide shows, in no more than 60 lines', async () => {
    expect((await textOf(aCi())).split('\n').length).toBeLessThanOrEqual(60);
    await expect(await textOf(aCi())).toMatchFileSnapshot('../../../docs/guides/ci/gitlab-ci.yml');
  });

  it('is the template of action/ with its inputs, and plans with the key that can only read', async () => {
    const text = readFileSync('action/gitlab.yml', 'utf8');
    const place = repository(
      'include:\n  - local: /herald.yml\n    inputs: { branch: main, directory: ads/eu }\n',
    );
    const { root } = place;
    writeFileSync(join(root, 'herald.yml'), text);
    mkdirSync(join(root, 'ads/eu'), { recursive: true });
    execFileSync('git', ['-C', root, 'add', '.']);
    const { said } = await gitLab(place, ...withKey, '--variable', 'HERALD_VIEW_KEY=reads', 'herald-plan');
    expect(said).toMatch(/ci plan --out-dir \/\S+\/herald-plan-[0-9a-f]{12} with key reads/);
    const inputs: Readonly<Record<string, string>> = {
      branch: 'main',
      artifact: new WorkspaceNames('').artifact,
    };
    const filled = text
      .replace(/^[^]*?\n---\n/, '')
      .replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_input, name: string) => inputs[name] ?? '.');
    const jobsIn = (of: string) => ({ ...(parse(of) as object), '.herald': null });
    // The template does not know where the state is. Without a database, the variable of its address is empty.
    expect(jobsIn(filled)).toEqual(jobsIn(await textOf(aCi({ database: 'HERALD_STATE_URL' }))));
    expect(text).toContain(`default: ${new WorkspaceNames('').artifact}`);
  });

  it('removes what a merge request has committed in the folder of the artifact, before anything of it runs', async () => {
    const jobs = parse(await textOf(aCi({ folder: 'ads' }))) as Readonly<Record<string, Job>>;
    const [first] = jobs['.herald-ads']?.before_script ?? [];
    expect(first).toBe(`rm -rf "$CI_PROJECT_DIR/${new WorkspaceNames('ads').artifact}"`);
  });

  it('lets applies wait for each other, and interrupts none', async () => {
    const jobs = parse(await textOf(aCi())) as Readonly<Record<string, Job>>;
    expect(jobs['herald-apply']?.resource_group).toBe('herald-apply');
    expect(jobs['herald-apply']?.interruptible ?? jobs['.herald']?.interruptible).toBe(false);
  });

  it('applies the branch of ci init, and no other one', async () => {
    const jobs = parse(await textOf(aCi({ branch: 'production' }))) as Readonly<Record<string, Job>>;
    expect(jobs['herald-apply']?.rules).toEqual([
      { if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == "production"' },
    ]);
    expect(jobs['herald-apply']?.script?.join()).toContain('ci apply --branch production');
  });
});
