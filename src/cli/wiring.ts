import { homedir, hostname, userInfo } from 'node:os';
import { basename, resolve } from 'node:path';
import type { GlobalFlags, InterruptWords, Surroundings } from './context.ts';
import { formatCommand } from '../domain/command-line.ts';
import { shown } from '../domain/visible.ts';
import { ask, whileHearing } from '../host/ask.ts';
import { typedFiles, trustedOrigins, repositoryFiles } from '../host/files.ts';
import type { EndSignal, Host } from '../host/host.ts';
import { createOutput } from '../host/output.ts';
import { nodePorts } from '../library/ports.ts';
import { jobUrl, nameRunner } from '../provider/job.ts';

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
