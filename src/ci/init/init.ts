import { formatCommand, formatThere } from '../../domain/command-line.ts';
import type { Files, RepositoryFiles } from '../../domain/ports.ts';
import { visible } from '../../domain/visible.ts';
import { readOrigin } from '../job.ts';
import { readState, type StateSettings } from '../../workspace/workspace.ts';
import { PROVIDER_NAMES, type ProviderName } from '../../provider/job.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import gitHub from './github.yml?text';
import gitLab from './gitlab.yml?text';
import generic from './generic.sh?text';
import { WorkspaceNames } from '../workspace-names.ts';

interface InitFlags {
  readonly provider: ProviderName | undefined;
  /** The branch that is applied; by default the one that a clone starts with, or that is checked out. */
  readonly branch: string | undefined;
}

interface InitPorts {
  /** Of the workspace. */
  readonly files: Pick<Files, 'exists' | 'readText'>;
  /** Null if the workspace is in none. */
  readonly repository: RepositoryFiles | null;
  /** Of the Herald that CI installs. */
  readonly version: string;
}

interface InitReport {
  readonly provider: ProviderName;
  /** From the root of the repository. */
  readonly path: string;
  readonly did: 'wrote' | 'updated' | 'nothing';
  readonly settings: CiSettings;
  /** Where `herald.yaml` keeps the state. */
  readonly state: StateSettings;
  /** The jobs refuse to run until `herald.yaml` names a service. */
  readonly isSimulated: boolean;
  readonly next: readonly NextStep[];
}

/** Writes the jobs for the CI of the repository, or updates what is between the marks. */
export async function initCi(ports: InitPorts, flags: InitFlags): Promise<InitReport> {
  const { repository, files, version } = ports;
  if (repository === null)
    throw new HeraldError('git-no-repository', 'This folder is not in a git repository.', 'git init');
  const provider = flags.provider ?? chooseProvider(repository);
  if (provider === null)
    throw new HeraldError(
      'bad-flag',
      'Cannot tell which CI this repository uses.',
      `Add --provider with one of: ${PROVIDER_NAMES.join(', ')}.`,
    );
  const text = await workspaceText(files);
  const { origin, isSimulated } = readOrigin(text);
  const state = readState(text);
  if (state === null)
    throw new HeraldError('invalid-files', 'state: of herald.yaml has errors.', formatCommand('validate'));
  const { folder, defaultBranch } = repository;
  const branch = flags.branch ?? defaultBranch ?? 'main';
  requirePlain('branch', branch);
  if (folder !== '') requirePlain('folder', folder);
  const settings: CiSettings = {
    folder,
    branch,
    origin,
    database: typeof state === 'object' && 'postgres' in state ? state.postgres : null,
    hasLfs: await usesLfs(repository),
  };
  const path = PROVIDERS[provider].path(folder);
  const existing = await repository.read(path);
  const file = ciFile(provider, settings, existing);
  if (file === null) throw withoutMarks(path, folder);
  if (file !== existing) await repository.write(path, file);
  const report = { provider, path, settings, state, isSimulated };
  const next = nextSteps(report, {
    ...((await isInstalled(repository)) ? {} : { toInstall: version }),
    needsAddress: origin === null && !isSimulated,
    hasOwnState: await files.exists('.herald/state.db'),
  });
  return { ...report, did: existing === null ? 'wrote' : existing === file ? 'nothing' : 'updated', next };
}

async function workspaceText(files: InitPorts['files']): Promise<string> {
  if (!(await files.exists('herald.yaml')))
    throw new HeraldError(
      'not-found',
      'This folder has no herald.yaml.',
      'Run it in the folder of the workspace, such as: herald -C my-agency ci init',
    );
  return files.readText('herald.yaml');
}

/** Branches and folders are written into YAML and shell commands, so only plain ones are accepted. */
function requirePlain(what: string, name: string): void {
  if (/^[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/.test(name)) return;
  throw new HeraldError(
    'cannot',
    `The name of the ${what} "${visible(name)}" has other characters than letters, digits, ".", "_", "-" and "/".`,
    `Rename the ${what}. Nothing was written.`,
  );
}

function withoutMarks(path: string, folder: string): HeraldError {
  const { begin, end } = makeMarks(folder);
  return new HeraldError(
    'files-exist',
    `${path} does not have the lines "${begin}" and "${end}" once each, in this order. Nothing was written, because the file may be yours.`,
    `Add these two lines where the jobs of Herald belong, "${begin}" and "${end}", or move the file away. Then run ${formatCommand('ci', 'init')} again.`,
  );
}

/** Whether git keeps files of the workspace with Git LFS. A checkout without them has pointers in place of media. */
async function usesLfs(repository: RepositoryFiles): Promise<boolean> {
  const folders = repository.folder === '' ? [] : repository.folder.split('/');
  for (let depth = 0; depth <= folders.length; depth += 1) {
    const text = await repository.read([...folders.slice(0, depth), '.gitattributes'].join('/'));
    if (/^[^#\n]*\sfilter=lfs\b/m.test(text ?? '')) return true;
  }
  return false;
}

/** Whether `npm ci` would install Herald: a lock file that cannot be read counts as none. */
async function isInstalled(repository: RepositoryFiles): Promise<boolean> {
  const places = [...new Set([`${repository.folder}/package-lock.json`, 'package-lock.json'])];
  for (const place of places) {
    const text = await repository.read(place.replace(/^\//, ''));
    if (text?.includes('"node_modules/herald-campaigns"') === true) return true;
  }
  return false;
}

/** Where the repository runs its jobs, by the hosts of its remotes. Null if they do not say. */
function chooseProvider({ hosts }: RepositoryFiles): ProviderName | null {
  // Servers of companies usually have the product in their name.
  const isGitHub = hosts.some((host) => /\bgithub\b|\.ghe\.com$/.test(host));
  const isGitLab = hosts.some((host) => /\bgitlab\b/.test(host));
  if (isGitHub === isGitLab) return null;
  return isGitHub ? 'github' : 'gitlab';
}

/** In a folder that is never committed. */
const EXPORT = '.herald/state.ndjson';

interface NextStep {
  /** A command, or a sentence if no command does it. */
  readonly do: string;
  readonly why: string;
}

function only(isNeeded: boolean, ...steps: readonly NextStep[]): readonly NextStep[] {
  return isNeeded ? steps : [];
}

/** Whatever writes is for the apply job alone. */
function listSecrets(provider: ProviderName, { branch, database }: CiSettings): readonly NextStep[] {
  const { secret, guarded, environment } = PROVIDERS[provider];
  const view =
    'a key with view permissions only, for plans and drift; without it, plans compare the files only';
  const read = 'the address of the state database, with a role that only reads, for plans and drift';
  const token = 'a project access token with the scope api and the role Developer';
  const push = {
    github:
      'a token of an administrator that may write contents; add a ruleset for the branch of the state that only administrators bypass, because the workflow of any pull request can push it otherwise',
    gitlab:
      'another one with the scope write_repository and the role Maintainer: protect the branch of the state, so that only this one can push it',
    generic: null,
  }[provider];
  return [
    { do: secret('HERALD_VIEW_KEY'), why: view },
    ...(environment?.(branch) ?? []),
    { do: guarded('HERALD_API_KEY'), why: 'the key that applies, for the apply job only' },
    ...only(database !== null, { do: secret('HERALD_STATE_VIEW_URL'), why: read }),
    ...only(database !== null, {
      do: guarded(database ?? ''),
      why: 'the same with a role that writes, for the apply job only',
    }),
    ...only(provider === 'gitlab', { do: secret('HERALD_GITLAB_TOKEN'), why: token }),
    ...only(push !== null && database === null, {
      do: guarded(`HERALD_${provider.toUpperCase()}_PUSH_TOKEN`),
      why: push ?? '',
    }),
  ];
}

function nextSteps(
  { provider, path, settings, state, isSimulated }: Omit<InitReport, 'did' | 'next'>,
  about: { readonly toInstall?: string; readonly needsAddress: boolean; readonly hasOwnState: boolean },
): readonly NextStep[] {
  return [
    ...only(about.toInstall !== undefined, {
      do: formatThere('npm', 'install', '--save-dev', '--save-exact', `herald-campaigns@${about.toInstall}`),
      why: `CI installs the version of the lock file; until it is published, commit and install herald-campaigns-${about.toInstall}.tgz, which npm pack makes`,
    }),
    ...only(isSimulated, {
      do: 'Replace simulator: by base_url: in herald.yaml.',
      why: 'the jobs refuse the embedded simulator, which sends nothing to anyone',
    }),
    ...listSecrets(provider, settings),
    ...only(about.needsAddress, {
      do: PROVIDERS[provider].variable('HERALD_BASE_URL', 'https://api.service.example'),
      why: 'the address of the service; the key goes only there',
    }),
    ...only(provider === 'gitlab', {
      do: `glab schedule create --cron "17 6 * * *" --ref ${settings.branch} --description "Herald drift"`,
      why: 'drift every day',
    }),
    // What a job leaves on its disk is gone with the job, so the state has to be elsewhere.
    ...only(state === '.herald' && about.hasOwnState, {
      do: formatCommand('state', 'export', EXPORT),
      why: 'what was applied from this machine',
    }),
    ...only(state === '.herald', {
      do: 'Add to herald.yaml: state: { git_branch: herald-state }',
      why: 'each job begins without files of the last one; a team may use a database in its place',
    }),
    ...only(state === '.herald' && about.hasOwnState, {
      do: formatCommand('state', 'import', EXPORT),
      why: 'brings it to the new place',
    }),
    {
      do: formatThere('git', 'add', '.', ':!node_modules', `:/${path}`),
      why: 'the workspace with its resource files, and the jobs; then commit and push',
    },
  ];
}

interface CiSettings {
  /** The workspace's folder in the repository, with `/`. Empty for the root. */
  readonly folder: string;
  readonly branch: string;
  /** The origin that `herald.yaml` names; null if it comes from a variable. */
  readonly origin: string | null;
  /** The variable with the address of the state database; null if the state is on a branch. */
  readonly database: string | null;
  readonly hasLfs: boolean;
}

/** The file as it should be. `existing` is null if there is none yet. Null for a file without the marks, which may be a person's. */
function ciFile(provider: ProviderName, settings: CiSettings, existing: string | null): string | null {
  const { template, service, first = '' } = PROVIDERS[provider];
  const { folder, branch, origin, database, hasLfs } = settings;
  const block = fill(template, {
    name: folder === '' ? 'Herald' : `Herald ${folder}`,
    branch,
    suffix: makeSuffix(folder),
    artifact: new WorkspaceNames(folder).artifact,
    out: `${inFolder(folder)}herald-out`,
    directory: folder === '' ? '' : provider === 'gitlab' ? `- cd ${folder}` : `working-directory: ${folder}`,
    checkout: `fetch-depth: 0${hasLfs ? ', lfs: true' : ''}`,
    contents: database === null ? 'write # for the branch of the state' : 'read',
    push: database === null ? ", token: '${{ secrets.HERALD_GITHUB_PUSH_TOKEN || github.token }}'" : '',
    database,
    service: service(origin),
  });
  return withBlock(existing, block, makeMarks(folder), first);
}

const PINNED = '# The only service that may get the key, whatever a change writes into herald.yaml.';

interface ProviderJobs {
  /** Where the file is, from the root of the repository. GitLab has one for all workspaces, each between its own marks. */
  readonly path: (folder: string) => string;
  readonly template: string;
  readonly first?: string;
  /** How the file names the service. Without an origin, a variable of the job has it. */
  readonly service: (origin: string | null) => string;
  /** Sets a secret of all jobs. */
  readonly secret: (name: string) => string;
  /** Sets one that a pull request cannot read. */
  readonly guarded: (name: string) => string;
  readonly variable: (name: string, value: string) => string;
  /** What keeps the guarded ones. */
  readonly environment?: (branch: string) => readonly NextStep[];
}

const PROVIDERS: Readonly<Record<ProviderName, ProviderJobs>> = {
  github: {
    path: (folder) => `.github/workflows/herald${makeSuffix(folder)}.yml`,
    template: gitHub,
    service: (origin) =>
      origin === null
        ? '# The address of the service. It counts instead of the one in herald.yaml.\nHERALD_BASE_URL: ${{ vars.HERALD_BASE_URL }}'
        : `${PINNED}\nHERALD_ALLOWED_ORIGINS: ${origin}`,
    secret: (name) => `gh secret set ${name}`,
    guarded: (name) => `gh secret set ${name} --env herald`,
    variable: (name, value) => `gh variable set ${name} --body ${value}`,
    // With "protected branches only", every branch could use it until there is a first rule of protection.
    environment: (branch) => [
      {
        do: 'gh api --method PUT repos/{owner}/{repo}/environments/herald -F "deployment_branch_policy[protected_branches]=false" -F "deployment_branch_policy[custom_branch_policies]=true"',
        why: 'the environment of the apply job; on GitHub Free, only a public repository can keep secrets in one',
      },
      {
        do: `gh api repos/{owner}/{repo}/environments/herald/deployment-branch-policies -f name=${branch}`,
        why: 'only this branch may use it; protect the branch as well',
      },
    ],
  },
  gitlab: {
    path: () => '.gitlab-ci.yml',
    template: gitLab,
    service: (origin) => (origin === null ? '' : `${PINNED}\nHERALD_ALLOWED_ORIGINS: ${origin}`),
    // Without --raw, GitLab expands a $ in the value.
    secret: (name) => `glab variable set ${name} --masked --raw`,
    guarded: (name) => `glab variable set ${name} --masked --raw --protected`,
    variable: (name, value) => `glab variable set ${name} ${value}`,
  },
  generic: {
    path: (folder) => `${inFolder(folder)}herald-ci.sh`,
    template: generic,
    first: '#!/usr/bin/env bash\n',
    service: (origin) => (origin === null ? '' : `${PINNED}\nexport HERALD_ALLOWED_ORIGINS=${origin}`),
    secret: (name) => `Set the secret ${name} in your CI.`,
    guarded: (name) => `Set the secret ${name} in your CI, for the job of the apply only.`,
    variable: (name, value) => `Set the variable ${name}=${value} in your CI.`,
  },
};

/** Replaces each `%name%`. A line with nothing else becomes the lines of its value, or goes if that is empty. Each line with null goes. */
function fill(template: string, values: Readonly<Record<string, string | null>>): string {
  return template
    .replaceAll(/^.*?%(\w+)%.*\n/gm, (line, name: string) => (values[name] === null ? '' : line))
    .replaceAll(/^( *)%(\w+)%\n/gm, (_line, indent: string, name: string) =>
      (values[name] ?? '').replaceAll(/^(?=.)/gm, indent).replace(/(.)$/, '$1\n'),
    )
    .replaceAll(/%(\w+)%/g, (whole, name: string) => values[name] ?? whole);
}

/** The part of file names and job names that tells workspaces of one repository apart, such as `-ads-eu`. */
function makeSuffix(folder: string): string {
  const word = folder.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return word === '' ? '' : `-${word.toLowerCase()}`;
}

function inFolder(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

/** The two comments around what `ci init` writes for a workspace. Several workspaces can have one file. */
function makeMarks(folder: string) {
  const name = folder === '' ? '' : ` ${folder}`;
  return { begin: `# herald:begin${name}`, end: `# herald:end${name}` };
}

/** Puts the block between its marks, each of which has to be there once. Lines above and below belong to people and stay. */
function withBlock(
  existing: string | null,
  block: string,
  { begin, end }: ReturnType<typeof makeMarks>,
  firstLine: string,
): string | null {
  const marked = [begin, ...block.trimEnd().split('\n'), end];
  if (existing === null) return `${firstLine}${marked.join('\n')}\n`;
  const newline = existing.includes('\r\n') ? '\r\n' : '\n';
  const lines = existing.split(/\r?\n/);
  const marks = lines.flatMap((line, index) => ([begin, end].includes(line.trimEnd()) ? [index] : []));
  const [from = 0, to = 0] = marks;
  if (marks.length !== 2 || lines[from]?.trimEnd() !== begin || lines[to]?.trimEnd() !== end) return null;
  return [...lines.slice(0, from), ...marked, ...lines.slice(to + 1)].join(newline);
}
