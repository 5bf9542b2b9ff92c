import type {
  ByteFiles,
  Output,
  Question,
  Repository,
  RepositoryFiles,
  TrustedOrigins,
  TypedFiles,
} from '../domain/ports.ts';
import { nodePorts, type WorkspacePorts } from '../library/ports.ts';
import { homedir, hostname, userInfo } from 'node:os';
import { basename, resolve } from 'node:path';
import { formatCommand } from '../domain/command-line.ts';
import { shown } from '../domain/visible.ts';
import { ask, whileHearing } from '../host/ask.ts';
import { repositoryFiles, trustedOrigins, typedFiles } from '../host/files.ts';
import type { EndSignal, Host } from '../host/host.ts';
import { createOutput } from '../host/output.ts';
import { jobUrl, nameRunner } from '../provider/job.ts';

export interface InterruptWords {
  readonly first: string;
  readonly second: string;
}

/** What a run asks and tells: made of the rest, in `run-program.ts`. */
export type RunPorts = Pick<
  WorkspacePorts,
  'lockTimeoutMs' | 'readKey' | 'mayReceiveKey' | 'log' | 'report' | 'followUpload'
>;

/** What a command gets. It is a program of the library, so it has all that the library needs. */
export interface Context extends Surroundings, RunPorts {}

/** What a command needs from its environment. Made once, by `readSurroundings`. */
export interface Surroundings extends Omit<WorkspacePorts, keyof RunPorts> {
  /** Name of the workspace's folder. */
  readonly workspace: string;
  /** Files at paths that the user typed; they may be outside the workspace. */
  readonly typed: { readonly files: TypedFiles; readonly bytes: ByteFiles };
  readonly output: Output;
  readonly trusted: TrustedOrigins;
  /** Runs work in which an interrupt waits for the current request. Elsewhere it ends the process. */
  readonly protect: <Result>(work: () => Promise<Result>, words?: InterruptWords) => Promise<Result>;
  /** True with a terminal on which a question can be answered. */
  readonly interactive: boolean;
  /** True for a yes on the terminal. Rejects with `QuestionLeftError` if the question is not answered. */
  readonly confirm: (question: Question) => Promise<boolean>;
  /** All of standard input as text. */
  readonly readInput: () => Promise<string>;
  /** The user, and a name for this run, for the state. */
  readonly identity: { readonly run: string; readonly who: string };
  /** What git says of the workspace: `owner/name:folder` for each remote. Tells its clones from other repositories. */
  readonly remotes: () => readonly string[];
  /** The repository that the workspace is in. Rejects with `git-…` where there is none. */
  readonly repository: () => Promise<Repository>;
  /** The files of the git repository around the workspace. Null without one. */
  readonly repositoryFiles: () => RepositoryFiles | null;
  /** Version of the running Node: `v20.20.2`. */
  readonly nodeVersion: string;
  readonly flags: GlobalFlags;
}

/** The flags of every command. */
export interface GlobalFlags {
  readonly format?: string;
  readonly verbose: boolean;
  readonly apiKeyFile?: string;
  /** How long to wait for a lease that another run has, in milliseconds. Left out: the default. */
  readonly lockTimeout?: number;
  /** Directories of `-C`. Each is relative to the one before, the first to the working directory. */
  readonly chdir: readonly string[];
  readonly color: boolean;
  readonly quiet: boolean;
}

/** What one command has around it. */
export function readSurroundings(host: Host, flags: GlobalFlags): Surroundings {
  const who = nameRunner(host.env, userName);
  const job = jobUrl(host.env);
  const directory = resolve(host.cwd(), ...flags.chdir);
  const { stdout, stderr, env } = host;
  const output = createOutput({ stdout, stderr, env, directory, noColour: !flags.color, quiet: flags.quiet });
  // Only the environment can allow files elsewhere: the files of a workspace may be shared with others.
  const isFree = env['HERALD_ALLOW_OUTSIDE'] === '1';
  const typed = typedFiles(directory, isFree);
  const interruption = interrupts(host, output);
  const process = [`process ${host.pid} on ${hostname()}`, ...(job === null ? [] : [job])].join(', ');
  return {
    ...nodePorts({ directory, env, who, process, isFree }),
    workspace: basename(directory),
    typed: { files: typed, bytes: typed },
    output,
    trusted: trustedOrigins(env, homedir()),
    env,
    ...interruption,
    onChange: () => host.onChange?.(),
    interactive: host.terminal !== undefined && host.stdin.isTTY === true && host.stderr.isTTY === true,
    confirm: (question) => {
      const controller = new AbortController();
      // A signal ends the question as Ctrl-C does, and restores the terminal.
      const leave = () => controller.abort();
      return whileHearing(host, leave, () => ask(question, host.terminal?.(), controller.signal));
    },
    readInput: async () => {
      const pieces: Buffer[] = [];
      for await (const piece of host.stdin) pieces.push(Buffer.from(piece));
      return Buffer.concat(pieces).toString('utf8');
    },
    // Loaded only for a command that compares commits.
    repository: async () => (await import('../host/git.ts')).GitRepository.open({ directory, env }),
    repositoryFiles: () => repositoryFiles(directory),
    nodeVersion: host.version,
    flags,
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

const INTERRUPTED = 130;
const interruptWords = (): InterruptWords => ({
  first: 'Interrupted. Finishing the current request. Press Ctrl-C again to quit immediately.',
  second: `Stopped immediately. The last request is unconfirmed; ${formatCommand('state', 'show')} shows it.`,
});

/**
 * Outside protected work, an interrupt ends the process immediately. Inside, the first one waits for the current
 * request and stops the rest. The second one ends the process; its request stays unconfirmed in the state.
 */
function interrupts(
  host: Host,
  output: Surroundings['output'],
): Pick<Surroundings, 'interrupted' | 'protect'> {
  const controller = new AbortController();
  // Begins a new line, below the terminal's ^C and any progress line.
  const say = (words: string) => output.fail(shown`\n${words}`);
  const protect: Surroundings['protect'] = (work, words = interruptWords()) => {
    const onInterrupt = (signal: EndSignal) => {
      if (!controller.signal.aborted) {
        say(words.first);
        controller.abort(new Error('interrupted'));
        return;
      }
      // When a terminal closes, SIGHUP may arrive twice, from the shell and from the system. The second one is not a
      // request to hurry.
      if (signal === 'SIGHUP') return;
      say(words.second);
      host.exit(INTERRUPTED);
    };
    return whileHearing(host, onInterrupt, work);
  };
  return { interrupted: controller.signal, protect };
}
