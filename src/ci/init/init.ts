import { formatCommand } from '../../domain/command-line.ts';
import type { Files, RepositoryFiles } from '../../domain/ports.ts';
import { visible } from '../../domain/visible.ts';
import { readOrigin, readState, type StateSettings } from '../../workspace/state.ts';
import { nextSteps, type NextStep } from './next-steps.ts';
import { PROVIDER_NAMES, type ProviderName } from '../../provider/job.ts';
import { ciFile, ciFilePath, isPlainName, makeMarks, type CiSettings } from './templates.ts';
import { HeraldError } from '../../domain/herald-error.ts';

export interface InitFlags {
  readonly provider: ProviderName | undefined;
  /** The branch that is applied; by default the one that a clone starts with. */
  readonly branch: string | undefined;
}

export interface InitPorts {
  /** Of the workspace. */
  readonly files: Pick<Files, 'exists' | 'readText'>;
  /** Null if the workspace is in none. */
  readonly repository: RepositoryFiles | null;
  /** Of the Herald that CI installs. */
  readonly version: string;
}

/** What `ci init` did. */
export interface InitReport {
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

const WORKSPACE_FILE = 'herald.yaml';
const STATE_FILE = '.herald/state.db';
const BRANCH_DEFAULT = 'main';

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
  const origin = readOrigin(text);
  const state = stateIn(text);
  const { folder, defaultBranch } = repository;
  const branch = flags.branch ?? defaultBranch ?? BRANCH_DEFAULT;
  requirePlain('branch', branch);
  if (folder !== '') requirePlain('folder', folder);
  const settings: CiSettings = {
    folder,
    branch,
    origin: origin.kind === 'origin' ? origin.origin : null,
    database: typeof state === 'object' && 'postgres' in state ? state.postgres : null,
    hasLfs: await usesLfs(repository),
  };
  const path = ciFilePath(provider, folder);
  const existing = await repository.read(path);
  const file = ciFile(provider, settings, existing);
  if (file === null) throw withoutMarks(path, folder);
  if (file !== existing) await repository.write(path, file);
  const isSimulated = origin.kind === 'simulator';
  const next = nextSteps({
    provider,
    path,
    version,
    isInstalled: await isInstalled(repository),
    needsAddress: origin.kind === 'unknown',
    isSimulated,
    state,
    hasOwnState: await files.exists(STATE_FILE),
    branch,
  });
  const did = existing === null ? 'wrote' : existing === file ? 'nothing' : 'updated';
  return { provider, path, did, settings, state, isSimulated, next };
}

async function workspaceText(files: InitPorts['files']): Promise<string> {
  if (!(await files.exists(WORKSPACE_FILE)))
    throw new HeraldError(
      'not-found',
      `This folder has no ${WORKSPACE_FILE}.`,
      'Run it in the folder of the workspace, such as: herald -C my-agency ci init',
    );
  return files.readText(WORKSPACE_FILE);
}

function stateIn(text: string): StateSettings {
  const state = readState(text);
  if (state !== null) return state;
  throw new HeraldError(
    'invalid-files',
    `state: of ${WORKSPACE_FILE} has errors.`,
    formatCommand('validate'),
  );
}

/** The names go into YAML and into commands. */
function requirePlain(what: string, name: string): void {
  if (isPlainName(name)) return;
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
