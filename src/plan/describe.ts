import type { Allowance } from '../domain/allowance.ts';
import type { Change, Plan } from '../domain/change.ts';
import { compareDiagnostics, type Diagnostic } from '../domain/diagnostic.ts';
import type { Policy } from '../domain/policy.ts';
import {
  compareAddresses,
  formatAddress,
  type Declared,
  type Observed,
  type PlaceOf,
} from '../domain/resource.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import { checkPolicy } from '../policy/check.ts';
import { shownPolicy } from '../policy/shown.ts';
import { collectContents } from './contents.ts';
import { formatInstant, listDeadlines } from './deadlines.ts';
import { objectKey, type PlanFacts } from './facts.ts';
import { summarise } from './plan.ts';

/** Where, when and by whom a plan was made. */
export interface Circumstances {
  readonly workspace: string | null;
  readonly who: string;
  readonly toolVersion?: string;
  /** `owner/name:folder` for each remote of git. Empty or missing where git does not tell. */
  readonly repository?: readonly string[];
  readonly commit: Plan['commit'] | null;
  /** Allowances given by a flag. */
  readonly flags: ReadonlySet<Allowance>;
}

/** The settings of a workspace, as far as a plan shows them. */
interface Settings {
  readonly accounts: readonly { readonly alias: string }[];
  readonly allow: readonly Allowance[];
  readonly policy: Policy;
}

/** What a plan was made from. */
interface Described extends Circumstances, Pick<PlanFacts, 'declared' | 'observed' | 'known' | 'past'> {
  /** Whether the plan tells what the files declare. */
  readonly contents: boolean;
  readonly settings: Settings;
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
}

/** Adds to a plan what a person needs to review it without the files. Its decisions stay as they are. */
export function describePlan(plan: Plan, input: Described): Plan {
  const { declared, settings, nowMs, workspace, who, commit, flags, toolVersion, repository = [] } = input;
  const findObject = indexObjects(input.observed);
  const findPause = indexPauses(input);
  const byAddress = new Map(declared.map((resource) => [formatAddress(resource.address), resource]));
  const contents = input.contents ? collectContents(plan.changes, declared) : null;
  const deadlines = listDeadlines(
    plan.changes,
    (change) => {
      const observed = findObject(change);
      const pausedAtMs = observed === undefined ? null : findPause(observed);
      return { declared: byAddress.get(formatAddress(change.address)), observed, pausedAtMs };
    },
    nowMs,
  );
  const changes = plan.changes.map((change) => {
    const content = contents?.indexOf(change);
    const at = readHour(findObject(change));
    // Not by a spread, with which each change gets a hidden class of its own in V8.
    return Object.assign(
      {},
      change,
      content === undefined ? {} : { content },
      at === null ? {} : { scheduled_at: at },
    );
  });
  return {
    ...plan,
    changes,
    ...(workspace === null ? {} : { workspace }),
    planned_at: formatInstant(nowMs),
    who,
    ...(toolVersion === undefined ? {} : { tool_version: toolVersion }),
    ...(repository.length === 0 ? {} : { repository: [...repository] }),
    ...(commit == null ? {} : { commit }),
    allowed: listAllowed(flags, settings.allow),
    accounts: settings.accounts.map(({ alias }) => alias),
    deadlines,
    ...(contents === null ? {} : { contents: contents.contents, variables: contents.variables }),
    policy: shownPolicy(settings.policy),
  };
}

function indexObjects(observed: readonly Observed[]): (change: Change) => Observed | undefined {
  const byId = new Map(
    observed.map((object) => [`${object.account}/${object.kind}/${object.live.id}`, object]),
  );
  return ({ address: { account, kind }, live_id: id }) => byId.get(`${account}/${kind}/${id ?? ''}`);
}

/** When an apply paused an object, in epoch milliseconds; null if it did not. */
function indexPauses({ known, past }: Described): (object: Observed) => number | null {
  const rows = new Map(
    known.objects.map((row) => [
      objectKey({ accountId: row.account_id, kind: row.kind, liveId: row.live_id }),
      row,
    ]),
  );
  return ({ accountId, kind, live }) => {
    const row = rows.get(objectKey({ accountId, kind, liveId: live.id }));
    if (row?.status_set !== 'paused' || row.status_by !== 'apply') return null;
    return past?.stoppedAtMs(row) ?? null;
  };
}

/** Null for a campaign, and after a broadcast was sent: the service does not show its hour any more. */
function readHour(observed: Observed | undefined): string | null {
  if (observed?.kind !== 'broadcast') return null;
  const at = Date.parse(observed.live.scheduled_at ?? '');
  return Number.isNaN(at) ? null : formatInstant(at);
}

function listAllowed(
  flags: ReadonlySet<Allowance>,
  settings: readonly Allowance[],
): NonNullable<Plan['allowed']> {
  const names = [...new Set([...flags, ...settings])].toSorted();
  return names.map((name) => ({ name, from: settings.includes(name) ? 'herald.yaml' : 'flag' }));
}

interface DeclaredInput extends Circumstances {
  readonly declared: readonly Declared[];
  readonly placeOf: PlaceOf;
  readonly settings: Settings & { readonly service: { readonly identity: ServiceIdentity } };
  readonly warnings: readonly Diagnostic[];
  readonly nowMs: number;
}

/** What the files declare, as the plan of a service that has nothing yet. Nothing is read, and nothing can be applied. */
export function planDeclared(input: DeclaredInput): Plan {
  const { declared, settings, warnings, placeOf, nowMs } = input;
  const changes = declared
    .map(planCreate)
    .toSorted((left, right) => compareAddresses(left.address, right.address));
  const findings = checkPolicy(
    { declared, policy: settings.policy, undeclared: [], sent: new Set(), leftOut: new Set(), nowMs },
    placeOf,
  );
  const plan: Plan = {
    schema: 'herald/plan/1',
    service: settings.service.identity,
    changes,
    summary: summarise(changes),
    diagnostics: [...warnings, ...findings].toSorted(compareDiagnostics),
    eta_sec: 0,
  };
  const known = { objects: [], media: [], aliases: [], seq: 0, isCut: false };
  return describePlan(plan, { ...input, contents: true, observed: [], known });
}

function planCreate({ address }: Declared): Change {
  return {
    address,
    action: 'create',
    live_id: null,
    reasons: [],
    fields: [],
    dropped: [],
    steps: [],
    needs: [],
    reversible: true,
    undo: '',
  };
}
