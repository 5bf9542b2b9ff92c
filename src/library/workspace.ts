import type { Allowance } from '../domain/allowance.ts';
import type { ApplyReport, Plan } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { historyOf, type HistoryItem } from '../ledger/history.ts';
import { readWholeRecord } from '../ledger/whole-record.ts';
import type { SavedPlan } from '../plan/saved.ts';
import { EVERYTHING } from '../plan/targets.ts';
import { applyRun, savedPlanOf } from '../reconcile/apply-run.ts';
import type { ReconcileEvent } from '../reconcile/events.ts';
import { look } from '../reconcile/look.ts';
import type { Opened, Terms } from '../reconcile/source.ts';
import { loadDeclared } from '../workspace/load.ts';
import { connect, type Connected } from './connect.ts';
import { nodePorts } from './node-ports.ts';
import { loadOptions } from './load-options.ts';
import { openFiles, type WorkspacePorts } from './open.ts';

/** How a workspace is opened. Nothing is read from the process: what is not given here is not there. */
export interface WorkspaceOptions {
  /** The API key. Not needed for an embedded simulator. */
  readonly apiKey?: string;
  /** Origins that may have the key although only herald.yaml names them, such as `https://api.example.com`. */
  readonly allowedOrigins?: readonly string[];
  /** Variables such as `HERALD_BASE_URL` or `HTTPS_PROXY`; often `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Who applies, for the ledger; `library` unless said. */
  readonly who?: string;
  /** Ends a run: the call in flight ends, and nothing new begins. */
  readonly signal?: AbortSignal;
  /** Hears what a run is doing. It must return at once. */
  readonly onEvent?: (event: ReconcileEvent) => void;
  /** Stand-ins for what Node offers: another clock, other files, another network. */
  readonly ports?: Partial<WorkspacePorts>;
}

/** What a plan may do, and what it is about; everything that is declared unless said. */
export interface PlanTerms {
  readonly allow?: readonly Allowance[];
  /** Patterns such as `alice/campaign/Welcome*`, as `--target` and `--exclude` take them. */
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

/** `herald/validate/1`: whether the files are right. */
export interface Validation {
  readonly schema: 'herald/validate/1';
  readonly valid: boolean;
  /** How many resources are declared; null where the files have errors. */
  readonly resources: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** A plan is applied for as long as this after it was made, in milliseconds: one day. */
const PLAN_AGE_MAX_MS = 24 * 3_600_000;

/**
 * A workspace of campaign files. Each method reads the files anew, so a change on the disk counts from the next call
 * on. Every method rejects with `InvalidFilesError`, `SetupError`, `ReconcileError`, `ServiceError`,
 * `IncompleteScanError`, `LockHeldError` or `LedgerError`; anything else is a bug in Herald.
 */
export class HeraldWorkspace {
  readonly #ports: WorkspacePorts;
  #connected: { readonly address: string; readonly connected: Connected } | null = null;

  constructor(ports: WorkspacePorts) {
    this.#ports = ports;
  }

  /** Checks every file. Needs no key and sends nothing. */
  async validate(): Promise<Validation> {
    const loaded = await loadDeclared(this.#ports.files, loadOptions(this.#ports));
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
  async plan(terms: PlanTerms = {}): Promise<SavedPlan> {
    const opened = await this.#open();
    const chosen = termsOf(terms, opened);
    return savedPlanOf(opened, chosen, await look(this.#ports, opened, chosen));
  }

  /** Tells what is live and differs from the files. Sends only GETs. */
  async drift({ target = [], exclude = [] }: Omit<PlanTerms, 'allow'> = {}): Promise<Plan> {
    const opened = await this.#open();
    return (await look(this.#ports, opened, termsOf({ target, exclude }, opened))).plan;
  }

  /**
   * Applies exactly this plan: it rejects with `stale-plan` if anything that the plan decides about has changed since,
   * and with `held-back` if a policy denies it. An unconfirmed request is not an error; its outcome is `unknown`.
   */
  async apply(saved: SavedPlan, { maxAgeMs = PLAN_AGE_MAX_MS } = {}): Promise<ApplyReport> {
    const opened = await this.#open();
    const { report } = await applyRun(this.#ports, opened, {
      allow: new Set(saved.allow),
      targeting: saved,
      saved,
      named: { what: 'The plan is stale', hint: 'Plan again, and review it.' },
      maxAgeMs,
      show: () => undefined,
      agree: async () => 'at-once',
      protect: (work) => work(),
    });
    return report;
  }

  /** Tells what Herald did here, oldest first. Reads only the ledger and its archives. `since` is an ISO instant. */
  async history({ since = '' }: { readonly since?: string } = {}): Promise<readonly HistoryItem[]> {
    const { lines } = await readWholeRecord(this.#ports.state.ledger);
    return historyOf(lines).filter(({ at }) => at >= since);
  }

  /** Ends the use of this workspace. What was applied stays applied. */
  async close(): Promise<void> {
    this.#connected = null;
  }

  /** One connection serves all runs, so that together they keep to the rates. */
  #open(): Promise<Opened> {
    return openFiles(this.#ports, async (service: ServiceSettings) => {
      const address = JSON.stringify(service);
      if (this.#connected?.address !== address)
        this.#connected = { address, connected: await connect(this.#ports, service) };
      return this.#connected.connected;
    });
  }
}

function termsOf({ allow = [], target = [], exclude = [] }: PlanTerms, { workspace }: Opened): Terms {
  const isEverything = target.length === 0 && exclude.length === 0;
  return {
    allow: new Set([...allow, ...workspace.allow]),
    targeting: isEverything ? EVERYTHING : { target, exclude },
  };
}

/** Opens the workspace in a directory. Reads and sends nothing yet. */
export function openWorkspace(directory: string, options: WorkspaceOptions = {}): HeraldWorkspace {
  const { apiKey, allowedOrigins = [], env = {}, who, signal, onEvent, ports = {} } = options;
  const node = nodePorts(directory);
  return new HeraldWorkspace({
    ...node,
    identity: { ...node.identity, ...(who === undefined ? {} : { who }) },
    env,
    interrupted: signal ?? new AbortController().signal,
    report: (event) => onEvent?.(event),
    readKey: async () => apiKey,
    mayReceiveKey: async (origin) => allowedOrigins.includes(origin),
    openBoard: async () => SILENT_BOARD,
    onLedgerRead: () => undefined,
    ...ports,
  });
}

/** Uploads are told of by the report alone. */
const SILENT_BOARD: Awaited<ReturnType<WorkspacePorts['openBoard']>> = {
  follow: () => ({
    onBytes: () => undefined,
    onPhase: () => undefined,
    onWarning: () => undefined,
    onEnd: () => undefined,
  }),
  clearWhenIdle: () => undefined,
};
