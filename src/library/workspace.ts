import { hostname } from 'node:os';
import { pid } from 'node:process';
import { Limiter, type RateBudget } from '../api/limiter.ts';
import type { ApplyReport, Plan } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { readPast } from './instant-range.ts';
import type { RunEvent } from '../engine/run.ts';
import { computeSeal, parseSealed, type SavedPlan, type SealedPlan } from '../plan/saved.ts';
import { describeResults } from '../render/results.ts';
import { listHistory, type HistoryQuery } from './history.ts';
import { loadFiles } from './media.ts';
import { openFiles, withoutService } from './connect.ts';
import { nodePorts, type WorkspacePorts } from './ports.ts';
import { applyExit, applyFiles, findDrift, planFiles, type PlanWishes } from './runs.ts';
import type { Allowance } from '../domain/change-kinds.ts';

/** Options of a workspace. Nothing is read from the process: a value that is not given here does not exist. */
export interface WorkspaceOptions {
  /** The API key. Not needed for an embedded simulator. */
  readonly apiKey?: string;
  /** Origins that may get the key even if only herald.yaml names them, such as `https://api.example.com`. */
  readonly allowedOrigins?: readonly string[];
  /** Variables such as `HERALD_BASE_URL` or `HTTPS_PROXY`; often `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user, for the state. Default: `library`. */
  readonly who?: string;
  /** How long an apply waits for the lease of another run, in milliseconds. Default: 0. */
  readonly lockTimeoutMs?: number;
  /** Ends a run after its current request. */
  readonly signal?: AbortSignal;
  /** Called with the progress of a run. It must return immediately. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Replacements for Node's clock, files or network. */
  readonly ports?: Partial<WorkspacePorts>;
}

/** Limits of a plan. Default: everything that is declared, without allowances. */
export interface PlanOptions {
  readonly allow?: readonly Allowance[];
  /** Patterns such as `alice/campaign/Welcome*`, as `--target` and `--exclude` take them. */
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

/** `herald/validate/1`: the result of a check of the files. */
export interface Validation {
  readonly schema: 'herald/validate/1';
  readonly valid: boolean;
  /** Number of declared resources. Null if the files have errors. */
  readonly resources: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** `herald/list/1`: what Herald did, newest first. */
export interface HistoryReport {
  readonly schema: 'herald/list/1';
  readonly items: readonly HistoryItem[];
  readonly complete: true;
}

/** Maximal age of a plan, in milliseconds: one day. */
const PLAN_AGE_MAX_MS = 24 * 3_600_000;

/**
 * A workspace of campaign files. Each method reads the files again, so a change on the disk counts from the next
 * call. Every method rejects with `invalid-files`, `HeraldError`, `state-…`, `stale-plan`, `held-back`,
 * `ServiceError`, `IncompleteScanError` or `locked`. Anything else is a bug in Herald.
 */
export class HeraldWorkspace {
  readonly #ports: WorkspacePorts;
  readonly #who: string;

  constructor(ports: WorkspacePorts, who: string) {
    const { clock } = ports;
    let rates: RateBudget | null = null;
    // One for all runs, so that together they keep to the rates.
    const rateBudget = (share: number) => (rates ??= ports.rateBudget?.(share) ?? new Limiter(clock, share));
    this.#ports = { ...ports, rateBudget };
    this.#who = who;
  }

  /** Checks all files. Needs no key and sends nothing. */
  async validate(): Promise<Validation> {
    const loaded = await loadFiles(this.#ports);
    const schema = 'herald/validate/1';
    return loaded.kind === 'loaded'
      ? { schema, valid: true, resources: loaded.declared.length, diagnostics: loaded.warnings }
      : { schema, valid: false, resources: null, diagnostics: loaded.diagnostics };
  }

  /** Plans what an apply would do. Sends only GETs. The result can be kept as JSON and applied later. */
  async plan(options: PlanOptions = {}): Promise<SealedPlan> {
    const seen = await planFiles(await openFiles(this.#ports), this.#wishes(options));
    const document = JSON.parse(JSON.stringify(await seen.save())) as SavedPlan;
    return { ...document, digest: computeSeal(document) };
  }

  /** Returns differences between live and the files. Sends only GETs. */
  async drift(targets: Omit<PlanOptions, 'allow'> = {}): Promise<Plan> {
    return findDrift(await openFiles(this.#ports), this.#wishes(targets));
  }

  /**
   * Applies exactly this plan. Rejects with `stale-plan` if something that the plan depends on has changed, and with
   * `held-back` if a policy denies it. A change that failed, is blocked or is unconfirmed is not an error: `exit` says what the
   * command would end with.
   */
  async apply(
    plan: SealedPlan,
    { maxAgeMs = PLAN_AGE_MAX_MS } = {},
  ): Promise<ApplyReport & { readonly exit: ExitCode }> {
    const sealed = parseSealed(plan);
    if (sealed?.isIntact !== true)
      throw new HeraldError(
        'bad-plan-file',
        'This is not a plan of this version, or it was changed.',
        PLAN_AGAIN,
      );
    const { saved } = sealed;
    const results = await applyFiles(await openFiles(this.#ports), {
      allow: new Set(saved.allow),
      targeting: saved,
      reviewed: { plans: [saved], isExact: true, maxAgeMs },
      again: PLAN_AGAIN,
      isAgreed: true,
      agree: async () => 'at-once',
    });
    return { ...describeResults(results), exit: applyExit(results, this.#ports.interrupted.aborted) };
  }

  /** Returns what `herald history --format json` prints, newest first. Reads the state and the events, and sends nothing. */
  async history(query: HistoryQuery = {}): Promise<HistoryReport> {
    const { events, state: access, clock } = this.#ports;
    const since = query.since === undefined ? undefined : readPast('since', query.since, clock.now());
    const { items } = await withoutService(this.#ports, access.read, (state) =>
      listHistory(state, events, { ...query, since }),
    );
    return { schema: 'herald/list/1', items, complete: true };
  }

  /** Closes the workspace. Applied changes stay. */
  async close(): Promise<void> {}

  /** A program has its own name for the workspace, and its own word for the commit. */
  #wishes({ allow = [], target = [], exclude = [] }: PlanOptions): PlanWishes {
    const circumstances = { workspace: null, who: this.#who, commit: null, flags: new Set(allow) };
    return { targeting: { target, exclude }, circumstances };
  }
}

const PLAN_AGAIN = 'Plan again, and review it.';

const ignore = () => undefined;

/** Opens the workspace in a directory. Reads and sends nothing yet. */
export function openWorkspace(directory: string, options: WorkspaceOptions = {}): HeraldWorkspace {
  const { apiKey, allowedOrigins = [], env = {}, who = 'library', onEvent = ignore } = options;
  const process = `process ${pid} on ${hostname()}`;
  const ports: WorkspacePorts = {
    ...nodePorts({ directory, env, who, process }),
    env,
    lockTimeoutMs: options.lockTimeoutMs ?? 0,
    interrupted: options.signal ?? new AbortController().signal,
    protect: (work) => work(),
    report: onEvent,
    readKey: async () => apiKey,
    mayReceiveKey: async (origin) => allowedOrigins.includes(origin),
    // A library has no progress line; the report has the uploads.
    followUpload: () => ({ onBytes: ignore, onPhase: ignore, onWarning: ignore, onEnd: ignore }),
    ...options.ports,
  };
  return new HeraldWorkspace(ports, who);
}
