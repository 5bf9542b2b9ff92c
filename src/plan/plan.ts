import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { writes, type Change, type Plan, type Queued, type Step, type StepKind } from '../domain/change.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import { formatCommand } from '../domain/command-line.ts';
import { compareDiagnostics, compareText, type Diagnostic } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { compareIds } from '../domain/ids.ts';
import { listFiles } from '../domain/media.ts';
import type { CampaignReply } from '../domain/replies.ts';
import {
  compareAddresses,
  formatAddress,
  KIND_ROWS,
  type Declared,
  type Observed,
  type ObservedBroadcast,
} from '../domain/resource.ts';
import { checkPolicy, checkRun } from '../policy/check.ts';
import { isAboutObject, isUnconfirmed } from '../state/shapes.ts';
import { listDropped } from './compare/content.ts';
import { decideBroadcast } from './decide/broadcast.ts';
import { decideCampaign } from './decide/campaign.ts';
import { blocked, CALLS, creates, isUnreadable, listIds, warning, type Decision } from './decide/decision.ts';
import {
  formatByHand,
  indexFacts,
  nameRequest,
  type Index,
  type List,
  type Version,
} from './decide/group.ts';
import { decideUndeclared } from './decide/undeclared.ts';
import { keyByAlias, type PlanFacts, type Targeting, selectAddresses } from './facts.ts';
import { guardChanges, indexSame } from './guards.ts';
import { permitChanges } from './review.ts';

/** Compares what is declared with what is live, and decides for every resource what is to be done. */
export function buildPlan(facts: PlanFacts): Plan {
  const given = { ...facts, declared: facts.declared.map((one) => dueNow(one, facts.time.latestMs)) };
  const { selects, reaches } = selectAddresses(given.targeting);
  const reached = given.declared.filter(({ address, kind }) => reaches(address.account, kind));
  const unseen = blockUnseen(reached, given);
  const index = indexFacts({ ...given, declared: unseen.seen });
  const decided = index.lists.flatMap((list) => decideList(list, index, given));
  const decisions = [...decided, ...decideUndeclared(index, given), ...unseen.decided];
  const made = decisions.filter(isChange);
  const touched = new Set(made.flatMap(({ steps }) => steps.map(({ live_id: id }) => id)));
  const objects = given.observed.filter(({ live }) => touched.has(live.id));
  const byId = new Map(objects.map((object) => [keyByAlias(object, object.live.id), object]));
  const all = made.map((change) => withQueues(change, (id) => byId.get(keyByAlias(change.address, id))));
  // Lists are judged as a whole, also what is left out: only so is a copy known as what it is.
  const wanted = all.filter(({ address }) => selects(address)).toSorted(compareChanges);
  const changes = wanted.map(permitChanges({ ...given, declared: reached }));
  const left = new Set(
    given.declared.filter(({ address }) => !selects(address)).map(({ address }) => formatAddress(address)),
  );
  const leftOut = new Set([...left, ...listRefused(changes, wanted)]);
  const found = decisions.filter((one) => 'severity' in one);
  const diagnostics = [
    ...[...found, ...findPolicyBreaches(index, given, all, leftOut)].filter(
      ({ address }) => address === undefined || !left.has(address),
    ),
    ...noteLeftOut(given.targeting, left.size),
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

/** What the run ignores, so that no one takes an empty plan for the whole workspace. */
function noteLeftOut({ changedSince }: Targeting, left: number): readonly Diagnostic[] {
  if (left === 0) return [];
  const what = left === 1 ? '1 resource is' : `${left} resources are`;
  const why =
    changedSince === undefined ? 'left out by --target or --exclude' : `declared as in ${changedSince}`;
  const message = `${what} ${why}. Herald neither compares nor changes them. To see how they are live: ${formatCommand('drift')}`;
  return [{ severity: 'info', code: 'left-out', message }];
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
  if (unseen.size === 0) return { decided: [], seen: declared };
  const explain = (list: string, why: string) =>
    `${why} To leave it out: ${formatCommand('plan', '--exclude', list)}`;
  const findWhy = ({ address: { account, kind } }: Declared) =>
    unseen.get(`${account}/${kind}`) ?? unseen.get(account);
  const blocks = declared.flatMap((one) => {
    const why = findWhy(one);
    return why === undefined ? [] : [blocked(one, explain(one.address.account, why))];
  });
  const lists = new Set(
    declared.flatMap(({ address: { account, kind } }) => [account, `${account}/${kind}`]),
  );
  // Where nothing is declared, Herald may have something live all the same.
  const diagnostics = [...unseen]
    .filter(([list]) => !lists.has(list))
    .map(([list, why]): Diagnostic => ({
      severity: 'warning',
      code: 'account-not-seen',
      message: `Herald does not know what is live on ${list}. ${explain(list, why)}`,
    }));
  return { decided: [...blocks, ...diagnostics], seen: declared.filter((one) => findWhy(one) === undefined) };
}

function decideList(list: List, index: Index, facts: PlanFacts): Decision {
  const explainSame = indexSame(list, index);
  const media = facts.known.media.filter((one) => one.account_id === list.account.accountId);
  const there = new Set(media.map(({ digest }) => digest));
  return list.groups.flatMap((group): Decision => {
    const { declared } = group;
    const decision =
      declared.kind === 'campaign'
        ? decideCampaign({ ...group, declared })
        : decideBroadcast({ ...group, declared });
    const changes = decision.filter(isChange).map((change) => withDropped(change, declared, group.versions));
    const notes = changes.flatMap((change) => noteFields(change, declared, group.versions));
    const guarded = guardChanges({ group, list, changes, explainSame, facts });
    return [
      ...guarded.map((change) => withUploads(change, declared, there)),
      ...decision.filter((one) => 'severity' in one),
      ...notes,
    ];
  });
}

function isChange(one: Decision[number]): one is Change {
  return 'action' in one;
}

/** The policy's findings about the files, together with live broadcasts that stay and wait. */
function findPolicyBreaches(
  { lists, stateOf }: Index,
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
    lists
      .flatMap(({ groups }) =>
        groups.filter(({ declared: one }) => one.target === 'scheduled' && !isLeftOut(one)),
      )
      .flatMap(({ versions }) => versions.map((version) => version.observed)),
  );
  const undeclared = observed.filter(
    (object): object is ObservedBroadcast =>
      object.kind === 'broadcast' &&
      stateOf(object) === 'runs' &&
      !claimed.has(object) &&
      !touched.has(keyByAlias(object, object.live.id)),
  );
  const found = checkPolicy({ declared, policy, undeclared, sent, leftOut, nowMs: time.latestMs }, placeOf);
  // What is sent at once is judged by both clocks.
  const nowMs = time.earliestMs;
  const atOnce = declared.map((one) => dueNow(one, nowMs)).filter((one, index) => one !== declared[index]);
  const more = checkPolicy({ declared: atOnce, policy, undeclared: [], sent, leftOut, nowMs }, placeOf);
  const known = new Set(found.map(({ code, address }) => `${code} ${address ?? ''}`));
  return [...found, ...more.filter(({ code, address }) => !known.has(`${code} ${address ?? ''}`))];
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
  const written = changes.filter(writes);
  if (written.length === 0) return 0;
  const places = new Map(declared.map(({ address, source }) => [formatAddress(address), source]));
  const counted = written.map(({ address, action }) => {
    const { file, line } = places.get(formatAddress(address)) ?? {};
    return canonical([address.kind, address.name, action, file, line]);
  });
  return new Set(counted).size;
}

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

// What a plan says in addition to its decisions. None of it changes one.

/** A change that makes a new version, or would with another allowance, tells what the old ones have and the file does not. */
function withDropped(change: Change, declared: Declared, versions: readonly Version[]): Change {
  const { action, needs } = change;
  const isMaking = action === 'replace' || action === 'create' || needs.length > 0;
  if (!isMaking && action !== 'keep') return change;
  const ids = listIds(change);
  const old = versions.filter((version) => ids.includes(version.id) && !isUnreadable(version));
  const dropped = listDropped(declared, old, action === 'keep' ? declared.ignore : []);
  return dropped.length === 0 ? change : { ...change, dropped: [...dropped] };
}

/** None of it is drift: fields ignored, not in the file, or not comparable; and protection that ends. */
function noteFields(
  { action, live_id: id, dropped }: Change,
  declared: Declared,
  versions: readonly Version[],
): readonly Diagnostic[] {
  const version = versions.find((one) => one.id === id);
  const notes: Diagnostic[] = [];
  const note = (code: DiagnosticCode, message: string, severity?: Diagnostic['severity']) =>
    notes.push(warning(declared, code, message, severity));
  if (action === 'keep' && version?.known?.protect === 1 && !declared.protect) {
    const message = `The file no longer protects ${version.id}. The next apply lifts its protection.`;
    note('protection-lifted', message, 'info');
  }
  const ignored = (version?.comparison.ignored ?? []).map(({ path }) => path).join(', ');
  if (ignored !== '') {
    const message = `${ignored}: ${id ?? ''} differs from the file here, but \`ignore\` has this field. A replace takes the file's value.`;
    note('ignored', message, 'info');
  }
  const unverifiable = (version?.comparison.unverifiable ?? []).join(', ');
  if (unverifiable !== '' && ['keep', 'replace', 'create'].includes(action)) {
    const message = `${unverifiable}: cannot be compared. The service does not show it, and the state does not have what was sent.`;
    note('unverifiable', message, 'info');
  }
  if (dropped.length > 0) {
    const values = dropped.map(({ path, live }) => `${path} ${canonical(live)}`).join(', ');
    const effect = action === 'keep' ? 'A replace would drop it.' : 'The new version is created without it.';
    const next = `To keep what a file can have, add it there, or run: ${formatCommand('import', '--update')}. Set anything else again on the service after a replace.`;
    const message = `${values}: set on the service and not in the file. ${effect} ${next}`;
    note(action === 'keep' ? 'not-in-file' : 'dropped', message);
  }
  return notes;
}

/** What of a campaign is still queued; null for nothing, or where the service does not show it (CONTENT-26). */
function findQueued(live: CampaignReply): Queued | null {
  const { id, targeted_sends_count: targeted, first_message_stats: stats } = live;
  const sent = stats?.sent_messages_count;
  if (!Number.isInteger(targeted) || !Number.isInteger(sent) || targeted == null || sent == null) return null;
  return targeted <= sent ? null : { live_id: id, about: targeted - sent, targeted, sent };
}

/** What happens to the queue of a campaign that a step stops. An archive comes after the pause. */
const QUEUE_AFTER: Partial<Record<StepKind, string>> = {
  pause: 'The campaign keeps them while it is paused, and the service clears them after 7 days.',
  archive: 'The queue is cleared.',
  recall: 'The queue is cleared.',
};

/** A change that stops campaigns tells what they have still queued, and what becomes of it. */
export function withQueues(change: Change, findObject: (id: string) => Observed | undefined): Change {
  const stops = change.steps.filter(({ kind }) => kind in QUEUE_AFTER);
  const lastSteps = new Map(stops.map(({ kind, live_id: id }) => [id ?? '', kind]));
  const found = [...lastSteps].flatMap(([id, kind]) => {
    const [object, end] = [findObject(id), QUEUE_AFTER[kind]];
    const queued = object?.kind === 'campaign' ? findQueued(object.live) : null;
    return queued === null || end === undefined ? [] : [{ queued, end }];
  });
  if (found.length === 0) return change;
  const words = found.map(
    ({ queued: { live_id: id, about, targeted, sent }, end }) =>
      `${id}: about ${about} ${about === 1 ? 'send is' : 'sends are'} still queued (${targeted} targeted, ${sent} sent). ${end}`,
  );
  return { ...change, reasons: [...change.reasons, ...words], queued: found.map(({ queued }) => queued) };
}

/** Unconfirmed requests, in every plan. */
function noteOpen({ open }: PlanFacts): readonly Diagnostic[] {
  return open
    .filter(isAboutObject)
    .filter(isUnconfirmed)
    .map((request) => {
      const message = `Unconfirmed: the ${nameRequest(request)}, sent at ${new Date(request.sent_at).toISOString()}, got no answer and may have succeeded. What to do: ${formatCommand('state', 'show')}`;
      return { severity: 'warning', code: 'open-entry', message, address: formatAddress(request) };
    });
}

/** Objects on record as running on accounts that this workspace no longer names. */
function noteAccountsLeft({ left = [] }: PlanFacts): readonly Diagnostic[] {
  return left.map(({ account_id: account, kind, live_id: id, name }): Diagnostic => ({
    severity: 'warning',
    code: 'account-left',
    message: `${id} may still reach fans, and herald.yaml does not name account ${account} any more. To stop it: ${formatByHand('pause', kind, id, account)}`,
    address: formatAddress({ account, kind, name }),
  }));
}

/** The time below which the published rates do not let these changes happen, in whole seconds. */
function etaSec(changes: readonly Change[], rates: PlanFacts['rates']): number {
  const counts = new Map<string, number>();
  let [total, uploadSec] = [0, 0];
  for (const { address, steps } of changes)
    for (const step of steps) {
      // Accounts go side by side.
      if (step.kind === 'upload') uploadSec = Math.max(uploadSec, step.about_sec);
      const call = CALLS[step.kind];
      if (call === undefined) continue;
      const operation = `${KIND_ROWS[address.kind].plural}.${call}`;
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      total += 1;
    }
  const bounds = [...counts].map(([operation, count]) => count / (rates.endpoint[operation] ?? rates.token));
  return Math.ceil(Math.max(total / rates.token, ...bounds)) + uploadSec;
}

/** An estimate: what a connection takes in a second, and what the service needs in addition to the bytes. */
const BYTES_PER_SECOND = 10_000_000;
const PROCESSING_SEC = 5;

/**
 * Puts the uploads before everything else of a change that creates, so that nothing is stopped for what cannot be brought
 * into the vault. `there` are the digests of the files that are in it.
 */
function withUploads(change: Change, { content }: Declared, there: ReadonlySet<string>): Change {
  if (!creates(change)) return change;
  const missing = listFiles(content).filter(({ digest }) => !there.has(digest));
  const uploads = missing.map(({ path, size }): Step => {
    const seconds = PROCESSING_SEC + Math.ceil(size / BYTES_PER_SECOND);
    return { kind: 'upload', live_id: null, file: path, size, about_sec: seconds };
  });
  return { ...change, steps: [...uploads, ...change.steps] };
}
