/**
 * Herald as a library: open a workspace, then validate, plan, apply, check for drift and read the history. Everything
 * that is not exported here is internal.
 */
export {
  openWorkspace,
  type HeraldWorkspace,
  type HistoryReport,
  type PlanOptions,
  type Validation,
  type WorkspaceOptions,
} from './library/workspace.ts';
export type { WorkspacePorts } from './library/ports.ts';

// Results of its methods: the JSON documents of the command line.
export { ALLOWANCES, type Allowance } from './domain/change-kinds.ts';
export type {
  ApplyReport,
  Change,
  ChangeKind,
  FieldDifference,
  Outcome,
  Plan,
  Step,
} from './domain/change.ts';
export { formatDiagnostic, type Diagnostic } from './domain/diagnostic.ts';
export { formatAddress, type Address, type Kind } from './domain/resource.ts';
export type { HistoryItem } from './domain/history-item.ts';
export type { HistoryQuery } from './library/history.ts';
export type { SealedPlan } from './plan/saved.ts';
export type { RunEvent } from './engine/run.ts';

// Errors of its methods. Anything else is a bug in Herald.
export { HeraldError } from './domain/herald-error.ts';
export { ServiceError, type Problem } from './api/errors.ts';

// Texts and pages for people.
export { renderPlanPage, type PageOptions } from './page/page.tsx';
export { renderPlanMarkdown } from './render/plan-markdown.ts';
export { renderPlanText } from './render/plan-text.ts';

// Ports that a program may replace.
export type { ByteFiles, Clock, SendHooks, Fetch, Files } from './domain/ports.ts';
export type { Bucket, RateBudget, Slot } from './api/limiter.ts';
export type { StateAccess } from './library/state-access.ts';
export { systemClock } from './host/clock.ts';

// The local simulator of the service, for tests.
export { createSimulator, type Simulator } from './simulator/simulator.ts';
export { serveSimulator } from './simulator/serve.ts';
export { createWorld, parseWorld, serializeWorld, type WorldData as World } from './simulator/world.ts';
