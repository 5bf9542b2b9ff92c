import { hostname, userInfo } from 'node:os';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Context, GlobalFlags } from './context.ts';
import { systemClock } from './host/clock.ts';
import { workspaceFiles } from './host/files.ts';
import { createOutput, type TextStream } from './host/output.ts';
import { VERSION } from './version.ts';

/** What the process offers; `process` itself in the command line, values of the test's in tests. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  cwd(): string;
  kill(pid: number, signal: 0): unknown;
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): never;
}

/** Runs one command line and resolves with its exit code. Nothing is thrown for a user's mistake. */
export async function run(host: Host): Promise<number> {
  const args = host.argv.slice(2);
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    host.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const { runProgram } = await import('./program.ts');
  return runProgram(args, host, (flags) => createContext(host, flags));
}

export interface WiringFlags extends GlobalFlags {
  readonly chdir: string | undefined;
  readonly noColour: boolean;
  readonly quiet: boolean;
}

/** Wires the ports for one command. */
function createContext(host: Host, flags: WiringFlags): Context {
  const noColour = flags.noColour || (host.env['NO_COLOR'] ?? '') !== '';
  const self = { pid: host.pid, host: hostname(), isAlive: (pid: number) => isAlive(host, pid) };
  const interactive = host.stdin.isTTY === true && host.stderr.isTTY === true;
  return {
    clock: systemClock,
    files: workspaceFiles(resolve(host.cwd(), flags.chdir ?? '.'), self),
    output: createOutput({ stdout: host.stdout, stderr: host.stderr, noColour, quiet: flags.quiet }),
    env: host.env,
    random: Math.random,
    ...interrupts(host),
    interactive,
    confirm: async (question) => {
      const { confirm, isCancel } = await import('@clack/prompts');
      const answer = await confirm({ message: question, initialValue: false });
      return !isCancel(answer) && answer;
    },
    readInput: async () => {
      const pieces: Buffer[] = [];
      for await (const piece of host.stdin) pieces.push(Buffer.from(piece));
      return Buffer.concat(pieces).toString('utf8');
    },
    identity: { run: newRunId(), who: whoRuns(host.env) },
    flags,
  };
}

const INTERRUPTED = 130;
const LEAVING =
  'Left at once. Whether the call in flight was carried out is not known: it stays open in the ledger, and herald plan shows it.';
const FINISHING =
  'Interrupted: what is under way is finished, nothing new begins. Once more to leave at once.';

/**
 * Outside protected work an interrupt ends the process at once. Inside, the first one lets the call in
 * flight end and stops what follows; the second ends the process and leaves the ledger's entry open.
 */
function interrupts(host: Host): Pick<Context, 'interrupted' | 'protect'> {
  const controller = new AbortController();
  const protect: Context['protect'] = async (work, words = FINISHING) => {
    const onInterrupt = () => {
      if (controller.signal.aborted) {
        host.stderr.write(`\n${LEAVING}\n`);
        host.exit(INTERRUPTED);
      }
      host.stderr.write(`\n${words}\n`);
      controller.abort(new Error('interrupted'));
    };
    host.on('SIGINT', onInterrupt);
    host.on('SIGTERM', onInterrupt);
    try {
      return await work();
    } finally {
      host.off('SIGINT', onInterrupt);
      host.off('SIGTERM', onInterrupt);
    }
  };
  return { interrupted: controller.signal, protect };
}

function isAlive(host: Host, pid: number): boolean {
  try {
    host.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** A name for one run: sortable by time, distinct between machines. */
function newRunId(): string {
  return `${new Date().toISOString().replace(/[-:.]/g, '')}-${randomUUID().slice(0, 8)}`;
}

/** Who runs Herald, for the ledger: the CI job where there is one, and the person. */
function whoRuns(env: Host['env']): string {
  const job = env['GITHUB_RUN_ID'] ?? env['CI_JOB_ID'] ?? env['BUILD_ID'];
  const person = env['GITHUB_ACTOR'] ?? env['GITLAB_USER_LOGIN'] ?? userName();
  return job === undefined ? person : `${person} (job ${job})`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
