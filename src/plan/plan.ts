import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { writes, type Change, type Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { compareDiagnostics, compareText, type Diagnostic } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { compareIds } from '../domain/ids.ts';
import {
  compareAddresses,
  formatAddress,
  type Declared,
  type DeclaredBroadcast,
  type DeclaredCampaign,
  type ObservedBroadcast,
} from '../domain/resource.ts';
import { checkPolicy, checkRun } from '../policy/check.ts';
import { decideBroadcast } from './decide/broadcast.ts';
import { decideCampaign } from './decide/campaign.ts';
import { blocked, type Decision } from './decide/decision.ts';
import { indexFacts, readState, type Group, type Index, type List } from './decide/group.ts';
import { decideUndeclared } from './decide/undeclared.ts';
import { keyByAlias, type PlanFacts } from './facts.ts';
import { findSameIn, guardChanges } from './guards.ts';
import {
  addUploads,
  etaSec,
  noteAccountsLeft,
  noteFields,
  noteOpen,
  withDropped,
  withQueues,
} from './notes.ts';
import { permitChanges } from './review.ts';
import { noteLeftOut, selectAddresses } from './targets.ts';

/** Compares what is declared with what is live, and decides for every resource what is to be done. */
export function buildPlan(facts: PlanFacts): Plan {
  const given = { ...facts, declared: facts.declared.map((one) => dueNow(one, facts.time.latestMs)) };
  const { selects, reaches } = selectAddresses(given.targeting);
  const reached = given.declared.filter(({ address, kind }) => reaches(address.account, kind));
  const unseen = blockUnseen(reached, given);
  const index = indexFacts({ ...given, declared: unseen.seen });
  const decided = index.lists.flatMap((list) => decideList(list, index, given));
  const undeclared = decideUndeclared(index, given);
  const byId = new Map(given.observed.map((object) => [keyByAlias(object, object.live.id), object]));
  const all = [...decided, ...undeclared, ...unseen.decided]
    .filter(isChange)
    .map((change) => withQueues(change, (id) => byId.get(keyByAlias(change.address, id))));
  // Lists are judged as a whole, also what is left out: only so is a copy known as what it is.
  const wanted = all.filter(({ address }) => selects(address)).toSorted(compareChanges);
  const changes = wanted.map(permitChanges({ ...given, declared: reached }));
  const left = new Set(
    given.declared.filter(({ address }) => !selects(address)).map(({ address }) => formatAddress(address)),
  );
  const leftOut = new Set([...left, ...listRefused(changes, wanted)]);
  const found = [...decided, ...undeclared, ...unseen.decided].filter(isFinding);
  const diagnostics = [
    ...[...found, ...findPolicyBreaches(index, given, all, leftOut)].filter(
      ({ address }) => address === undefined || !left.has(address),
    ),
    ...noteLeftOut(given.targeting, given.declared),
    ...noteOpen(given),
    ...noteAccountsLeft(given),
    ...checkRun(given.policy, {
      changes: countOfFiles(changes, given.declared),
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

/** Nothing is created, started or called unchanged on a list that was not read. */
function blockUnseen(
  declared: readonly Declared[],
  { unseen = new Map() }: PlanFacts,
): { readonly decided: Decision; readonly seen: readonly Declared[] } {
  const explain = (list: string, why: string) =>
    `${why} To leave it out: ${formatCommand('plan', '--exclude', list)}`;
  const blocks = new Map<Declared, Change>();
  for (const one of declared) {
    const { account, kind } = one.address;
    const why = unseen.get(`${account}/${kind}`) ?? unseen.get(account);
    if (why !== undefined) blocks.set(one, blocked(one, explain(account, why)));
  }
  const isBlocked = new Set(
    [...blocks.keys()].flatMap(({ address: { account, kind } }) => [account, `${account}/${kind}`]),
  );
  // Where nothing is declared, Herald may have something live all the same.
  const diagnostics = [...unseen]
    .filter(([list]) => !isBlocked.has(list))
    .map(([list, why]): Diagnostic => ({
      severity: 'warning',
      code: 'account-not-seen',
      message: `Herald does not know what is live on ${list}. ${explain(list, why)}`,
    }));
  return { decided: [...blocks.values(), ...diagnostics], seen: declared.filter((one) => !blocks.has(one)) };
}

function decideList(list: List, index: Index, facts: PlanFacts): Decision {
  const findSame = findSameIn(list, index);
  const withUploads = addUploads(facts.accounts, facts.known.media);
  return list.declared.flatMap((declared): Decision => {
    const group = list.groupOf(declared);
    const decision = decideGroup(group, facts);
    const changes = decision.filter(isChange).map((change) => withDropped(change, declared, group.versions));
    const notes = changes.flatMap((change) => noteFields(change, declared, group.versions));
    const guarded = guardChanges({ declared, group, list, changes, findSame, facts });
    return [
      ...guarded.map((change) => withUploads(change, declared)),
      ...decision.filter(isFinding),
      ...notes,
    ];
  });
}

/** The row and the column of a table. */
function decideGroup(group: Group, facts: PlanFacts): Decision {
  return group.declared.kind === 'campaign'
    ? decideCampaign(group as Group<DeclaredCampaign>, facts)
    : decideBroadcast(group as Group<DeclaredBroadcast>, facts);
}

function isChange(one: Decision[number]): one is Change {
  return 'action' in one;
}

function isFinding(one: Decision[number]): one is Diagnostic {
  return 'severity' in one;
}

/** The policy's findings about the files, together with live broadcasts that stay and wait. */
function findPolicyBreaches(
  { lists }: Index,
  { declared, observed, policy, time, placeOf }: PlanFacts,
  changes: readonly Change[],
  leftOut: ReadonlySet<string>,
): readonly Diagnostic[] {
  const isLeftOut = ({ address }: Pick<Change, 'address'>) => leftOut.has(formatAddress(address));
  const sent = new Set(
    changes.filter(({ action }) => action === 'done').map(({ address }) => formatAddress(address)),
  );
  const touched = new Set(
    changes
      .filter((change) => writes(change) && !isLeftOut(change))
      .map(({ address, live_id: id }) => keyByAlias(address, id)),
  );
  const claimed = new Set(
    lists.flatMap((list) =>
      list.declared
        .filter((one) => !isLeftOut(one))
        .flatMap((one) => list.groupOf(one).versions.map((version) => version.observed)),
    ),
  );
  const undeclared = observed.filter(
    (object): object is ObservedBroadcast =>
      object.kind === 'broadcast' &&
      readState(object) === 'runs' &&
      !claimed.has(object) &&
      !touched.has(keyByAlias(object, object.live.id)),
  );
  return checkPolicy({ declared, policy, undeclared, sent, leftOut, nowMs: time.latestMs }, placeOf);
}

/** Addresses that stay as they are live, because nothing about them is permitted. The policy judges what goes out. */
function listRefused(changes: readonly Change[], wanted: readonly Change[]): readonly string[] {
  const carriedOut = new Set(changes.filter(writes).map(({ address }) => formatAddress(address)));
  return changes
    .filter((change, at) => change !== wanted[at])
    .map(({ address }) => formatAddress(address))
    .filter((name) => !carriedOut.has(name));
}

/** Changes of the files: one resource on many accounts counts once (`max_changes`). */
function countOfFiles(changes: readonly Change[], declared: readonly Declared[]): number {
  const places = new Map(declared.map(({ address, source }) => [formatAddress(address), source]));
  const counted = changes.filter(writes).map(({ address, action }) => {
    const { file, line } = places.get(formatAddress(address)) ?? {};
    return canonical([address.kind, address.name, action, file, line]);
  });
  return new Set(counted).size;
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
