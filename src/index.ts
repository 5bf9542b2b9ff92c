/**
 * Herald as a library: load what is declared, read what is live, build the plan, render it.
 * Everything here is what the command line itself uses; what is not listed is not public.
 */
export { createClient, type Client, type ClientOptions } from './api/client.ts';
export { CATALOGUE, OPERATIONS, type CallInput, type Operation, type Reply } from './api/catalogue.ts';
export { InvalidCallError, ServiceError, type Problem } from './api/errors.ts';
export type { Exchange } from './api/exchange.ts';
export { ApiKey } from './api/key.ts';
export { IncompleteScanError } from './api/pages/incomplete.ts';
export type { Departure, Fetch } from './domain/ports.ts';
export { createTransport } from './api/transport.ts';
export { ALLOWANCES, type Allowance } from './domain/allowance.ts';
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
export { NOTHING_KNOWN, type Knowledge } from './domain/knowledge.ts';
export type { Policy } from './domain/policy.ts';
export type { Clock, Files } from './domain/ports.ts';
export {
  formatAddress,
  type Address,
  type Declared,
  type Kind,
  type Observed,
  type PlaceOf,
  type ResolvedAccount,
} from './domain/resource.ts';
export type { Workspace } from './domain/workspace.ts';
export { loadDeclared, type Loaded, type LoadOptions } from './workspace/load.ts';
export type { MediaFile } from './domain/message.ts';
export type { ExaminedMedia, ExamineMedia } from './domain/media.ts';
export { systemClock } from './host/clock.ts';
export { readObserved, type Scope } from './live/read.ts';
export { buildPlan, type PlanInput } from './plan/build.ts';
export { EVERYTHING, type Targeting } from './plan/targets.ts';
export { renderJson } from './render/json.ts';
export { renderPlanMarkdown } from './render/plan-markdown.ts';
export { renderPlanText } from './render/plan-text.ts';
export { createSimulator, type Simulator } from './simulator/simulator.ts';
export { serveSimulator } from './simulator/serve.ts';
export { createWorld, parseWorld, serializeWorld, type World } from './simulator/world.ts';
