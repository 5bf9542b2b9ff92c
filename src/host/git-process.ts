import { HeraldError } from '../domain/herald-error.ts';
import { execFile, type ExecFileException } from 'node:child_process';
import { devNull } from 'node:os';

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

/** How a run of git ended. */
export interface GitEnd {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** Without user names and passwords of addresses. */
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
        env: {
          ...Object.fromEntries(kept),
          ...OWN_VARIABLES,
          ...(args[0] === 'push' ? gitLabLogin(env) : {}),
        },
        encoding: 'buffer',
        maxBuffer: OUTPUT_BYTES_MAX,
        timeout: GIT_MAX_MS,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : error.code;
        if (typeof exitCode !== 'number') reject(explainFailure(args[0] ?? '', error));
        else resolve({ exitCode, stdout, stderr: hidePasswords(stderr.toString('utf8')) });
      },
    );
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/**
 * The token that GitLab gives to a job cannot push by default, and is a part of the address of its remote. As variables, the other
 * token is in no argument, no file and no address, and git sends it to the server of this job only.
 */
function gitLabLogin(env: Env): Readonly<Record<string, string>> {
  const {
    GITLAB_CI: job,
    HERALD_GITLAB_TOKEN: token = '',
    CI_SERVER_URL: server,
    CI_PROJECT_URL: project,
  } = env;
  if (job !== 'true' || token === '' || server === undefined || project === undefined) return {};
  return {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: `http.${server.replace(/\/+$/, '')}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`oauth2:${token.trim()}`).toString('base64')}`,
    GIT_CONFIG_KEY_1: 'remote.origin.pushurl',
    GIT_CONFIG_VALUE_1: `${project}.git`,
  };
}

/** Addresses of remotes may hold a token: `https://user:token@host`. */
function hidePasswords(text: string): string {
  return text.replace(/:\/\/[^/\s@]*@/g, '://***@');
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
export function notARepository(directory: string, stderr: string): HeraldError {
  return new HeraldError(
    'git-no-repository',
    `git finds no repository that it may use in ${directory}: ${shortenOutput(stderr)}`,
    'Run the command in a clone of the repository, and check: git status. To plan without one, leave out --scope changed.',
  );
}

/** The output as text. Throws for a git that ran and refused. */
export function readOutput({ exitCode, stdout, stderr }: GitEnd, command: string): string {
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
export function shortenOutput(stderr: string): string {
  const text = stderr.replace(/\s+/g, ' ').trim().slice(-OUTPUT_LENGTH_MAX);
  return text === '' ? 'it gave no reason.' : text.replace(/[.]?$/, '.');
}
