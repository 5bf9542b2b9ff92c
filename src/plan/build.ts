import type { Allowance } from '../domain/allowance.ts';
import { CHANGE_KINDS, WRITING_KINDS, type Change, type ChangeKind, type Plan } from '../domain/change.ts';
import { compareDiagnostics, compareText, type Diagnostic } from '../domain/diagnostic.ts';
import { compareIds } from '../domain/ids.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { compareAddresses, type Declared, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import type { Policy } from '../domain/workspace.ts';
import type { BroadcastMember } from './broadcast-column.ts';
import type { CampaignMember } from './campaign-column.ts';
import { decideBroadcast } from './decide-broadcast.ts';
import { decideCampaign } from './decide-campaign.ts';
import type { Decision } from './decision.ts';
import { etaSec, type Rates } from './eta.ts';
import { guardMissing, guardOpen, guardRename, indexOpen, type OpenIndex } from './guards.ts';
import { nearMatches, openEntryNotes, textNames, unmanagedChanges, unnamedNotes } from './notes.ts';
import { checkPolicy } from './policy.ts';
import { buildScopes, memberOf, type Scope } from './scope.ts';

/** Everything a plan depends on. It reads no clock and sends nothing: same input, same plan. */
export interface PlanInput {
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  readonly knowledge: Knowledge;
  readonly allow: ReadonlySet<Allowance>;
  readonly policy: Policy;
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
  readonly settleMs: number;
  readonly rates: Rates;
}

/** Compares what is declared with what is live and decides, for every resource, what is to be done. */
export function buildPlan(input: PlanInput): Plan {
  const scopes = buildScopes(input);
  const open = indexOpen(input.knowledge.open, input.nowMs, input.settleMs);
  const decisions = scopes.flatMap((scope) =>
    scope.declared.map((declared) => decide(input, scope, open, declared)),
  );
  const changes = [
    ...decisions.flatMap((decision) => decision.changes),
    ...scopes.flatMap((scope) => unmanagedChanges(scope.unclaimed, input.knowledge)),
  ].toSorted(compareChanges);
  const diagnostics = [
    ...decisions.flatMap((decision) => decision.diagnostics),
    ...scopes.flatMap((scope) => textNames(scope.declared, scope.unclaimed)),
    ...checkPolicy(input.declared, input.policy, input.nowMs),
    ...nearMatches(input),
    ...unnamedNotes(input.observed),
    ...openEntryNotes(input.knowledge),
    ...tooManyChanges(input, changes),
  ].toSorted(compareDiagnostics);
  return {
    schema: 'herald/plan/1',
    changes,
    summary: summarise(changes),
    diagnostics,
    eta_sec: etaSec(changes, input.rates),
  };
}

/** Whether a change sends something that changes live state. */
export function writes(change: Change): boolean {
  return (WRITING_KINDS as readonly ChangeKind[]).includes(change.action);
}

function decide(input: PlanInput, scope: Scope, open: OpenIndex, declared: Declared): Decision {
  const { nowMs, allow, knowledge, settleMs } = input;
  const group = scope.index.groupOf(declared).map((observed) => memberOf(declared, observed, knowledge));
  const { changes, diagnostics } =
    declared.kind === 'campaign'
      ? decideCampaign(declared, group as readonly CampaignMember[], { nowMs, allow })
      : decideBroadcast(declared, group as readonly BroadcastMember[], { nowMs, allow });
  const guarded = changes.map((wanted) => {
    const shown = guardMissing(wanted, declared, scope.missingFor(declared));
    const distinct = shown.action === 'create' ? guardRename(shown, scope.twinOf(declared)) : shown;
    return guardOpen(distinct, declared, open, settleMs);
  });
  return { changes: guarded, diagnostics };
}

function tooManyChanges(input: PlanInput, changes: readonly Change[]): readonly Diagnostic[] {
  const count = changes.filter(writes).length;
  if (count <= input.policy.maxChanges || input.allow.has('large')) return [];
  const message = `${count} changes are more than policy.max_changes ${input.policy.maxChanges}. Review them, then use --allow large.`;
  return [{ severity: 'error', code: 'too-many-changes', message }];
}

function summarise(changes: readonly Change[]): Plan['summary'] {
  const counts = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, 0])) as Plan['summary'];
  for (const change of changes) counts[change.action] += 1;
  return counts;
}

function compareChanges(left: Change, right: Change): number {
  return (
    compareAddresses(left.address, right.address) ||
    compareIds(left.live_id ?? '', right.live_id ?? '') ||
    compareText(left.action, right.action)
  );
}
