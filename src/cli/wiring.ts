import { homedir, hostname, userInfo } from 'node:os';
import { basename, resolve } from 'node:path';
import type { GlobalFlags, InterruptWords, Surroundings } from './context.ts';
import { formatCommand } from '../domain/command-line.ts';
import { shown } from '../domain/visible.ts';
import { ask, whileHearing } from '../host/ask.ts';
import { anywhereFrom, confinedTo, typedTo } from '../host/confined.ts';
import { typedFiles, workspaceBytes, trustedOrigins, repositoryFiles } from '../host/files.ts';
import type { EndSignal, Host } from '../host/host.ts';
import { createOutput, gitHubAnnotations, secretsIn } from '../host/output.ts';
import { nodePorts } from '../library/ports.ts';
import { jobUrl, nameRunner } from '../provider/job.ts';

/** What one command has around it. */
export function readSurroundings(host: Host, flags: GlobalFlags): Surroundings {
  const who = nameRunner(host.env, userName);
  const job = jobUrl(host.env);
  const directory = resolve(host.cwd(), ...flags.chdir);
  const output = createOutput({
    secrets: secretsIn(host.env),
    stdout: host.stdout,
    stderr: host.stderr,
    noColour: !flags.color || (host.env['NO_COLOR'] ?? '') !== '',
    quiet: flags.quiet,
    forceColour: !['', '0', 'false'].includes(host.env['FORCE_COLOR'] ?? ''),
    annotation: gitHubAnnotations(host.env, directory),
    isDumb: host.env['TERM'] === 'dumb',
  });
  // Only the environment can allow files elsewhere: the files of a workspace may be shared with others.
  const isFree = host.env['HERALD_ALLOW_OUTSIDE'] === '1';
  const place = isFree ? anywhereFrom(directory) : confinedTo(directory);
  const to = isFree ? anywhereFrom(directory) : typedTo(directory);
  const interruption = interrupts(host, output);
  const process = [`process ${host.pid} on ${hostname()}`, ...(job === null ? [] : [job])].join(', ');
  return {
    ...nodePorts({ directory, env: host.env, who, process, place }),
    workspace: basename(directory),
    typed: { files: typedFiles(directory, to), bytes: workspaceBytes(directory, anywhereFrom(directory)) },
    output,
    trusted: trustedOrigins(host.env, homedir()),
    env: host.env,
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
    repository: async () => (await import('../host/git.ts')).openRepository({ directory, env: host.env }),
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
