import { applyReportShape, type ApplyReport } from '../../src/domain/change.ts';
import { withBreak } from '../helpers/memory-workspace.ts';
import { LEDGER_FILE, type Ran, type WriteWay } from '../helpers/scene.ts';
import {
  commandLine,
  forgetSavedPlan,
  hasSavedPlan,
  reviewSavedPlan,
  savingArgs,
  type CommandLine,
} from './commands.ts';
import { takeBackImport } from './files.ts';
import { judgeEnd } from './judge/end.ts';
import { forgetLifted, rememberProtected } from './judge/protection.ts';
import { hearThrottle, judgeQuiet } from './judge/quiet.ts';
import { judgeWrite } from './judge/write.ts';
import type { Connection } from './service-route.ts';
import { shasOf } from './live.ts';
import { peopleDuring, peopleAfterPlan } from './people.ts';
import type { Run } from './shape.ts';
import { count, type Actor, type Chaos, type Process, type SentWrite } from './state.ts';
import { understand } from './writes.ts';

/** How a command line ended, for the table and for the judges. */
export interface Ended {
  readonly process: Process;
  readonly ran: Ran;
  /** Null where the command prints none. */
  readonly report: ApplyReport | null;
  readonly interrupted: boolean;
}

/** Runs what a step asks for; answers how it ended, for the table. */
export async function play(chaos: Chaos, run: Run): Promise<string> {
  const actor = chaos.actors[run.operator];
  if (actor === undefined) return 'no one runs it';
  if (run.afterSec > 0) await chaos.clock.sleep(run.afterSec * 1000);
  const line = commandLine(chaos, actor, run.command);
  if (line === null) return 'nothing to do it to';
  let stale: ReadonlySet<string> = new Set();
  if (run.command.kind === 'apply' && run.command.saved) {
    forgetSavedPlan(actor);
    const plan = { ...line, args: savingArgs(line, run.command.targeting) };
    await runLine(chaos, actor, looking(run), plan, stale);
    if (!hasSavedPlan(actor)) return 'no plan';
    if (run.command.reviewed === true) reviewSavedPlan(actor);
    const changed = peopleAfterPlan(chaos, run.people);
    // A review is of each change, and not of everything with its name.
    if (run.command.reviewed !== true) stale = changed;
  }
  const end = await runLine(chaos, actor, run, line, stale);
  if (run.command.kind === 'import') takeBackImport(chaos, actor);
  return end;
}

/** A command that only looks, undisturbed; it counts as no run. */
export async function look(chaos: Chaos, { scene }: Actor, args: readonly string[]): Promise<Ran> {
  const { key } = chaos.line.open({
    cut: null,
    proxy: false,
    cutsReads: false,
    tries: ({ method, path }) => {
      chaos.violations.push({ kind: 'forbidden write', words: `a plan sent ${method} ${path}` });
    },
    asks: () => undefined,
    sent: () => undefined,
    answered: () => undefined,
    interrupt: () => undefined,
    loseLock: () => undefined,
    setClock: () => undefined,
    sleep: () => Promise.resolve(),
  });
  return scene.startAs({ env: envOf(key) }, ...args, '--format', 'json').ran;
}

/** The line knows a process by its key. */
function envOf(key: string): Readonly<Record<string, string>> {
  return { HERALD_BASE_URL: 'http://localhost:1', HERALD_API_KEY: key };
}

/** The plan before a saved apply is disturbed by nothing but faults. */
function looking(run: Run): Run {
  return { ...run, command: { kind: 'look', at: 'plan' }, cut: null, people: [] };
}

/** One command line, which may be cut short; everything that it sends and says is judged. */
async function runLine(
  chaos: Chaos,
  actor: Actor,
  run: Run,
  { args, task }: CommandLine,
  stale: Process['stale'],
): Promise<string> {
  const { scene } = actor;
  const process: Process = {
    actor,
    run,
    task,
    startedMs: chaos.simulator.control.now(),
    startedAfter: chaos.simulator.world.commits.length,
    endedMs: null,
    dead: false,
    lockLostMs: null,
    quiet: new Map(),
    ledgerRun: '',
    requests: new Set(),
    writes: [],
    tried: [],
    stale,
    disturbed: new Set(),
  };
  chaos.processes.push(process);
  let interrupted = false;
  const connection = connect(chaos, process, () => {
    interrupted = true;
    running.interrupt();
  });
  if (run.command.kind === 'apply') forgetLifted(chaos, process);
  chaos.story?.meet(connection.key, actor.name);
  const cut = run.cut === null ? '' : ` (${run.cut.how} at ${run.cut.at})`;
  chaos.story?.begins(`${actor.name} runs: herald ${args.join(' ')}${cut}`);
  const { diskMs = 0 } = chaos.scenario.operators[actor.place] ?? {};
  const running = scene.startAs(
    {
      env: envOf(connection.key),
      disk: diskMs === 0 ? undefined : () => chaos.clock.sleep(diskMs),
      lockLost: () => (process.lockLostMs === null ? null : 'another run has taken the lock'),
      gate: connection.gate,
      onWrite: onLines(actor, run, {
        kill: () => {
          running.kill();
          connection.kill();
        },
        freeze: (sec) => connection.freeze(chaos.clock.sleep(sec * 1000)),
      }),
    },
    ...args,
    ...formatOf(run),
  );
  process.ledgerRun = running.run;
  const ran = await Promise.race([running.ran, connection.died.then(() => null)]);
  process.endedMs = chaos.simulator.control.now();
  if (ran === null) {
    process.dead = true;
    running.kill();
    chaos.tell(`    the process of ${actor.name} is killed`);
    count(chaos, `cut, ${run.cut?.how ?? ''}`, 1, 'killed');
    return 'killed';
  }
  return conclude(chaos, { process, ran, report: reportIn(ran), interrupted });
}

function formatOf({ command }: Run): readonly string[] {
  return command.kind.startsWith('api ') ? [] : ['--format', 'json'];
}

function conclude(chaos: Chaos, ended: Ended): string {
  const { process, ran, report, interrupted } = ended;
  chaos.story?.ends(`${process.actor.name} ends with exit ${ran.code}`, wordsOfRun(ran, report));
  const end = report === null ? `exit ${ran.code}` : endOf(report);
  const { cut } = process.run;
  if (cut !== null && (cut.how !== 'interrupt' || interrupted)) count(chaos, `cut, ${cut.how}`, 1, end);
  judgeEnd(chaos, ended);
  if (process.run.command.kind === 'apply' && report !== null) rememberProtected(chaos, process, report);
  return end;
}

function connect(chaos: Chaos, process: Process, interrupt: () => void): Connection {
  const { simulator, clock } = chaos;
  const peopleAct = peopleDuring(chaos, process, process.run.people);
  const written = (method: string, path: string, body: string) =>
    understand(method, path, body, (accountId, id) => shasOf(simulator.world, accountId)(id));
  return chaos.line.open({
    cut: process.run.cut,
    proxy: chaos.scenario.operators[process.actor.place]?.proxy === true,
    cutsReads: keepsHouse(process.run),
    tries: ({ method, path, body }) => process.tried.push(written(method, path, body)),
    asks: (request) => {
      peopleAct(request);
      judgeQuiet(chaos, process, request.method, request.path);
    },
    sent: ({ method, path, body, request }) => {
      process.requests.add(request);
      if (method === 'GET') return;
      const sentMs = simulator.control.now();
      const write = written(method, path, body);
      const sent: SentWrite = {
        process,
        write,
        request,
        sentMs,
        machineOffMs: process.actor.clock.now() - clock.now(),
        answer: 'none yet',
      };
      judgeWrite(chaos, sent);
      process.writes.push(sent);
    },
    answered: (request, end) => {
      hearThrottle(process, simulator.world, request);
      const sent = process.writes.find((one) => one.request === request);
      if (sent === undefined) return;
      if (end === 'never left') sent.answer = end;
      else sent.answer = end === 'answer' ? answerOf(chaos, sent) : 'unconfirmed';
    },
    interrupt,
    loseLock: () => {
      process.lockLostMs = simulator.control.now();
    },
    setClock: (sec) => process.actor.clock.set(sec * 1000),
    sleep: (sec) => clock.sleep(sec * 1000),
  });
}

/** What a process can have heard of a request. */
function answerOf({ simulator: { world } }: Chaos, { request, write }: SentWrite): SentWrite['answer'] {
  const record = world.requests[request - 1];
  if (record === undefined) return 'unconfirmed';
  const { status, fault } = record;
  if (status === 429) return 'throttled';
  if (status === null) return 'unconfirmed';
  const isSuccess = status >= 200 && status < 300;
  // A success of these says all that there is, whatever becomes of its body.
  if (SILENT.test(fault ?? '') && !(isSuccess && SAYS_NOTHING.includes(write.kind))) return 'unconfirmed';
  if (isSuccess) return 'done';
  return status >= 400 && status < 500 && status !== 408 && status !== 425 ? 'refused' : 'unconfirmed';
}

const SAYS_NOTHING: readonly string[] = ['status', 'chat', 'follow', 'label'];
const SILENT = /broken_answer|late_commit|connection:|partial_commit/;

/** Commands that send nothing which changes anything, and may write files. */
function keepsHouse({ command: { kind } }: Run): boolean {
  return kind === 'import' || kind === 'look' || kind === 'compact' || kind === 'close';
}

interface Fate {
  readonly kill: () => void;
  readonly freeze: (sec: number) => void;
}

/** Kills at a line of the ledger, which then is not there, or only its first half; or lets the disk be full. */
function onLines({ scene, clock }: Actor, run: Run, { kill, freeze }: Fate) {
  const { cut } = run;
  const isHouse = keepsHouse(run);
  let lines = 0;
  return (path: string, text: string, how: WriteWay): 'done' | 'frozen' | Error => {
    if (cut === null || (path !== LEDGER_FILE && !isHouse)) return 'done';
    lines += 1;
    if (cut.how === 'full_disk' && lines >= cut.at) return FULL;
    if (lines !== cut.at) return 'done';
    if (isHouse && cut.how === 'clock') clock.set(cut.sec * 1000);
    if (isHouse && cut.how === 'freeze') freeze(cut.sec);
    if (cut.how !== 'before_line' && cut.how !== 'within_line') return 'done';
    const { tree } = scene.files;
    // Written with the line break that ends the part of an earlier line, as one text.
    if (cut.how === 'within_line' && how === 'append')
      tree[path] = withBreak(tree[path] ?? '') + text.slice(0, text.length / 2);
    kill();
    return 'frozen';
  };
}

const FULL = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
  syscall: 'write',
});

/** What a run said of everything that it did not leave as it was. */
function wordsOfRun({ code, stdout, stderr }: Ran, report: ApplyReport | null): readonly string[] {
  if (report === null) return code === 0 && stdout === '' ? [] : [oneLine(stdout === '' ? stderr : stdout)];
  return report.outcomes
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(
      ({ address: { account, kind, name }, action, outcome, live_id: id, message }) =>
        `${action} of ${account}/${kind}/${name} ${id ?? ''}: ${outcome}. ${message}`,
    );
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 400);
}

function reportIn({ stdout }: Ran): ApplyReport | null {
  if (!stdout.startsWith('{')) return null;
  const parsed = applyReportShape.safeParse(JSON.parse(stdout));
  return parsed.success ? parsed.data : null;
}

/** The worst outcome of a report. */
function endOf({ summary }: ApplyReport): string {
  const worst = (['unknown', 'failed', 'not_attempted', 'adopted', 'applied'] as const).find(
    (outcome) => summary[outcome] > 0,
  );
  return worst ?? 'unchanged';
}
