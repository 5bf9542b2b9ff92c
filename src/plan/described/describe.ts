import type { Allowance } from '../../domain/allowance.ts';
import type { Change, Plan } from '../../domain/change.ts';
import type { Knowledge } from '../../domain/knowledge.ts';
import type { Policy } from '../../domain/policy.ts';
import { formatAddress, type Declared, type Observed } from '../../domain/resource.ts';
import { shownPolicy } from '../../policy/shown.ts';
import { instant } from '../instant.ts';
import { knownOf } from '../match.ts';
import { collectContents } from './contents.ts';
import { deadlinesOf } from './deadlines.ts';

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

/** What the plan was made from. */
interface Described extends Circumstances {
  /** Whether the plan tells what the files declare. */
  readonly contents: boolean;
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
  readonly settings: {
    readonly accounts: readonly { readonly alias: string }[];
    readonly allow: readonly Allowance[];
    readonly policy: Policy;
  };
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
}

/** Adds to a plan what a person needs to review it without the files. Its decisions stay as they are. */
export function describePlan(plan: Plan, input: Described): Plan {
  const { declared, observed, knowledge, settings, nowMs, workspace, who, commit, flags } = input;
  const { toolVersion, repository = [] } = input;
  const live = new Map(observed.map((object) => [liveKey(object, object.live.id), object]));
  const byAddress = new Map(declared.map((resource) => [formatAddress(resource.address), resource]));
  const observedOf = ({ address, live_id: id }: Change) => {
    return id === null ? undefined : live.get(liveKey(address, id));
  };
  const contents = input.contents ? collectContents(plan.changes, declared) : null;
  const deadlines = deadlinesOf(
    plan.changes,
    (change) => {
      const object = observedOf(change);
      return {
        declared: byAddress.get(formatAddress(change.address)),
        observed: object,
        pausedAtMs: object === undefined ? null : (knownOf(object, knowledge)?.pausedAtMs ?? null),
      };
    },
    nowMs,
  );
  const changes = plan.changes.map((change) => {
    const content = contents?.indexOf(change);
    const at = liveTimeOf(observedOf(change));
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
    planned_at: instant(nowMs),
    who,
    ...(toolVersion === undefined ? {} : { tool_version: toolVersion }),
    ...(repository.length === 0 ? {} : { repository: [...repository] }),
    ...(commit == null ? {} : { commit }),
    allowed: allowedBy(flags, settings.allow),
    accounts: settings.accounts.map(({ alias }) => alias),
    deadlines,
    ...(contents === null ? {} : { contents: contents.contents, variables: contents.variables }),
    policy: shownPolicy(settings.policy),
  };
}

function liveKey({ account, kind }: { readonly account: string; readonly kind: string }, id: string): string {
  return `${account}/${kind}/${id}`;
}

/** Null for a campaign, and after a broadcast was sent (BROADCAST-11). */
function liveTimeOf(observed: Observed | undefined): string | null {
  if (observed?.kind !== 'broadcast') return null;
  const at = Date.parse(observed.live.scheduled_at ?? '');
  return Number.isNaN(at) ? null : instant(at);
}

function allowedBy(
  flags: ReadonlySet<Allowance>,
  settings: readonly Allowance[],
): NonNullable<Plan['allowed']> {
  const names = [...new Set([...flags, ...settings])].toSorted();
  return names.map((name) => ({ name, from: settings.includes(name) ? 'herald.yaml' : 'flag' }));
}
