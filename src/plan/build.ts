import type { Allowance } from '../domain/allowance.ts';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { writes, type Change, type Plan } from '../domain/change.ts';
import { compareDiagnostics, compareText } from '../domain/diagnostic.ts';
import { compareIds } from '../domain/ids.ts';
import type { KnowledgeOn } from '../domain/knowledge.ts';
import type { Policy } from '../domain/policy.ts';
import {
  compareAddresses,
  formatAddress,
  type Declared,
  type Observed,
  type PlaceOf,
  type ResolvedAccount,
} from '../domain/resource.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import type { BroadcastMember } from './broadcast/column.ts';
import type { CampaignMember } from './campaign/column.ts';
import { decideBroadcast } from './broadcast/decide.ts';
import { decideCampaign } from './campaign/decide.ts';
import type { Decision } from './decision.ts';
import { sayDropped } from './compare/dropped-notes.ts';
import { closingWindows } from './closing-windows.ts';
import { etaSec, type Rates } from './eta.ts';
import { guardHidden } from './guards/hidden.ts';
import { guardLeftOpen } from './guards/left-open.ts';
import {
  blockChange,
  guardMissing,
  guardOpen,
  guardRename,
  indexOpen,
  stopsUnseen,
  type OpenIndex,
  type OpenRequests,
} from './guards/guards.ts';
import { leftRunning, type Selection } from './guards/left-running.ts';
import { clashesIn } from './same-content.ts';
import { openStartsIn } from './guards/open-starts.ts';
import {
  guardReplaced,
  leftBy,
  openSuccessorsIn,
  replacementsIn,
  type Replacement,
} from './guards/successors.ts';
import { sayIgnored } from './guards/ignored-notes.ts';
import type { HeardAtMs } from './just-now.ts';
import { leaveWhatDiffersAgain, warnOfLiveEdit } from './left-as-it-is.ts';
import { sayAdopted, withCopiesOfOurs } from './match.ts';
import type { Member } from './member.ts';
import { nearMatches, openEntryNotes, textNames, unnamedNotes } from './notes.ts';
import { checkRun } from '../policy/check.ts';
import { policyFindings } from './policy-findings.ts';
import { guardProtected } from './guards/protect.ts';
import { fingerprintsOf } from './fingerprint/fingerprints.ts';
import { guardApproved } from './guards/approved.ts';
import { guardReviewed, notPermitted } from './guards/reviewed.ts';
import { leaveUnseen, type Unseen } from './guards/unseen.ts';
import { guardUnreadable, guardUnreadablePrune, type Unreadable } from './guards/unreadable.ts';
import { sayQueued } from './queue.ts';
import type { Permissions } from './review.ts';
import { buildScopes, memberOf, type Scope } from './scope.ts';
import { twinsNextTo } from './twin-next-to.ts';
import { leftOutNotes, selectionOf, type Targeting } from './targets.ts';
import { decideUndeclared, type Rename } from './undeclared.ts';
import { uploadsFor, type AddUploads } from './uploads.ts';

/** Everything a plan depends on. It reads no clock and sends nothing: same input, same plan. */
export interface PlanInput extends Permissions {
  /** What `observed` was read from. */
  readonly service: ServiceIdentity;
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  /** What could not be read, so that nothing is known of it. Absent if everything was. */
  readonly unseen?: Unseen;
  readonly accounts: readonly ResolvedAccount[];
  readonly knowledge: KnowledgeOn<'service'>;
  /** What `knowledge` may lack. */
  readonly unreadable: Unreadable;
  readonly allow: ReadonlySet<Allowance>;
  readonly policy: Policy;
  /** What `--allow prune` may retire where the ledger does not know it; null when not declared. */
  readonly ownershipPrefix: string | null;
  /** Patterns of `files:` that match nothing: what they declared looks removed. */
  readonly unmatched: readonly string[];
  /** Where the fields of declared resources stand. */
  readonly placeOf: PlaceOf;
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
  /** How much earlier it may be, in milliseconds, because the clocks do not agree. 0 or absent if they do. */
  readonly clocksApartMs?: number;
  readonly settleMs: number;
  /** When the ledger last heard of what it knows. */
  readonly heardAtMs?: HeardAtMs;
  /** How long before a window closes a plan warns of it. */
  readonly warnBeforeMs: number;
  readonly rates: Rates;
  /** What the run is about; everything else is left as it is. */
  readonly targeting: Targeting;
}

/** Compares what is declared with what is live and decides, for every resource, what is to be done. */
export function buildPlan(given: PlanInput): Plan {
  const input = { ...given, declared: given.declared.map((declared) => dueNow(declared, given.nowMs)) };
  const { selects, reaches } = selectionOf(input.targeting);
  const reached = input.declared.filter(({ address, kind }) => reaches(address.account, kind));
  const { seen: listed, changes: hidden, notes } = leaveUnseen(reached, input.unseen);
  const scopes = buildScopes({ ...input, declared: listed });
  const open = indexOpen(input.knowledge.open, input.nowMs, input.settleMs);
  const permit = permission(input);
  const run = { selects, permits: (change: Change) => permit(change) === change };
  const decisions = scopes.flatMap((scope) => decideScope(input, scope, { open, run }));
  const renames = decisions.flatMap(({ rename }) => (rename === null ? [] : [rename]));
  const undeclared = decideUndeclared(input, scopes, renames);
  const pruned = undeclared.changes.map((one) => guardUnreadablePrune(one, input.unreadable));
  // Lists are judged as a whole, also what is left out: only so is a copy or a rename known as what it is.
  const observedOf = observedById(input.observed);
  const decided = [...decisions.flatMap((decision) => decision.changes), ...pruned, ...hidden];
  const all = decided.map((change) =>
    sayQueued(change, (id) => observedOf.get(liveKeyOf(change.address, id))),
  );
  const wanted = all.filter(({ address }) => selects(address)).toSorted(compareChanges);
  const changes = wanted.map(permit);
  const left = new Set(
    input.declared.filter(({ address }) => !selects(address)).map(({ address }) => formatAddress(address)),
  );
  const aboutResources = [
    ...decisions.flatMap((decision) => decision.diagnostics),
    ...scopes.flatMap((scope) => textNames(scope.declared, scope.unclaimed)),
    ...policyFindings(
      { ...input, leftOut: new Set([...left, ...notPermitted(changes, wanted)]) },
      scopes,
      all,
    ),
    ...nearMatches(input),
  ];
  const diagnostics = [
    ...aboutResources.filter(({ address }) => address === undefined || !left.has(address)),
    ...undeclared.diagnostics,
    ...leftOutNotes(input.targeting, input.declared),
    ...unnamedNotes(input.observed),
    ...notes,
    ...openEntryNotes(input.knowledge),
    ...checkRun(input.policy, {
      changes: changes.filter(writes).length,
      allow: input.allow,
      missed: changes
        .filter(({ action }) => action === 'missed')
        .map(({ address }) => formatAddress(address)),
    }),
  ].toSorted(compareDiagnostics);
  return {
    schema: 'herald/plan/1',
    service: input.service,
    changes,
    summary: summarise(changes),
    diagnostics,
    eta_sec: etaSec(changes, input.rates),
  };
}

/** Blocks what is outdated, not reviewed or not approved; limits count the changes after that. */
function permission(input: PlanInput): (change: Change) => Change {
  const { review = null, approvals = null, outdated = null } = input;
  if (review === null && approvals === null && outdated === null) return (change) => change;
  const fingerprints = fingerprintsOf(input);
  const reviewed = review === null ? null : guardReviewed(review, fingerprints);
  const approved = approvals === null ? null : guardApproved(approvals, fingerprints);
  return (change) => {
    const because = writes(change) ? (outdated?.(change.address) ?? null) : null;
    if (because !== null) return blockChange(change, because);
    const one = reviewed?.(change) ?? change;
    return approved?.(one) ?? one;
  };
}

function withBlocked(decided: readonly Decided[], blocked: ReadonlyMap<Change, Change>): readonly Decided[] {
  if (blocked.size === 0) return decided;
  return decided.map((one) => ({
    ...one,
    changes: one.changes.map((change) => blocked.get(change) ?? change),
  }));
}

/** What is sent at once is due at the time of the plan. */
function dueNow(declared: Declared, nowMs: number): Declared {
  if (declared.kind !== 'broadcast' || declared.atOnce !== true) return declared;
  return { ...declared, scheduledAtUtc: new Date(nowMs).toISOString() };
}

function decideScope(
  input: PlanInput,
  scope: Scope,
  { open, run }: { readonly open: OpenIndex; readonly run: Selection },
): readonly Decided[] {
  const { knowledge, nowMs, settleMs } = input;
  const openStarts = openStartsIn(scope, open, knowledge);
  const openSuccessors = openSuccessorsIn(scope, open, knowledge);
  const nearTo = (declared: Declared) => [...openStarts(declared), ...openSuccessors(declared)];
  const near = { open, nearTo, settleMs, replacementOf: replacementsIn(scope, knowledge, nowMs) };
  const addUploads = uploadsFor(input.accounts, knowledge.media);
  const about = { scope, near, addUploads, twinNextTo: twinsNextTo(scope, knowledge) };
  const decided = scope.declared.map((declared) => decide(input, about, declared));
  const clashes = clashesIn({ decided, knowledge, isJustStarted: scope.isJustStarted });
  return withBlocked(decided, leftRunning(clashes, run));
}

interface Decided extends Decision {
  readonly declared: Declared;
  /** Every live object of its name. */
  readonly group: readonly Observed[];
  /** What a create of it looks like a rename of; null if it looks like none. */
  readonly rename: Rename | null;
}

/** What may put a copy next to a declared resource. */
interface Near extends OpenRequests {
  readonly replacementOf: (declared: Declared) => Replacement | null;
}

/** What the decisions about one list share. */
interface ListContext {
  readonly scope: Scope;
  readonly near: Near;
  readonly addUploads: AddUploads;
  readonly twinNextTo: ReturnType<typeof twinsNextTo>;
}

function decide(
  input: PlanInput,
  { scope, near, addUploads, twinNextTo }: ListContext,
  declared: Declared,
): Decided {
  const { nowMs, clocksApartMs = 0, allow, knowledge } = input;
  const objects = scope.index.groupOf(declared);
  const members = objects.map((observed) => memberOf(declared, observed, knowledge));
  const group = leaveWhatDiffersAgain(declared, withCopiesOfOurs(members), allow);
  const wished =
    declared.kind === 'campaign'
      ? decideCampaign(declared, group as readonly CampaignMember[], { nowMs, clocksApartMs, allow })
      : decideBroadcast(declared, group as readonly BroadcastMember[], { nowMs, clocksApartMs, allow });
  const { changes, diagnostics } = sayDropped(
    warnOfLiveEdit(sayIgnored(wished, declared, group), declared, group),
    declared,
  );
  const twin = twinNextTo({ declared, group: objects, changes });
  const missing = scope.missingFor(declared);
  const replacement = near.replacementOf(declared);
  const guarded = changes.map((wanted) => {
    const listed = guardMissing(wanted, declared, missing, input.service);
    const shown = guardHidden(listed, declared, () => scope.hiddenTwinOf(declared));
    const settled = guardOpen(guardRename(shown, declared, twin), declared, near);
    const alone = guardReplaced(settled, declared, replacement);
    return guardUnreadable(guardLeftOpen(alone, declared, input.placeOf), input.unreadable);
  });
  const kept = guardProtected(guarded, {
    declared,
    protectedIds: protectedIn(group),
    placeOf: input.placeOf,
  });
  const told = kept.map((one) => sayAdopted(one, group, knowledge));
  const whole = [...told.map((one) => addUploads(one, declared)), ...stopsUnseen(declared, changes, missing)];
  const closing = closingWindows(declared, group, whole, input);
  const old = twin?.observed ?? leftBy(changes, replacement);
  return {
    declared,
    group: objects,
    changes: whole,
    diagnostics: [...diagnostics, ...closing],
    rename: old === null ? null : { declared, old },
  };
}

function observedById(observed: readonly Observed[]): ReadonlyMap<string, Observed> {
  return new Map(observed.map((object) => [liveKeyOf(object, object.live.id), object]));
}

function liveKeyOf({ account, kind }: Pick<Observed, 'account' | 'kind'>, id: string): string {
  return `${account}/${kind}/${id}`;
}

function protectedIn(group: readonly Member[]): ReadonlySet<string> {
  return new Set(group.filter(({ known }) => known?.isProtected === true).map(({ id }) => id));
}

/** How many changes there are of each kind. */
export function summarise(changes: readonly Change[]): Plan['summary'] {
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
