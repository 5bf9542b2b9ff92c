import { INDEX } from '../../src/commands/index.ts';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import type { Fetch } from '../../src/domain/ports.ts';
import { runProgram } from '../../src/cli/run-program.ts';
import { readSurroundings } from '../../src/cli/context.ts';
import { EventStore } from '../../src/events/store.ts';
import { stateAccess } from '../../src/library/state-access.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { flowClock, type FlowClock } from '../helpers/flow-clock.ts';
import { aHost } from '../helpers/hosts.ts';
import { Dice } from '../chaos/dice.ts';
import { type Ran } from '../helpers/scene.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import { mutated } from './mutate.ts';
import { writeFiles } from '../helpers/folders.ts';

/** The secrets of the environment; none may show anywhere. */
const KEY = 'key-6f1d0c52aa77';
const SECRET = 'aws-93be71c4d508';
const ADDRESS = 'http://localhost:1';

/** One input of the fuzzer, as plain data that can be kept in a file. */
export interface Input {
  /** Text by path. */
  readonly files: Readonly<Record<string, string>>;
  /** What links of the workspace lead to, by path; `outside/…` is next to the workspace. */
  readonly links?: Readonly<Record<string, string>>;
  readonly commands: readonly (readonly string[])[];
  /** Whether HERALD_BASE_URL names the service; the files do it otherwise. */
  readonly pinned: boolean;
  /** What is odd about the answers of the service, by their number. */
  readonly answers?: Readonly<Record<number, OddAnswer>>;
}

/** Another answer in place of the true one, or the true one with its body mutated by the dice of this seed. */
type OddAnswer = { readonly status: number; readonly body: string } | { readonly mutatedBy: number };

/** An address of this machine needs no trust. */
const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$|\.localhost$/;
const EXITS = new Set([0, 1, 2, 3, 4, 5, 130]);
const BUG = /bug in Herald|"internal-error"|\n {4}at .+:\d+:\d+/;
const OBEYED =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|^\s*::[a-z]|##\[|##vso\[/im;

/** Runs the commands of an input one after the other; null, or what is wrong with what they did. */
export async function play(input: Input): Promise<string | null> {
  const stage = aStage(input);
  try {
    for (const command of input.commands) {
      const ran = await stage.run(command);
      const problem = problemOf(ran, command) ?? stage.trace();
      if (problem !== null) return `herald ${command.join(' ')}: ${problem}\n${ran.stdout}\n${ran.stderr}`;
    }
    return null;
  } finally {
    stage.close();
  }
}

function problemOf({ code, stdout, stderr }: Ran, command: readonly string[]): string | null {
  const said = `${stdout}\n${stderr}`;
  if (!EXITS.has(code)) return `ends with ${code}`;
  if (BUG.test(said)) return 'a bug message or a stack trace';
  if (said.includes(KEY) || said.includes(SECRET)) return 'a secret in the output';
  const steers = OBEYED.exec(said);
  if (steers !== null) return `steers the terminal or a CI runner: ${JSON.stringify(steers[0])}`;
  if (asksForJson(command) && stdout.trim() !== '' && !isJson(stdout)) return 'no JSON document';
  if (process.memoryUsage.rss() > 1_000_000_000) return 'over 1 GB of memory';
  return null;
}

/** The last format counts; help and scripts for shells are the same in every format. */
function asksForJson(command: readonly string[]): boolean {
  if (command.some((word) => /^(?:--help|-h|help|completion)$/.test(word))) return false;
  return command.findLast((word) => word.startsWith('--format')) === '--format=json';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A workspace on the disk, with the confinement of the real command line, and a service in this process. */
export function aStage({ files, links = {}, pinned, answers = {} }: Omit<Input, 'commands'>) {
  const root = mkdtempSync(join(tmpdir(), 'herald-fuzz-'));
  const directory = join(root, 'workspace');
  const outside = join(root, 'outside');
  writeFiles(directory, files);
  writeFiles(outside, { 'private.txt': 'private\n' });
  for (const [path, aim] of Object.entries(links)) link(root, join(directory, path), aim);
  const before = textsIn(outside);
  const clock = flowClock();
  const env = {
    HERALD_API_KEY: KEY,
    AWS_SECRET_ACCESS_KEY: SECRET,
    ...(pinned ? { HERALD_BASE_URL: ADDRESS } : {}),
  };
  const strangers: string[] = [];
  const network = answering(clock, answers, strangers);
  let runs = 0;
  return {
    /** The text of a file, as the commands left it. */
    read: (path: string) => readFileSync(join(directory, path), 'utf8'),
    close: () => rmSync(root, { recursive: true, force: true }),
    /** What was left behind where nothing may be: outside the workspace, or a secret in a file. */
    trace: () => {
      if (strangers.length > 0) return `a request to ${strangers[0]}`;
      if (textsIn(outside) !== before) return 'a file outside the workspace was touched';
      const texts = textsIn(directory);
      return texts.includes(SECRET) || texts.includes(KEY) ? 'a secret in a file' : null;
    },
    run: async (args: readonly string[]): Promise<Ran> => {
      const said = { stdout: '', stderr: '' };
      const host = aHost({
        env,
        cwd: () => directory,
        stdin: Readable.from(['words']),
        stdout: { write: (text) => (said.stdout += text) },
        stderr: { write: (text) => (said.stderr += text) },
      });
      runs += 1;
      const identity = { run: `run${runs}`, who: 'fuzz' };
      const repository = () => Promise.reject(new HeraldError('git-no-repository', 'not a git repository'));
      const code = await runProgram(
        args,
        host,
        (flags) => {
          const real = readSurroundings(host, { ...flags, chdir: [] });
          const state = stateAccess({
            clock,
            files: real.files,
            directory,
            env,
            identity,
            process: 'process 1 on here',
            git: repository,
          });
          return {
            ...real,
            clock,
            state,
            network,
            identity,
            repository,
            random: () => 0,
            events: new EventStore({ location: state.location, directory, clock }),
            trusted: { path: 'trusted', list: async () => [], replace: async () => undefined },
            remotes: () => [],
            repositoryFiles: () => null,
          };
        },
        INDEX,
      );
      return { code, ...said };
    },
  };
}

/** The simulator, with some of its answers exchanged. Other hosts are noted, and do not answer. */
function answering(
  clock: FlowClock,
  answers: Readonly<Record<number, OddAnswer>>,
  strangers: string[],
): Fetch {
  const world = createWorld({ keys: [{ key: KEY, permissions: 'all' }] });
  const simulator = createSimulator(world, { clock });
  let count = 0;
  return async (request) => {
    if (!request.url.startsWith(ADDRESS)) {
      const { hostname } = new URL(request.url);
      if (!LOCAL.test(hostname)) strangers.push(hostname);
      throw new TypeError('fetch failed');
    }
    count += 1;
    const answer = await simulator.fetch(request);
    const odd = answers[count];
    return odd === undefined ? answer : oddAnswer(odd, answer);
  };
}

async function oddAnswer(odd: OddAnswer, answer: Response): Promise<Response> {
  const [status, body] =
    'body' in odd
      ? [odd.status, odd.body]
      : [answer.status, mutated(await answer.text(), JSON.parse, new Dice(odd.mutatedBy))];
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? body : null, { status, headers: answer.headers });
}

/** A link in place of what is there. One below a link may have no place: then there is one less. */
function link(root: string, path: string, aim: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
    symlinkSync(aim.startsWith('/') ? aim : relative(dirname(path), join(root, aim)) || '.', path);
  } catch {
    // The folder leads nowhere, or cannot be written to.
  }
}

/** All texts below a folder with their paths; links are not followed. */
function textsIn(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files
    .toSorted()
    .map((path) => `${path}\n${readFileSync(path, 'latin1')}`)
    .join('\n');
}
