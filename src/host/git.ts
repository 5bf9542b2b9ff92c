import { HeraldError } from '../domain/herald-error.ts';
import { relative, resolve, sep } from 'node:path';
import type { Env, FileFacts, CommitTree, FileAt, Repository } from '../domain/ports.ts';
import { isLfsPointer } from '../domain/text.ts';
import { filterFiles } from './files.ts';
import { devNull } from 'node:os';
import { execFile, type ExecFileException } from 'node:child_process';

/** How to get all commits at the checkout, for both providers. */
const FULL_HISTORY =
  'Fetch the history at the checkout. GitHub: add "fetch-depth: 0" below "with:" of actions/checkout. GitLab: set GIT_DEPTH: "0" below "variables:".';

/** A full id: SHA-1, or SHA-256 in repositories that use it. */
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** What `ls-tree -l` prints for a regular file, up to its path. Links and submodules lead elsewhere. */
const REGULAR = /^100(?:644|755|664) blob ([0-9a-f]+) +(\d+)\t([^\0]*)$/;

/** A repository may name its own program for this. */
const UPLOAD_PACK = '--upload-pack=git-upload-pack';

/**
 * Runs the program `git`, with its arguments as a list and without a shell, and overrides everything in the repository's
 * configuration that runs programs.
 */
export class GitRepository implements Repository {
  readonly #place: GitPlace;
  readonly folder: string;

  private constructor(place: GitPlace, folder: string) {
    this.#place = place;
    this.folder = folder;
  }

  /**
   * The repository that the directory is in. Rejects with `git-…` without git or a repository, or if git does not trust the
   * owner of the folder.
   */
  static async open(place: GitPlace): Promise<GitRepository> {
    const asked = await runGit(place, ['rev-parse', '--show-prefix']);
    if (asked.exitCode !== 0) throw notARepository(place.directory, asked.stderr);
    const folder = asked.stdout.toString('utf8').replace(/\n$/, '').replace(/\/$/, '');
    return new GitRepository(place, folder);
  }

  async commitOf(revision: string): Promise<string | null> {
    const commit = `${revision}^{commit}`;
    const found = await this.#git('rev-parse', '--verify', '--quiet', '--end-of-options', commit);
    const id = found.stdout.toString('utf8').trim();
    return found.exitCode === 0 && FULL_ID.test(id) ? id : null;
  }

  async parentsOf(revision: string): Promise<readonly string[]> {
    const raw = await this.#read('cat-file', 'commit', await this.#idOf(revision));
    // A cut history hides parents from `git log`, but not from the commit itself.
    const head = raw.slice(0, raw.indexOf('\n\n'));
    return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = '']) => id);
  }

  async fetchCommit(commit: string): Promise<void> {
    if ((await this.commitOf(commit)) !== null) return;
    if (!FULL_ID.test(commit)) throw missingCommit(commit);
    await this.#fetch(commit);
    if ((await this.commitOf(commit)) === null) throw missingCommit(commit);
  }

  async remoteTip(branch: string | null) {
    // Prints HEAD where no branch is checked out. That of the remote is its default branch.
    const wanted = branch ?? (await this.#read('rev-parse', '--abbrev-ref', 'HEAD')).trim();
    const ref = wanted === 'HEAD' ? wanted : `refs/heads/${wanted}`;
    const url = await this.#remote();
    const asked = await this.#git('ls-remote', UPLOAD_PACK, '--end-of-options', url, ref);
    const lines = asked.stdout.toString('utf8').split('\n');
    // Git matches the end of names as well.
    const commit = lines.find((line) => line.endsWith(`\t${ref}`))?.split('\t')[0];
    if (asked.exitCode !== 0 || commit === undefined)
      throw new HeraldError(
        'git-commit-missing',
        `The remote has no branch ${wanted}, or it cannot be read: ${shortenOutput(asked.stderr)}`,
        'Name the branch that is applied with --branch, and check that git fetch works in this job.',
      );
    await this.fetchCommit(commit);
    return { commit, branch: wanted };
  }

  async mergeBase(left: string, right: string): Promise<string | null> {
    const found = await this.#git('merge-base', ...(await this.#withHistory(left, right)));
    return isYes(found, 'merge-base') ? found.stdout.toString('utf8').trim() : null;
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    const ids = await this.#withHistory(older, newer);
    return isYes(await this.#git('merge-base', '--is-ancestor', ...ids), 'merge-base --is-ancestor');
  }

  async commitsSince(older: string, newer: string, max: number): Promise<readonly string[]> {
    const [from = '', to = ''] = await this.#withHistory(older, newer);
    const how = ['--first-parent', `--max-count=${max}`, '--end-of-options'];
    const listed = await this.#read('rev-list', ...how, to, `^${from}`);
    return listed.split('\n').filter((commit) => commit !== '');
  }

  async treeOf(commit: string): Promise<CommitTree> {
    return readTree(this.#place, this.folder, await this.#idOf(commit));
  }

  async fileAt(commit: string, file: string): Promise<FileAt> {
    const path = this.folder === '' ? file : `${this.folder}/${file}`;
    const steps = path.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
    // Git lists each step that is not a folder, so a link on the way is not taken for an absent file.
    const id = await this.#idOf(commit);
    const listed = await this.#read('ls-tree', '-l', '-z', '--full-tree', id, '--', ...steps);
    // It lists what else is in these folders, too.
    const found = listed.split('\0').find((entry) => steps.includes(entry.slice(entry.indexOf('\t') + 1)));
    if (found === undefined) return { kind: 'absent' };
    const [, blob, , at] = REGULAR.exec(found) ?? [];
    if (blob === undefined || at !== path) return { kind: 'irregular' };
    return { kind: 'regular', text: await this.#read('cat-file', 'blob', blob) };
  }

  #git(...args: readonly string[]): Promise<GitEnd> {
    return runGit(this.#place, args);
  }

  async #read(command: string, ...args: readonly string[]): Promise<string> {
    return readOutput(await this.#git(command, ...args), command);
  }

  async #idOf(revision: string): Promise<string> {
    const id = await this.commitOf(revision);
    if (id === null) throw missingCommit(revision);
    return id;
  }

  /** True if the history of commits was cut, as in a checkout with a depth. */
  async #isShallow(): Promise<boolean> {
    return (await this.#read('rev-parse', '--is-shallow-repository')).trim() === 'true';
  }

  /** The address of `origin`: its name would bring its own settings. */
  async #remote(): Promise<string> {
    const { exitCode, stdout } = await this.#git('config', '--get', 'remote.origin.url');
    if (exitCode !== 0)
      throw new HeraldError(
        'git-commit-missing',
        'A commit is not in this clone, and the clone has no remote named origin to fetch it from.',
        'git remote add origin URL',
      );
    return stdout.toString('utf8').replace(/\n$/, '');
  }

  /** Fetches a commit by its id, and the history that the clone lacks. Changes no branch, tag or file. */
  async #fetch(commit: string): Promise<void> {
    const url = await this.#remote();
    const how = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', UPLOAD_PACK];
    const whole = (await this.#isShallow()) ? ['--unshallow'] : [];
    const end = await this.#git('fetch', ...how, ...whole, '--end-of-options', url, commit);
    if (end.exitCode === 0) return;
    throw new HeraldError(
      'git-commit-missing',
      `Commit ${commit.slice(0, 12)} cannot be fetched: ${shortenOutput(end.stderr)}`,
      FULL_HISTORY,
    );
  }

  /** The ids of two commits, once both are here with all of their history. */
  async #withHistory(left: string, right: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const revision of [left, right]) {
      await this.fetchCommit(revision);
      ids.push(await this.#idOf(revision));
      if (await this.#isShallow()) await this.#fetch(ids.at(-1) ?? '');
    }
    return ids;
  }
}

/** Git answers with 0 for yes and 1 for no; anything else is a failure. */
function isYes(end: GitEnd, command: string): boolean {
  if (end.exitCode > 1) readOutput(end, command);
  return end.exitCode === 0;
}

function missingCommit(commit: string): HeraldError {
  return new HeraldError(
    'git-commit-missing',
    `Commit ${commit.slice(0, 12)} is not in this clone, and the remote does not have it either.`,
    FULL_HISTORY,
  );
}

/** A pointer of Git LFS is shorter. */
const POINTER_BYTES_MAX = 1024;

interface Blob {
  readonly id: string;
  readonly size: number;
}

/** The files below a folder as a commit has them. A folder that it does not have is empty. */
async function readTree(place: GitPlace, folder: string, commit: string): Promise<CommitTree> {
  const blobs = await listBlobs(place, folder, commit);
  const texts = new Map<string, Buffer>();
  const blobAt = (path: string): Blob => {
    const blob = blobs.get(cleanPath(path));
    if (blob !== undefined) return blob;
    const message = `ENOENT: no such file in commit ${commit.slice(0, 12)}, '${path}'`;
    throw Object.assign(new Error(message), { code: 'ENOENT' });
  };
  const read = async (id: string) =>
    texts.get(id) ?? (await readBlobs(place, [id])).get(id) ?? Buffer.alloc(0);
  return {
    files: {
      readText: async (path) => (await read(blobAt(path).id)).toString('utf8'),
      // What is found is read next: all of it at once, by one run of git.
      glob: async (patterns) => {
        const found = filterFiles(patterns, blobs.keys());
        const ids = found.map((path) => blobAt(path).id).filter((id) => !texts.has(id));
        for (const [id, bytes] of await readBlobs(place, ids)) texts.set(id, bytes);
        return found;
      },
      exists: async (path) => blobs.has(cleanPath(path)),
      leadsTo: async (path) => cleanPath(path),
      writeAtomically: () =>
        Promise.reject(new Error(`the files of commit ${commit.slice(0, 12)} cannot be written`)),
    },
    bytes: {
      stat: async (path) => {
        const { id, size } = blobAt(path);
        const file = size > POINTER_BYTES_MAX ? null : readLfsPointer((await read(id)).toString('utf8'));
        return { isFile: true, isDirectory: false, size, changedMs: 0, ...file };
      },
      readBytes: async function* (path, { start, length }) {
        yield (await read(blobAt(path).id)).subarray(start, start + length);
      },
    },
  };
}

/** The file that a pointer of Git LFS stands for. Null for any other text. */
function readLfsPointer(text: string): Pick<FileFacts, 'digest' | 'size'> | null {
  const lines = /^oid (sha256:[0-9a-f]{64})\nsize ([1-9]\d{0,14})\n$/m.exec(text);
  const [, digest = '', size] = isLfsPointer(text) ? (lines ?? []) : [];
  return digest === '' ? null : { digest, size: Number(size) };
}

async function listBlobs(
  place: GitPlace,
  folder: string,
  commit: string,
): Promise<ReadonlyMap<string, Blob>> {
  const tree = `${commit}:${folder}`;
  const root = await runGit(place, ['rev-parse', '--verify', '--quiet', tree]);
  // The workspace is new.
  if (root.exitCode !== 0) return new Map();
  const listed = await runGit(place, ['ls-tree', '-r', '-l', '-z', '--full-tree', tree]);
  const found = new Map<string, Blob>();
  for (const entry of readOutput(listed, 'ls-tree').split('\0')) {
    const [, id, size, path] = REGULAR.exec(entry) ?? [];
    if (id !== undefined && path !== undefined) found.set(path, { id, size: Number(size) });
  }
  return found;
}

/** Whole files by their ids, in one run of git. */
async function readBlobs(place: GitPlace, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (ids.length === 0) return found;
  const { stdout } = await runGit(place, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
  let at = 0;
  for (const id of ids) {
    const start = stdout.indexOf('\n', at) + 1;
    const header = stdout.subarray(at, start).toString('utf8').trim();
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1];
    if (size === undefined)
      throw new HeraldError(
        'git-failed',
        `A file of a commit cannot be read: ${header}.`,
        'Check the repository: git fsck',
      );
    found.set(id, stdout.subarray(start, start + Number(size)));
    // A line break ends each file.
    at = start + Number(size) + 1;
  }
  return found;
}

/** Stands for the folder of the workspace. */
const ROOT = resolve('/tree');

/** As in a folder, without `./` and double slashes. Does not leave the folder. */
function cleanPath(path: string): string {
  return relative(ROOT, resolve(ROOT, path)).replaceAll(sep, '/');
}

/** Variables that git and its transports need. The API key and other secrets stay out, and so does what would move git. */
const KEPT_VARIABLES =
  /^(?:path|pathext|home|userprofile|systemroot|temp|tmpdir|xdg_config_home|ssh_auth_sock|(?:https?|all|no)_proxy|git_ssl_cainfo|git_config_(?:global|system)|ssl_cert_(?:file|dir))$/i;

/** git asks no questions, replaces no objects, fetches only what Herald asks for, and prints English. */
const OWN_VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PROTOCOL_FROM_USER: '0',
  // `ext::` runs any program, and `git://` may have one for its proxy.
  GIT_ALLOW_PROTOCOL: 'https:http:ssh:file',
};

/** Anyone who could write to the folder may have configured these. Whatever runs a program is overridden. */
const OWN_CONFIGURATION: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'core.sshCommand': 'ssh',
  'core.askPass': '',
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.gitProxy': '',
  'core.alternateRefsCommand': ':',
  'credential.helper': '',
  'diff.external': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'fetch.recurseSubmodules': 'false',
  'fetch.writeCommitGraph': 'false',
  'submodule.recurse': 'false',
  'protocol.version': '2',
};

const CONFIGURED = Object.entries(OWN_CONFIGURATION).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

interface GitPlace {
  readonly directory: string;
  readonly env: Env;
}

interface GitEnd {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** Without the user names and passwords of addresses: `https://user:token@host`. */
  readonly stderr: string;
}

/** No list of files, no commit and no file of a workspace is larger. */
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

/** Longer than a fetch of a large repository takes. */
const GIT_MAX_MS = 5 * 60_000;

/** Runs git to its end, with `input` as its standard input. Rejects only if it cannot run, or does not end. */
export function runGit({ directory, env }: GitPlace, args: readonly string[], input = ''): Promise<GitEnd> {
  const kept = Object.entries(env).filter(([name]) => KEPT_VARIABLES.test(name));
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['--no-pager', ...CONFIGURED, ...args],
      {
        cwd: directory,
        env: { ...Object.fromEntries(kept), ...OWN_VARIABLES, ...gitLabLogin(env, args[0] === 'push') },
        encoding: 'buffer',
        maxBuffer: OUTPUT_BYTES_MAX,
        timeout: GIT_MAX_MS,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : error.code;
        const hidden = stderr.toString('utf8').replace(/:\/\/[^/\s@]*@/g, '://***@');
        if (typeof exitCode !== 'number') reject(explainFailure(args[0] ?? '', error));
        else resolve({ exitCode, stdout, stderr: hidden });
      },
    );
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/**
 * What a job of GitLab logs in with. Its own token reads, also where the runner keeps it out of the address of the remote. It cannot
 * push by default, so the token that pushes the branch of the state is another one, for the job of the apply only. As variables, both
 * are in no argument, no file and no address, and git sends them to the server of this job only.
 */
function gitLabLogin(env: Env, isPush: boolean): Readonly<Record<string, string>> {
  const { GITLAB_CI: job, CI_SERVER_URL: server, CI_PROJECT_URL: project = '' } = env;
  const pushToken = isPush ? (env['HERALD_GITLAB_PUSH_TOKEN'] ?? '').trim() : '';
  const token = pushToken === '' ? (env['CI_JOB_TOKEN'] ?? '') : pushToken;
  if (job !== 'true' || token === '' || server === undefined) return {};
  const login = `${pushToken === '' ? 'gitlab-ci-token' : 'oauth2'}:${token}`;
  return {
    GIT_CONFIG_COUNT: pushToken === '' ? '1' : '2',
    GIT_CONFIG_KEY_0: `http.${server.replace(/\/+$/, '')}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(login).toString('base64')}`,
    GIT_CONFIG_KEY_1: 'remote.origin.pushurl',
    GIT_CONFIG_VALUE_1: `${project}.git`,
  };
}

/** The error for a git that did not start, or did not end by itself. */
function explainFailure(command: string, error: ExecFileException | null): HeraldError {
  if (error?.code === 'ENOENT')
    return new HeraldError(
      'git-missing',
      'The program git was not found, or the folder does not exist.',
      'Install git in this job, then check: git --version',
    );
  // Its message would quote all arguments.
  const why = String(error?.code ?? error?.signal);
  return new HeraldError(
    'git-failed',
    `git ${command} failed: ${why}. It may take ${GIT_MAX_MS / 60_000} minutes and print ${OUTPUT_BYTES_MAX / 1024 / 1024} MiB.`,
    'Check git, and the connection to the repository: git fetch --dry-run',
  );
}

/** The error for a directory in which git finds no repository that it would use. It says itself how to trust a folder of another user. */
function notARepository(directory: string, stderr: string): HeraldError {
  return new HeraldError(
    'git-no-repository',
    `git finds no repository that it may use in ${directory}: ${shortenOutput(stderr)}`,
    'Run the command in a clone of the repository, and check: git status. To plan without one, leave out --scope changed.',
  );
}

/** The output as text. Throws for a git that ran and refused. */
function readOutput({ exitCode, stdout, stderr }: GitEnd, command: string): string {
  if (exitCode === 0) return stdout.toString('utf8');
  throw new HeraldError(
    'git-failed',
    `git ${command} failed with exit code ${exitCode}: ${shortenOutput(stderr)}`,
    'Check the repository: git fsck',
  );
}

/** Longer outputs of git repeat themselves. */
const OUTPUT_LENGTH_MAX = 300;

/** The end of what git printed, in one line. */
function shortenOutput(stderr: string): string {
  const text = stderr.replace(/\s+/g, ' ').trim().slice(-OUTPUT_LENGTH_MAX);
  return text === '' ? 'it gave no reason.' : text.replace(/[.]?$/, '.');
}
