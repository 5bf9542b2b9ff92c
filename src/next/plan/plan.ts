import { CHANGE_KINDS } from '../../domain/change-kinds.ts';
import { writes, type Change, type Plan } from '../../domain/change.ts';
import { compareDiagnostics, compareText, type Diagnostic } from '../../domain/diagnostic.ts';
import { canonical } from '../../domain/digest.ts';
import { compareIds } from '../../domain/ids.ts';
import {
  compareAddresses,
  formatAddress,
  type Declared,
  type DeclaredBroadcast,
  type DeclaredCampaign,
  type Observed,
  type ObservedBroadcast,
  type ObservedCampaign,
} from '../../domain/resource.ts';
import { checkPolicy, checkRun } from '../../policy/check.ts';
import { decideBroadcast } from './decide/broadcast.ts';
import { decideCampaign } from './decide/campaign.ts';
import { blocked, starts, type Decision } from './decide/decision.ts';
import { indexFacts, type Group, type GroupFacts, type Index, type List } from './decide/group.ts';
import { broadcastState } from './decide/states.ts';
import { decideUndeclared } from './decide/undeclared.ts';
import { etaSec, uploadsFor, type AddUploads } from './eta.ts';
import type { PlanFacts } from './facts.ts';
import { guarded, unseenRunning } from './guards.ts';
import {
  accountsLeft,
  annotate,
  closingWindows,
  leaveUnseen,
  nearMatches,
  openNotes,
  textNames,
  unnamedNotes,
  withOwnQueue,
} from './notes.ts';
import { permission } from './permissions.ts';
import { listProtections, protectionNotes } from './protection.ts';
import { findSameIn, type FindSame, type SameContent } from './same-content.ts';
import { leftOutNotes, selectionOf } from './targets.ts';

/** Compares what is declared with what is live, and decides for every resource what is to be done. */
export function buildPlan(given: PlanFacts): Plan {
  const { selects, reaches } = selectionOf(given.targeting);
  const reached = given.declared
    .filter(({ address, kind }) => reaches(address.account, kind))
    .map((declared) => dueNow(declared, given.time.latestMs));
  const { seen, changes: unseen, notes } = leaveUnseen(reached, given.unseen);
  const index = indexFacts({ ...given, declared: seen });
  const decided = index.lists.flatMap((list) => decideList(list, index, given));
  const undeclared = decideUndeclared({ index, facts: given, renames: renamesIn(decided) });
  const byId = new Map(given.observed.map((object) => [liveKey(object, object.live.id), object]));
  const pruned = undeclared.changes.map((one) =>
    withOwnQueue(one, byId.get(liveKey(one.address, one.live_id))),
  );
  const all = [...decided.flatMap(({ changes }) => changes), ...pruned, ...unseen];
  // Lists are judged as a whole, also what is left out: only so is a copy or a rename known as what it is.
  const wanted = all.filter(({ address }) => selects(address)).toSorted(compareChanges);
  const changes = wanted.map(permission({ ...given, declared: reached }));
  const left = new Set(
    given.declared.filter(({ address }) => !selects(address)).map(({ address }) => formatAddress(address)),
  );
  const aboutResources = [
    ...decided.flatMap(({ diagnostics }) => diagnostics),
    ...index.lists.flatMap(textNames),
    ...policyFindings(index, given, all, new Set([...left, ...notPermitted(changes, wanted)])),
    ...nearMatches(index),
  ];
  const diagnostics = [
    ...aboutResources.filter(({ address }) => address === undefined || !left.has(address)),
    ...undeclared.diagnostics,
    ...leftOutNotes(given.targeting, given.declared),
    ...unnamedNotes(given),
    ...notes,
    ...openNotes(given),
    ...accountsLeft(given),
    ...protectionNotes(listProtections(index.facts, changes, index)),
    ...checkRun(given.policy, {
      changes: countOfFiles(changes),
      allow: given.allow,
      missed: changes
        .filter(({ action }) => action === 'missed')
        .map(({ address }) => formatAddress(address)),
    }),
  ].toSorted(compareDiagnostics);
  return {
    schema: 'herald/plan/1',
    service: given.service,
    changes,
    summary: summarise(changes),
    diagnostics,
    eta_sec: etaSec(changes, given.rates),
  };
}

/** What is sent at once is due at the time of the plan. */
function dueNow(declared: Declared, nowMs: number): Declared {
  if (declared.kind !== 'broadcast' || declared.atOnce !== true) return declared;
  return { ...declared, scheduledAtUtc: new Date(nowMs).toISOString() };
}

interface Decided extends Decision {
  readonly declared: Declared;
  /** What a blocked start looks like a new name of. */
  readonly rename: SameContent | null;
}

function decideList(list: List, index: Index, facts: PlanFacts): readonly Decided[] {
  const findSame = findSameIn(list, index);
  const addUploads = uploadsFor(facts.accounts, facts.known.media);
  return list.declared.map((declared) => decideOne(declared, { list, index, facts, findSame, addUploads }));
}

interface ListCase {
  readonly list: List;
  readonly index: Index;
  readonly facts: PlanFacts;
  readonly findSame: FindSame;
  readonly addUploads: AddUploads;
}

function decideOne(declared: Declared, { list, index, facts, findSame, addUploads }: ListCase): Decided {
  const group = list.groupOf(declared);
  const { changes, diagnostics } = annotate(decideGroup(group, facts), declared, group.versions, index);
  let same: SameContent | null | undefined;
  const find = () => (same === undefined ? (same = findSame(declared, group.versions)) : same);
  const about = { declared, group, list, changes, same: find, facts };
  const unseen = unseenRunning(declared, list, changes);
  const whole = [
    ...changes.map((wanted) => addUploads(guarded(wanted, about), declared)),
    ...(unseen === null ? [] : [blocked(declared, unseen)]),
  ];
  return {
    declared,
    changes: whole,
    diagnostics: [...diagnostics, ...closingWindows(declared, group.versions, whole, facts)],
    rename: changes.some(starts) ? find() : null,
  };
}

/** The row and the column of a table. */
export function decideGroup(group: Group, facts: GroupFacts & { readonly settleMs?: number }): Decision {
  return group.declared.kind === 'campaign'
    ? decideCampaign(group as Group<DeclaredCampaign, ObservedCampaign>, facts)
    : decideBroadcast(group as Group<DeclaredBroadcast, ObservedBroadcast>, facts);
}

function renamesIn(decided: readonly Decided[]): ReadonlyMap<Observed, string> {
  return new Map(
    decided.flatMap(({ declared, rename }) =>
      rename === null ? [] : [[rename.object, declared.address.name] as const],
    ),
  );
}

/** The policy's findings about the files, together with live objects that stay. */
function policyFindings(
  { lists }: Index,
  { declared, policy, time, placeOf }: PlanFacts,
  changes: readonly Change[],
  leftOut: ReadonlySet<string>,
): readonly Diagnostic[] {
  const isLeftOut = ({ address }: { readonly address: Declared['address'] }) =>
    leftOut.has(formatAddress(address));
  const sent = new Set(
    changes.filter(({ action }) => action === 'done').map(({ address }) => formatAddress(address)),
  );
  const touched = new Set(
    changes
      .filter((change) => writes(change) && !isLeftOut(change))
      .map(({ address, live_id: id }) => liveKey(address, id)),
  );
  const undeclared = lists.flatMap((list) => {
    const untouched = list.declared.filter(isLeftOut).flatMap((one) => list.groupOf(one).versions);
    return [...list.unclaimed, ...untouched.map(({ observed }) => observed)].flatMap((object) =>
      object.kind === 'broadcast' &&
      broadcastState(object) === 'waits' &&
      !touched.has(liveKey(object, object.live.id))
        ? [object]
        : [],
    );
  });
  return checkPolicy({ declared, policy, undeclared, sent, leftOut, nowMs: time.latestMs }, placeOf);
}

/** Addresses that stay as they are live, because nothing about them is permitted. The policy judges what goes out. */
function notPermitted(changes: readonly Change[], wanted: readonly Change[]): readonly string[] {
  const carriedOut = new Set(changes.filter(writes).map(({ address }) => formatAddress(address)));
  return changes
    .filter((change, at) => change !== wanted[at])
    .map(({ address }) => formatAddress(address))
    .filter((name) => !carriedOut.has(name));
}

/** Changes of the files: one resource on many accounts counts once (`max_changes`). */
function countOfFiles(changes: readonly Change[]): number {
  const counted = changes.filter(writes).map(({ address: { kind, name }, action, fields }) => {
    const edits = fields.map(({ path, new: wanted }) => [path, wanted]);
    return canonical([kind, name, action, action === 'create' ? null : edits]);
  });
  return new Set(counted).size;
}

/** How many changes there are of each kind. */
export function summarise(changes: readonly Change[]): Plan['summary'] {
  const counts = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, 0])) as Plan['summary'];
  for (const change of changes) counts[change.action] += 1;
  return counts;
}

function liveKey(
  { account, kind }: { readonly account: string; readonly kind: string },
  id: string | null,
): string {
  return `${account}/${kind}/${id ?? ''}`;
}

function compareChanges(left: Change, right: Change): number {
  return (
    compareAddresses(left.address, right.address) ||
    compareIds(left.live_id ?? '', right.live_id ?? '') ||
    compareText(left.action, right.action)
  );
}
