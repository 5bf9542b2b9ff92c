import type { Allowance } from '../domain/allowance.ts';
import type { ApplyReport, Plan } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Urgency } from '../domain/rate-store.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { historyOf, type HistoryItem } from '../ledger/history.ts';
import { readWholeRecord } from '../ledger/whole-record.ts';
import type { SavedPlan } from '../plan/saved.ts';
import { EVERYTHING } from '../plan/targets.ts';
import { applyRun, savedPlanOf } from '../reconcile/apply-run.ts';
import { withBlocked } from '../operations/events/blocked.ts';
import { withBlockedMessages } from '../operations/events/blocked-findings.ts';
import { withSendEvents } from '../operations/events/send-events.ts';
import { readViolations } from '../operations/events/violations.ts';
import { selectionOf } from '../plan/targets.ts';
import type { ReconcileEvent } from '../reconcile/events.ts';
import { described, type Circumstances } from '../reconcile/described.ts';
import { knownAccounts } from '../reconcile/known-accounts.ts';
import { look } from '../reconcile/look.ts';
import type { Opened, RunOptions } from '../reconcile/source.ts';
import { loadDeclared } from '../workspace/load.ts';
import { configuredState, type ConfiguredState } from './configured-state.ts';
import { connect, type Connected } from './connect.ts';
import { nodePorts } from './node-ports.ts';
import { loadOptions } from './load-options.ts';
import { openFiles, type WorkspacePorts } from './open.ts';

/** Options of a workspace. Nothing is read from the process: a value that is not given here does not exist. */
export interface WorkspaceOptions {
  /** The API key. Not needed for an embedded simulator. */
  readonly apiKey?: string;
  /** Origins that may get the key even if only herald.yaml names them, such as `https://api.example.com`. */
  readonly allowedOrigins?: readonly string[];
  /** Variables such as `HERALD_BASE_URL` or `HTTPS_PROXY`; often `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user, for the ledger. Default: `library`. */
  readonly who?: string;
  /** How long an apply waits for the lease of another run, in milliseconds. Default: 0. */
  readonly lockTimeoutMs?: number;
  /** Ends a run after its current request. */
  readonly signal?: AbortSignal;
  /** Called with the progress of a run. It must return immediately. */
  readonly onEvent?: (event: ReconcileEvent) => void;
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

/** Maximal age of a plan, in milliseconds: one day. */
const PLAN_AGE_MAX_MS = 24 * 3_600_000;

/**
 * A workspace of campaign files. Each method reads the files again, so a change on the disk counts from the next
 * call. Every method rejects with `InvalidFilesError`, `SetupError`, `ReconcileError`, `ServiceError`,
 * `IncompleteScanError`, `LockHeldError` or `LedgerError`. Anything else is a bug in Herald.
 */
export class HeraldWorkspace {
  readonly #given: WorkspacePorts;
  /** The state that `herald.yaml` names, once something needs it; null if the caller gave one. */
  #configured: Promise<ConfiguredState> | null = null;
  readonly #opensState: (() => Promise<ConfiguredState>) | null;
  /** What the requests of its runs are for. An apply gets places before a plan of another process. */
  #urgency: Urgency = 'plan';
  #connected: { readonly address: string; readonly connected: Connected } | null = null;

  /** `opensState` finds the state that `herald.yaml` names; without it, the state of `ports` is used. */
  constructor(ports: WorkspacePorts, opensState: (() => Promise<ConfiguredState>) | null = null) {
    this.#given = ports;
    this.#opensState = opensState;
  }

  async #ports(): Promise<WorkspacePorts> {
    if (this.#opensState !== null) this.#configured ??= this.#opensState();
    const { state, events } = (await this.#configured) ?? this.#given;
    return { rateStore: state.rates, urgency: () => this.#urgency, ...this.#given, state, events };
  }

  /** Checks all files. Needs no key and sends nothing. */
  async validate(): Promise<Validation> {
    const loaded = await loadDeclared(this.#given.files, loadOptions(this.#given));
    return loaded.kind === 'loaded'
      ? {
          schema: 'herald/validate/1',
          valid: true,
          resources: loaded.declared.length,
          diagnostics: loaded.warnings,
        }
      : { schema: 'herald/validate/1', valid: false, resources: null, diagnostics: loaded.diagnostics };
  }

  /** Plans what an apply would do. Sends only GETs. The result can be kept as JSON and applied later. */
  async plan(options: PlanOptions = {}): Promise<SavedPlan> {
    const opened = await this.#open();
    const chosen = optionsOf(options, opened);
    const ports = await this.#ports();
    const looked = await look(ports, opened, chosen);
    return savedPlanOf(opened, chosen, described(opened, looked, circumstancesOf(ports, options.allow)));
  }

  /** Returns differences between live and the files. Sends only GETs. */
  async drift({ target = [], exclude = [] }: Omit<PlanOptions, 'allow'> = {}): Promise<Plan> {
    const opened = await this.#open();
    const ports = await this.#ports();
    const options = optionsOf({ target, exclude }, opened);
    const looked = await look(ports, opened, options);
    return withBlockedMessages(described(opened, looked, circumstancesOf(ports)).plan, {
      events: ports.events,
      ledger: ports.state.ledger,
      address: opened.client.address,
      accounts: knownAccounts(opened, looked),
      isWanted: selectionOf(options.targeting).selects,
      nowMs: looked.nowMs,
    });
  }

  /**
   * Applies exactly this plan. Rejects with `stale-plan` if something that the plan depends on has changed, and with
   * `held-back` if a policy denies it. An unconfirmed request is not an error; its outcome is `unknown`.
   */
  async apply(saved: SavedPlan, { maxAgeMs = PLAN_AGE_MAX_MS } = {}): Promise<ApplyReport> {
    const opened = await this.#open();
    this.#urgency = 'apply';
    try {
      const { report } = await applyRun(await this.#ports(), opened, {
        allow: new Set(saved.allow),
        targeting: saved,
        saved,
        named: { what: 'The plan is stale', hint: 'Plan again, and review it.' },
        maxAgeMs,
        isAgreed: true,
        show: () => undefined,
        agree: async () => 'at-once',
        protect: (work) => work(),
      });
      return report;
    } finally {
      this.#urgency = 'plan';
    }
  }

  /**
   * Returns the history, oldest first. Reads the ledger, its archives, and the events about messages. `since` is
   * an ISO instant.
   */
  async history({ since = '' }: { readonly since?: string } = {}): Promise<readonly HistoryItem[]> {
    const { state, events } = await this.#ports();
    const { lines } = await readWholeRecord(state.ledger);
    const { violations } = await readViolations(events);
    const items = withBlocked(historyOf(lines), violations).filter(({ at }) => at >= since);
    return withSendEvents(items, events);
  }

  /** Closes the workspace. Applied changes stay. */
  async close(): Promise<void> {
    this.#connected = null;
    await (await this.#configured)?.close();
    this.#configured = null;
  }

  /** One connection for all runs, so that together they keep to the rates. */
  async #open(): Promise<Opened> {
    const ports = await this.#ports();
    return openFiles(ports, {
      connecting: async (service: ServiceSettings) => {
        const address = JSON.stringify(service);
        if (this.#connected?.address !== address)
          this.#connected = { address, connected: await connect(ports, service) };
        return this.#connected.connected;
      },
    });
  }
}

function optionsOf(
  { allow = [], target = [], exclude = [] }: PlanOptions,
  { workspace }: Opened,
): RunOptions {
  const isEverything = target.length === 0 && exclude.length === 0;
  return {
    allow: new Set([...allow, ...workspace.allow]),
    targeting: isEverything ? EVERYTHING : { target, exclude },
  };
}

/** A program has its own name for the workspace, and its own word for the commit. */
function circumstancesOf({ identity }: WorkspacePorts, allow: readonly Allowance[] = []): Circumstances {
  return { workspace: null, who: identity.who, commit: null, flags: new Set(allow) };
}

/** Opens the workspace in a directory. Reads and sends nothing yet. */
export function openWorkspace(directory: string, options: WorkspaceOptions = {}): HeraldWorkspace {
  const {
    apiKey,
    allowedOrigins = [],
    env = {},
    who,
    lockTimeoutMs = 0,
    signal,
    onEvent,
    ports = {},
  } = options;
  const node = nodePorts(directory);
  const { processName, remotes, ...nodeOnly } = node;
  const given: WorkspacePorts = {
    ...nodeOnly,
    identity: { ...node.identity, ...(who === undefined ? {} : { who }) },
    env,
    lockTimeoutMs,
    interrupted: signal ?? new AbortController().signal,
    report: (event) => onEvent?.(event),
    readKey: async () => apiKey,
    mayReceiveKey: async (origin) => allowedOrigins.includes(origin),
    openBoard: async () => SILENT_BOARD,
    onLedgerRead: () => undefined,
    ...ports,
  };
  if (ports.state !== undefined) return new HeraldWorkspace(given);
  return new HeraldWorkspace(given, () =>
    configuredState({ ...given, who: given.identity.who, process: processName, remotes }),
  );
}

/** A library has no progress line; the report has the uploads. */
const SILENT_BOARD: Awaited<ReturnType<WorkspacePorts['openBoard']>> = {
  follow: () => ({
    onBytes: () => undefined,
    onPhase: () => undefined,
    onWarning: () => undefined,
    onEnd: () => undefined,
  }),
  clearWhenIdle: () => undefined,
};
