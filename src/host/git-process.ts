import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { devNull } from 'node:os';
import { GitError } from '../domain/git.ts';

/** Variables that git and its transports need. The API key and other secrets stay out, and so does what would move git. */
const KEPT_VARIABLES = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'SSH_AUTH_SOCK',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'GIT_SSL_CAINFO',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'TMPDIR',
  // Of Windows.
  'Path',
  'PATHEXT',
  'SYSTEMROOT',
  'SystemRoot',
  'USERPROFILE',
  'TEMP',
];

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

/**
 * The configuration of a repository may come from anyone who could write to its folder. Whatever in it runs a program is
 * overridden here.
 */
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

type Env = Readonly<Record<string, string | undefined>>;

/** Where and with which environment git runs. */
export interface GitPlace {
  readonly directory: string;
  readonly env: Env;
}

/** A running git. */
export type GitChild = ChildProcessWithoutNullStreams;

/** How a run of git ended. */
export interface GitEnd {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** Without user names and passwords of addresses. */
  readonly stderr: string;
}

/** No list of files and no commit is larger. */
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
const STDERR_BYTES_MAX = 64 * 1024;

/** Longer than a fetch of a large repository takes. */
const GIT_MAX_MS = 5 * 60_000;

/** Runs git to its end, with `input` as its standard input. Rejects only if it cannot run, or does not end. */
export function runGit(place: GitPlace, args: readonly string[], input = ''): Promise<GitEnd> {
  return new Promise((resolve, reject) => {
    const child = startGit(place, args, GIT_MAX_MS);
    const [stdout, stderr] = [new Kept(OUTPUT_BYTES_MAX), new Kept(STDERR_BYTES_MAX)];
    child.stdin.on('error', () => undefined).end(input);
    child.stdout.on('data', (piece: Buffer) => {
      stdout.add(piece);
      if (stdout.isCut) child.kill('SIGKILL');
    });
    child.stderr.on('data', (piece: Buffer) => stderr.add(piece));
    child.on('error', (error) => reject(notRun(error)));
    child.on('close', (code, signal) => {
      const command = args[0] ?? '';
      if (stdout.isCut) reject(tooMuch(command));
      else if (code === null) reject(ended(command, signal));
      else resolve({ exitCode: code, stdout: stdout.bytes(), stderr: withoutPasswords(stderr.text()) });
    });
  });
}

/** Starts git. `timeoutMs` is 0 for a process that its user ends. */
export function startGit({ directory, env }: GitPlace, args: readonly string[], timeoutMs: number): GitChild {
  const kept = KEPT_VARIABLES.flatMap((name) =>
    env[name] === undefined ? [] : [[name, env[name]] as const],
  );
  return spawn('git', ['--no-pager', ...CONFIGURED, ...args], {
    cwd: directory,
    env: { ...Object.fromEntries(kept), ...OWN_VARIABLES },
    shell: false,
    windowsHide: true,
    timeout: timeoutMs,
    stdio: 'pipe',
  });
}

/** Bytes up to a limit. */
class Kept {
  readonly #limit: number;
  readonly #pieces: Buffer[] = [];
  #length = 0;
  isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(piece: Buffer): void {
    const space = this.#limit - this.#length;
    this.isCut ||= piece.length > space;
    if (space <= 0) return;
    this.#pieces.push(piece.subarray(0, space));
    this.#length += Math.min(piece.length, space);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  text(): string {
    return this.bytes().toString('utf8');
  }
}

/** The error for a git that did not start. */
export function notRun(error: NodeJS.ErrnoException): GitError {
  if (error.code === 'ENOENT')
    return new GitError(
      'git-missing',
      'The program git was not found, or the folder does not exist.',
      'Install git in this job, then check: git --version',
    );
  return new GitError('git-failed', `The program git cannot run: ${error.message}.`, 'Check: git --version');
}

function tooMuch(command: string): GitError {
  const most = `${OUTPUT_BYTES_MAX / 1024 / 1024} MiB`;
  return new GitError(
    'git-failed',
    `git ${command} printed more than ${most}.`,
    'Run without --scope changed.',
  );
}

function ended(command: string, signal: NodeJS.Signals | null): GitError {
  return new GitError(
    'git-failed',
    `git ${command} was ended by ${signal ?? 'the system'} after at most ${GIT_MAX_MS / 60_000} minutes.`,
    'Check the connection to the repository, then run the command again.',
  );
}

/** Addresses of remotes may hold a token: `https://user:token@host`. */
function withoutPasswords(text: string): string {
  return text.replace(/:\/\/[^/\s@]*@/g, '://***@');
}
