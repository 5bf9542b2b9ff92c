import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import { ApiKey } from '../../src/api/key.ts';
import { Limiter } from '../../src/api/limiter.ts';
import type { Allowance } from '../../src/domain/allowance.ts';
import type { Fetch } from '../../src/domain/ports.ts';
import type { Kind } from '../../src/domain/resource.ts';
import { StateError } from '../../src/domain/state-error.ts';
import { isPlanRefused, writes } from '../../src/domain/change.ts';
import { apply, type Applied } from '../../src/engine/apply.ts';
import type { ApplyOptions } from '../../src/engine/work.ts';
import { stopByHand, unreachableState, type StopRequest } from '../../src/engine/by-hand.ts';
import { PlanRefusedError } from '../../src/engine/errors.ts';
import { look, type LookOptions, type Subject } from '../../src/engine/look.ts';
import type { Result, Run, RunState } from '../../src/engine/run.ts';
import { decideByHand, type ByHandRequest } from '../../src/plan/decide/by-hand.ts';
import { EVERYTHING, type PlanFacts } from '../../src/plan/facts.ts';
import { buildPlan, summarise } from '../../src/plan/plan.ts';
import { planConflicts, savePlan, type SavedPlan } from '../../src/plan/saved.ts';
import { describeResults } from '../../src/render/results.ts';
import { State, type StateOptions } from '../../src/state/state.ts';
import { loadDeclared } from '../../src/workspace/load.ts';
import type { FlowClock } from '../helpers/flow-clock.ts';
import { memoryFiles } from '../workspace/memory-files.ts';
import type { Call, Herald, Running, Write } from './herald.ts';

/** The new core behind the few commands of the run, until the command line uses it. */
export function installNextHerald(workspace: string, network: Fetch): Herald {
  const files: Record<string, string> = { 'herald.yaml': workspace };
  const directory = mkdtempSync(join(tmpdir(), 'herald-promise-'));
  let runs = 0;
  let last: Promise<unknown> = Promise.resolve();
  // All processes are in this one, so a busy database would wait for itself.
  const alone = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    files,
    start: (call) => {
      runs += 1;
      return new Command({ call, files, directory, network, alone, run: `${call.who}-${runs}` }).running();
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}

interface Setting {
  readonly call: Call;
  readonly files: Record<string, string>;
  readonly directory: string;
  readonly network: Fetch;
  readonly alone: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly run: string;
}

const SETTLE_MS = 75_000;
const EXIT = { done: 0, failed: 1, differences: 2, unknown: 3, partly: 4, blocked: 5, interrupted: 130 };

/** One process. */
class Command {
  readonly #at: Setting;
  readonly #interrupted = new AbortController();
  #state: State | null = null;
  #isDead = false;
  #stdout = '';
  #stderr = '';

  constructor(at: Setting) {
    this.#at = at;
  }

  running(): Running {
    const ran = this.#main().then((code) => ({ code, stdout: this.#stdout, stderr: this.#stderr }));
    return {
      ran,
      kill: () => void this.#die(),
      interrupt: () => this.#interrupted.abort(new Error('interrupted')),
      // The system holds the lock of a stopped process.
      loseLease: () => undefined,
    };
  }

  async #main(): Promise<number> {
    try {
      return await this.#dispatch();
    } catch (error) {
      const { message = String(error), code = null } = error as { message?: string; code?: string | null };
      const next = error instanceof StateError ? error.next : 'herald plan';
      this.#stderr += `error: ${message}\nTo go on: ${next}\n`;
      this.#stdout = JSON.stringify({ schema: 'herald/error/1', code, message, hint: next, details: null });
      const isExpected =
        error instanceof StateError || error instanceof Refused || error instanceof PlanRefusedError;
      if (
        !isExpected &&
        !(error instanceof Error && 'problem' in error) &&
        !/Scan|Lock/.test((error as Error).name)
      )
        this.#stderr += (error as Error).stack ?? '';
      return error instanceof Refused || error instanceof PlanRefusedError ? EXIT.blocked : EXIT.failed;
    }
  }

  async #dispatch(): Promise<number> {
    const { args } = this.#at.call;
    const [command = '', ...rest] = args;
    const allow = valuesOf(rest, '--allow') as Allowance[];
    const [target] = valuesOf(rest, '--target');
    const targeting = target === undefined ? EVERYTHING : { target: [target], exclude: [] };
    const options: LookOptions = { allow: new Set(allow), targeting };
    switch (command) {
      case 'plan':
      case 'drift':
        return this.#plan(
          options,
          valuesOf(rest, '--out')[0],
          command === 'drift' || rest.includes('--detailed-exitcode'),
        );
      case 'apply':
        return this.#apply(options, rest[0]?.endsWith('.json') === true ? rest[0] : null);
      case 'history':
      case 'validate':
      case 'import':
        this.#stdout = '{}';
        return EXIT.done;
      default:
        return this.#byHand(command.slice(0, -1) as Kind, rest);
    }
  }

  async #plan(options: LookOptions, out: string | undefined, detailed: boolean): Promise<number> {
    const subject = await this.#subject();
    const state = await this.#open(() => State.openToRead(this.#stateOptions()));
    const { plan, facts } = await look(this.#run(subject, state, 'plan'), subject, options);
    if (out !== undefined)
      this.#at.files[out] = JSON.stringify(
        savePlan({
          ...facts,
          ...options,
          plan,
          workspaceDigest: await subject.workspace.digest(),
          nowMs: facts.time.latestMs,
        }),
      );
    await state.close();
    this.#stdout = JSON.stringify(plan);
    if (!detailed || out !== undefined || this.#at.call.args[0] === 'plan')
      if (isPlanRefused(plan) || plan.summary.blocked > 0) return EXIT.blocked;
    const differs = plan.changes.some((change) => writes(change) || change.action === 'blocked');
    return detailed && differs ? EXIT.differences : EXIT.done;
  }

  async #apply(given: LookOptions, file: string | null): Promise<number> {
    const subject = await this.#subject();
    const saved = file === null ? null : (JSON.parse(this.#at.files[file] ?? '') as SavedPlan);
    const options: LookOptions = saved === null ? given : { allow: new Set(saved.allow), targeting: saved };
    const state = await this.#open(() => State.take(this.#stateOptions(), 0));
    try {
      const applied = await apply(this.#run(subject, state, 'apply'), subject, {
        ...options,
        ...QUIET,
        agree: async ({ plan, facts }) => {
          if (saved === null) return 'at-once';
          const workspaceDigest = await subject.workspace.digest();
          const fresh = { ...facts, plan, workspaceDigest, nowMs: facts.time.latestMs, maxAgeMs: 86_400_000 };
          const reasons = planConflicts(saved, fresh);
          if (reasons.length > 0) throw new Refused(`The plan is stale: ${reasons.join('; ')}. herald plan`);
          return 'at-once';
        },
      });
      return this.#report(applied);
    } finally {
      await this.#close(state);
    }
  }

  async #byHand(kind: Kind, [action = '', liveId = '', ...rest]: readonly string[]): Promise<number> {
    const [account = ''] = valuesOf(rest, '--account');
    const subject = await this.#subject();
    const accountId = account === 'alice' ? '101' : '102';
    if (action !== 'activate' && action !== 'resume') {
      const state = await this.#open(() => State.join(this.#stateOptions())).catch((error: unknown) => {
        if (error instanceof StateError) return unreachableState(error);
        throw error;
      });
      const results = await stopByHand(this.#run(subject, state, `${kind}s ${action}`), {
        account: { alias: account, accountId },
        kind,
        action: action as StopRequest['action'],
        liveIds: [liveId],
      });
      if (state instanceof State) await this.#close(state);
      return this.#report({ results });
    }
    const request: ByHandRequest = { kind, action, what: { account, liveId }, force: false, again: false };
    const state = await this.#open(() => State.take(this.#stateOptions(), 0));
    try {
      const applied = await apply(this.#run(subject, state, `${kind}s ${action}`), subject, {
        allow: new Set(),
        targeting: { target: [`${account}/${kind}`], exclude: [] },
        ...QUIET,
        isByHand: true,
        isAgreed: false,
        decide: (facts: PlanFacts) => {
          const changes = decideByHand(request, facts).map(({ change, hint }) =>
            hint === '' ? change : { ...change, reasons: [...change.reasons, hint] },
          );
          return { ...buildPlan(facts), changes, summary: summarise(changes), diagnostics: [] };
        },
      });
      return this.#report(applied);
    } finally {
      await this.#close(state);
    }
  }

  #report({ results }: Pick<Applied, 'results'>): number {
    const report = describeResults(results);
    this.#stdout = JSON.stringify(report);
    for (const { message } of report.outcomes) if (message !== '') this.#stderr += `${message}\n`;
    const { unknown, failed, not_attempted: left, applied, adopted } = report.summary;
    if (unknown > 0) return EXIT.unknown;
    const blocked = report.outcomes.filter(({ action }) => action === 'blocked').length;
    const unrecorded = results.some(({ reasons }) => reasons.some(isUnrecorded));
    if (this.#interrupted.signal.aborted && left > blocked) return EXIT.interrupted;
    if (failed > 0 || unrecorded) return applied + adopted > 0 ? EXIT.partly : EXIT.failed;
    return blocked > 0 ? EXIT.blocked : EXIT.done;
  }

  #stateOptions(): StateOptions {
    const { call, directory, run } = this.#at;
    return {
      location: { kind: 'sqlite', directory },
      clock: this.#clock(),
      run,
      who: call.who,
      holder: call.who,
      service: () => 'live',
    };
  }

  /** The state as a process sees it that may be stopped or die at each write. */
  async #open(open: () => Promise<State>): Promise<State> {
    const { alone } = this.#at;
    const state = await alone(open);
    if (this.#isDead) {
      await state.close();
      return never();
    }
    this.#state = state;
    const { gate, writing } = this.#at.call;
    return new Proxy(state, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== 'function') return member;
        const method = member.bind(target) as (...parts: unknown[]) => unknown;
        if (name === 'left') return method;
        if (!WRITES.includes(String(name)))
          return (...parts: unknown[]) => alone(async () => method(...parts));
        return async (...parts: unknown[]) => {
          await gate();
          if (name === 'learn' && (parts[0] as unknown[]).length === 0) return undefined;
          return this.#write(writing(), () => alone(async () => method(...parts)));
        };
      },
    });
  }

  async #write(write: Write, work: () => unknown): Promise<unknown> {
    if (this.#isDead) return never();
    switch (write) {
      case 'done':
        return work();
      case 'disk full':
      case 'unreachable':
        throw new StateError('state-failed', `the state cannot be written: ${write}`, 'herald state check');
      case 'killed within':
        await work();
        return this.#die();
      case 'killed before':
        return this.#die();
    }
  }

  #die(): Promise<never> {
    const state = this.#state;
    if (!this.#isDead && state !== null) void this.#at.alone(() => state.close()).catch(() => undefined);
    this.#isDead = true;
    return never();
  }

  async #close(state: State): Promise<void> {
    if (!this.#isDead) await state.close();
  }

  #clock(): FlowClock {
    const { clock, gate } = this.#at.call;
    return {
      ...clock,
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        await gate();
      },
    };
  }

  async #subject(): Promise<Subject> {
    const loaded = await loadDeclared(memoryFiles(this.#at.files), { env: {} });
    if (loaded.kind === 'invalid')
      throw new Refused(loaded.diagnostics.map(({ message }) => message).join('; '));
    const { call, network } = this.#at;
    const clock = this.#clock();
    const client = createClient({
      baseUrl: 'http://localhost:1',
      key: new ApiKey(call.key),
      authHeader: 'x-svc-auth-token',
      timeoutMs: 75_000,
      rates: new Limiter(clock, 0.9),
      fetch: network,
      clock,
      random: () => 0,
      log: () => undefined,
      warn: () => undefined,
    });
    return { ...loaded, client, accountIds: new Map(), unseen: new Map() };
  }

  #run({ client }: Subject, state: RunState, command: string): Run {
    return {
      client,
      state,
      clock: this.#clock(),
      command,
      settleMs: SETTLE_MS,
      interrupted: this.#interrupted.signal,
      report: (event) => {
        if (event.kind === 'bug')
          this.#stderr += event.error instanceof Error ? (event.error.stack ?? '') : 'bug';
      },
    };
  }
}

class Refused extends Error {
  override readonly name = 'Refused';
}

const WRITES: readonly string[] = ['begin', 'repeat', 'end', 'learn', 'endCut'];

const QUIET: Pick<ApplyOptions, 'uploads' | 'isByHand' | 'isAgreed' | 'agree' | 'refuseChanged'> = {
  uploads: () => () => Promise.resolve({ kind: 'failed', message: 'no files here', denied: false }),
  isByHand: false,
  isAgreed: true,
  agree: () => Promise.resolve('at-once'),
  refuseChanged: () => undefined,
};

function isUnrecorded({ kind }: Result['reasons'][number]): boolean {
  return kind === 'unrecorded' || kind === 'not-on-record';
}

function valuesOf(args: readonly string[], flag: string): string[] {
  return args.flatMap((arg, place) => (arg === flag ? [args[place + 1] ?? ''] : []));
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
