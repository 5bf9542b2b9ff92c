import { flowClock, type FlowClock, never } from '../helpers/flow-clock.ts';
import { commandLine, flagsOf, type Line } from './command-line.ts';
import { Author, filesOf } from './declared.ts';
import { installHerald, type Herald, type Installation, type Running, type Write } from './herald.ts';
import { CALM, type Cut, type Deed, type Edit, type Run, type Scenario, type Step } from './scenario.ts';
import { openService, type Service } from './service.ts';
import {
  documentIn,
  type Agreed,
  type Closing,
  type Note,
  type PrintedChange,
  type Process,
  type Trace,
} from './trace.ts';

/** In virtual time a command takes less than a second: one that takes this long never ends. */
const STUCK_AFTER_MS = 60_000;
/** Everything that was sent has taken effect by then, or never does (A1), and every list shows it (A2). */
export const ALL_LANDED_MS = 90_000;
const LONGEST_SEND_MS = 60 * 86_400_000;
const APPLIES_UNTIL_QUIET = 3;
const APPLY = { kind: 'apply', allow: [], target: null } as const;
/** Nothing happens to it. */
export const QUIET: Run = { ...CALM, operator: 0, afterSec: 0, command: APPLY };

export interface Stage {
  readonly clock: FlowClock;
  readonly service: Service;
  readonly herald: Herald;
  readonly author: Author;
  readonly clocksSec: number[];
  readonly processes: Process[];
  readonly notes: Note[];
}

/** Plays a scenario to its end. The same scenario gives the same trace. One process plays one at a time. */
export async function play(scenario: Scenario): Promise<Trace> {
  const stage = openStage(scenario, flowClock());
  for (const step of scenario.steps) await playStep(stage, step);
  return traceOf(stage, await close(stage));
}

export function openStage(scenario: Omit<Scenario, 'steps'>, clock: FlowClock, how?: Installation): Stage {
  clock.move(scenario.startMin * 60_000);
  const service = openService(scenario, clock);
  return {
    clock,
    service,
    herald: installHerald(service.network, clock, how),
    author: new Author(),
    clocksSec: [0, 0],
    processes: [],
    notes: [],
  };
}

/** What it looked like, when everything that waits has left. */
export function traceOf({ service, clock, herald, processes, notes }: Stage, closing: Closing | null): Trace {
  service.fanComes();
  clock.move(LONGEST_SEND_MS);
  herald.close();
  return {
    processes,
    requests: service.requests,
    changes: service.changes(),
    received: service.received(),
    notes,
    closing,
  };
}

export async function playStep(stage: Stage, step: Step): Promise<void> {
  const { service, clock } = stage;
  switch (step.kind) {
    case 'edit':
      return edit(stage, step.edits);
    case 'person':
      return act(stage, step.deed);
    case 'fan':
      return note(stage, `${service.fanComes()} comes`);
    case 'wait':
      clock.move(step.sec * 1000);
      service.now();
      return note(stage, `${step.sec} s pass`);
    case 'clocks':
      service.setClock(step.serviceSec);
      Object.assign(stage.clocksSec, step.machinesSec);
      return note(stage, `clocks: ${JSON.stringify(step)}`);
    case 'run':
      for (const fault of step.faults) {
        service.arm(fault);
        note(stage, `fault: ${JSON.stringify(fault)}`);
      }
      await Promise.all(step.runs.map((run) => playRun(stage, run)));
      return service.disarm();
  }
}

function edit({ author, herald, service, notes }: Stage, edits: readonly Edit[]): void {
  for (const one of edits) {
    author.edit(one, service.now());
    const { slot, ...rest } = one;
    notes.push({
      atMs: service.now(),
      after: service.requests.length,
      words: `the file of ${slot}: ${JSON.stringify(rest)}`,
    });
  }
  writeFiles(herald, author);
}

export function writeFiles({ files }: Herald, author: Author): void {
  for (const path of Object.keys(files)) if (path.startsWith('live/')) delete files[path];
  Object.assign(files, filesOf(author.declaration));
}

function act(stage: Stage, deed: Deed): void {
  const words = stage.service.act(deed, stage.author.namesOf(deed.slot));
  if (words !== null) note(stage, words);
}

export function note({ notes, service }: Stage, words: string): void {
  notes.push({ atMs: service.now(), after: service.requests.length, words });
}

async function playRun(stage: Stage, run: Run): Promise<void> {
  const { command } = run;
  if (run.afterSec > 0) await stage.clock.sleep(run.afterSec * 1000);
  if (command.kind !== 'saved') {
    const line = commandLine(stage, command);
    if (line !== null) await start(stage, run, line);
    if (command.kind === 'look' && command.at === 'import') writeFiles(stage.herald, stage.author);
    return;
  }
  const file = `plan-${stage.processes.length}.json`;
  const allowed = flagsOf(command.allow);
  const looks: Line = { args: ['plan', '--out', file, ...allowed], does: 'look', allow: [] };
  const planned = await start(stage, { ...run, ...CALM }, looks);
  const { declared, stdout } = planned;
  if (stage.herald.files[file] === undefined) return;
  for (const one of command.between)
    if ('does' in one) edit(stage, [one]);
    else act(stage, one);
  await start(stage, run, {
    args: ['apply', file, '--yes'],
    does: 'apply saved',
    allow: command.allow,
    agreed: changesIn(stdout),
    declared,
  });
}

/** Runs one command line, to which something may happen; resolves when it has come to its end. */
export async function start(stage: Stage, run: Run, line: Line): Promise<Process> {
  const { clock, service, herald, processes, author } = stage;
  const process: Process = {
    number: processes.length,
    operator: run.operator,
    hand: null,
    agreed: null,
    targeted: false,
    declared: [...author.declaration.values()],
    ...line,
    beganMs: service.now(),
    beganAfter: service.requests.length,
    endedMs: null,
    endedAfter: null,
    end: null,
    stdout: '',
    stderr: '',
    stateWrites: 0,
    stateFailures: 0,
    cut: null,
    live: [],
  };
  processes.push(process);
  const fate = fateOf(stage, run, process);
  const key = service.connect({
    process: process.number,
    machineOffMs: () => offMs(stage, run),
    leaving: fate.leaving,
    hearing: fate.gate,
    dies: fate.die,
  });
  const bornMs = clock.monotonicMs();
  const running = herald.start({
    args: [...line.args, '--format', 'json'],
    key,
    who: run.operator === 0 ? 'ana' : 'bo',
    clock: {
      ...clock,
      now: () => clock.now() + offMs(stage, run),
      // Each process counts from its own start.
      monotonicMs: () => clock.monotonicMs() - bornMs + 1e12,
    },
    gate: fate.using,
    writing: fate.writing,
    env: line.env,
  });
  fate.watch(running);
  let watchdog: NodeJS.Timeout | undefined;
  const stuck = new Promise<'stuck'>(
    (resolve) => (watchdog = setTimeout(() => resolve('stuck'), STUCK_AFTER_MS)),
  );
  const ended = await Promise.race([running.ran, fate.died, stuck]);
  clearTimeout(watchdog);
  process.endedMs = service.now();
  process.endedAfter = service.requests.length;
  process.live = service.live();
  if (ended === 'stuck') {
    fate.die();
    process.end = 'stuck';
  } else if (ended === 'killed') process.end = 'killed';
  else {
    process.end = ended.code;
    process.stdout = ended.stdout;
    process.stderr = ended.stderr;
  }
  return process;
}

function offMs({ clocksSec }: Stage, { operator }: Run): number {
  return (clocksSec[operator] ?? 0) * 1000;
}

/** What happens to a process between its start and its end. */
function fateOf(stage: Stage, { cut, meanwhile, between, operator }: Run, process: Process) {
  const { clock } = stage;
  let running: Running | null = null;
  let frozen: Promise<void> | null = null;
  let dead = false;
  let died: (value: 'killed') => void = () => undefined;
  const gate = async () => {
    if (frozen !== null) await frozen;
    if (dead) await never();
  };
  let uses = 0;
  const using = async () => {
    uses += 1;
    if (uses === between?.nth) {
      const { command } = between;
      const other = operator === 0 ? 1 : 0;
      await playRun(stage, {
        ...CALM,
        operator: other,
        afterSec: 0,
        command,
      });
    }
    await gate();
  };
  const die = () => {
    dead = true;
    running?.kill();
    died('killed');
  };
  const freeze = (sec: number) => {
    frozen = clock.sleep(sec * 1000).then(() => void (frozen = null));
  };
  const leaving = async (nth: number): Promise<'goes on' | 'dies after'> => {
    for (const one of meanwhile) if (one.at === 'request' && one.nth === nth) act(stage, one.deed);
    await gate();
    if (cut?.at !== 'request' || cut.nth !== nth) return 'goes on';
    process.cut = wordsOf(cut);
    if (cut.how === 'interrupted') running?.interrupt();
    if (cut.how === 'killed before') die();
    if (cut.how === 'frozen') freeze(cut.sec);
    if (cut.how === 'killed after') return 'dies after';
    await gate();
    return 'goes on';
  };
  const writing = (): Write => {
    process.stateWrites += 1;
    if (cut?.at !== 'write' || process.stateWrites < cut.nth) return 'done';
    const fails = cut.how === 'disk full' || cut.how === 'unreachable';
    if (!fails && process.stateWrites > cut.nth) return 'done';
    process.cut = wordsOf(cut);
    if (fails) process.stateFailures += 1;
    else {
      dead = true;
      died('killed');
    }
    return cut.how;
  };
  return {
    gate,
    using,
    die,
    leaving,
    writing,
    died: new Promise<'killed'>((resolve) => (died = resolve)),
    watch: (one: Running) => {
      running = one;
      const inSecond = (nth: number, strike: () => void) =>
        void clock.sleep(nth * 1000).then(() => process.end === null && strike());
      for (const { at, nth, deed } of meanwhile) if (at === 'second') inSecond(nth, () => act(stage, deed));
      if (cut?.at !== 'second') return;
      inSecond(cut.nth, () => {
        process.cut = wordsOf(cut);
        die();
      });
    },
  };
}

function wordsOf(cut: Cut): string {
  const where = `${cut.how} at ${cut.at} ${cut.nth}`;
  return cut.how === 'frozen' ? `${where} for ${cut.sec} s` : where;
}

/** The changes of the JSON of a plan. */
export function changesIn(stdout: string): readonly Agreed[] {
  const { changes = [] } = documentIn(stdout) as { readonly changes?: readonly PrintedChange[] };
  return changes.map(({ address: { account, kind, name }, action }) => ({
    alias: account,
    kind,
    name,
    action,
  }));
}

/** The faults end, and all clocks are right: an apply goes on until nothing is left to do, or until it is once too often. */
async function close(stage: Stage): Promise<Closing> {
  const { clock, service, clocksSec, author } = stage;
  clocksSec.fill(0);
  service.setClock(0);
  clock.move(ALL_LANDED_MS);
  note(stage, 'the faults end');
  const line: Line = { args: ['apply', '--yes'], does: 'apply', allow: [] };
  const applies: Process[] = [];
  for (let turn = 0; turn < APPLIES_UNTIL_QUIET; turn += 1) applies.push(await start(stage, QUIET, line));
  const plan = await start(stage, QUIET, { args: ['plan'], does: 'look', allow: [] });
  return {
    declared: [...author.declaration.values()],
    applies,
    live: service.live(),
    blocked: changesIn(plan.stdout).filter(({ action }) => action === 'blocked'),
    atMs: service.now(),
  };
}
