import { writes, type Change, type ChangeKind, type Plan } from '../domain/change.ts';
import { canonical, digest } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { compareIds } from '../domain/ids.ts';
import { formatAddress, KIND_ROWS, type Declared, type Observed } from '../domain/resource.ts';
import { isArchived, isStopped } from '../domain/status.ts';
import { listEntries, parseInstant, readLive, showValue } from './compare/fields.ts';
import { blockChange, CALLS, chooseVerb, isMadeFrom, listIds, starts } from './decide/decision.ts';
import { isOwed, isUnreplaced, type Version } from './decide/group.ts';
import { indexRows, keyByAlias, readName, type Permissions, type PlanFacts } from './facts.ts';

/** What was agreed. It limits what a run may do, and never says what to do. */
export type Review = NonNullable<Permissions['review']>;

/** The changes of a reviewed plan that write. What it blocked was not agreed to. */
export function reviewPlan({ changes }: Plan): Review {
  return { changes: changes.filter((change) => writes(change) && change.fingerprint !== undefined) };
}

/** Blocks what is outdated, not reviewed or not approved; limits count the changes after that. */
export function permitChanges(facts: PlanFacts): (change: Change) => Change {
  const { review = null, approvals = null, outdated = null } = facts;
  if (review === null && approvals === null && outdated === null) return (change) => change;
  const { print, listMade } = indexFingerprints(facts);
  const reviewedAt = groupBy(review?.changes ?? [], ({ address }) => formatAddress(address));
  return (change) => {
    if (!writes(change)) return change;
    const because = outdated?.(change.address) ?? null;
    if (because !== null) return blockChange(change, because);
    const withheld = { action: change.action, fingerprint: print(change) };
    // The files and the objects of the agreed change are as they were, apart from what Herald did for it.
    const covers = (agreed: Change) =>
      agreed.fingerprint === withheld.fingerprint ||
      (agreed.fingerprint === print(agreed) && isRemainder(agreed, change, listMade(agreed)));
    const agreed = reviewedAt.get(formatAddress(change.address)) ?? [];
    if (review !== null && !agreed.some(covers))
      return { ...blockChange(change, explainUnreviewed(change, agreed)), unreviewed: withheld };
    const missing = approvals?.(change, covers) ?? null;
    return missing === null ? change : { ...blockChange(change, missing), unapproved: withheld };
  };
}

function explainUnreviewed({ action, address }: Change, agreed: readonly Change[]): string {
  const again = 'To apply it, plan and review again.';
  const verb = chooseVerb(address.kind, action);
  if (agreed.length === 0)
    return `Not reviewed: Herald would ${verb} it, and no reviewed plan changes it. ${again}`;
  const earlier = [...new Set(agreed.map((one) => one.action))].toSorted().join(' and ');
  return `Not as reviewed: Herald would ${verb} it. It was reviewed as ${earlier}, and the files or the live state have changed since. ${again}`;
}

/**
 * Whether a change is the rest of an agreed one: the same address, no step of another kind, and no object but those of the
 * agreed change. What the agreed change made, of which `madeIds` may have copies, is only ever stopped. The caller has
 * compared what is declared.
 */
export function isRemainder(agreed: Change, next: Change, madeIds: ReadonlySet<string>): boolean {
  if (!writes(agreed) || formatAddress(agreed.address) !== formatAddress(next.address)) return false;
  const kinds = new Set(agreed.steps.map(({ kind }) => kind));
  const isMaking = kinds.has('create') && !starts(next);
  const own = new Set([...listIds(agreed), ...(isMaking ? madeIds : [])]);
  const isAgreed = next.steps.every(
    ({ kind, live_id: id }) =>
      kinds.has(kind) ||
      !(kind in CALLS) ||
      (id !== null && madeIds.has(id) && (kind === 'pause' || kind === 'archive')),
  );
  return isAgreed && listIds(next).every((id) => own.has(id));
}

// What a change is recognised by.

type FingerprintInput = Pick<PlanFacts, 'service' | 'declared' | 'observed' | 'accounts' | 'known'>;

/** A plan with a fingerprint on each change that a person reviews, and one over all of them. */
export function withFingerprints(plan: Plan, input: FingerprintInput): Plan {
  const isReviewed = (change: Change) => writes(change) || ['blocked', 'missed'].includes(change.action);
  const reviewed = new Set(plan.changes.filter(isReviewed).map(({ address }) => address.account));
  const declared = input.declared.filter(({ address }) => reviewed.has(address.account));
  const observed = input.observed.filter(({ account }) => reviewed.has(account));
  const { print } = indexFingerprints({ ...input, declared, observed });
  const changes = plan.changes.map((change) =>
    isReviewed(change) ? { ...change, fingerprint: print(change) } : change,
  );
  return { ...plan, changes, fingerprint: fingerprintPlan({ service: input.service, changes }) };
}

/** The fingerprint over those of the changes. What a plan says of its own may be another one. */
export function fingerprintPlan({ service, changes }: Pick<Plan, 'service' | 'changes'>): string {
  const all = changes.flatMap(({ fingerprint }) => fingerprint ?? []).toSorted();
  return digest({ of: 'herald/plan-fingerprint/1', service: service.origin, changes: all }, 'whole');
}

type Live = Pick<Version, 'observed' | 'known'>;

/** What changes are, by what is declared and live now. Computed on demand, because most changes of a large plan do nothing. */
function indexFingerprints(input: FingerprintInput) {
  const declaredAt = new Map(input.declared.map((resource) => [formatAddress(resource.address), resource]));
  const rowOf = indexRows(input.known.objects);
  const objects = input.observed.map((observed): Live => ({ observed, known: rowOf(observed) }));
  const byId = new Map(objects.map((one) => [keyByAlias(one.observed, one.observed.live.id), one]));
  const byName = groupBy(objects, ({ observed, known: row }) =>
    keyByAlias(observed, readName(observed, row)),
  );
  const accountIds = new Map(input.accounts.map(({ alias, accountId }) => [alias, accountId]));
  const findGroup = ({ address }: Change) => {
    const declared = declaredAt.get(formatAddress(address)) ?? null;
    const names = new Set([address.name, declared?.renamedFrom ?? address.name]);
    const group = [...names].flatMap((name) => byName.get(keyByAlias(address, name)) ?? []);
    return { declared, group };
  };
  return {
    /** What a reviewer agrees to with a change. What Herald stopped for the change itself counts as it was before. */
    print: (change: Change): string => {
      const { address, action, needs } = change;
      const { declared, group } = findGroup(change);
      const touched = listIds(change).flatMap((id) => byId.get(keyByAlias(address, id)) ?? []);
      const isMaking = action === 'replace' || action === 'create';
      const before = isMaking ? group.filter((one) => isUnreplaced(one) || isEnded(one, declared)) : [];
      const agreed = {
        of: 'herald/change/1',
        service: input.service.origin,
        account_id: accountIds.get(address.account) ?? null,
        kind: address.kind,
        name: address.name,
        action,
        declared: declared === null ? null : describeFile(declared),
        takes: describeTaken([...touched, ...before], action),
        needs: action === 'blocked' ? needs.toSorted() : [],
      };
      return digest(agreed, 'whole');
    },
    /** Ids of what was made from what is declared at the address of a change, and of copies of it. */
    listMade: (change: Change): ReadonlySet<string> => {
      const { declared, group } = findGroup(change);
      if (declared === null) return new Set();
      const describe = ({ observed }: Live) => canonical(describeLive(observed));
      const made = new Set(group.filter((one) => isMadeFrom(one, declared)).map(describe));
      return new Set(group.filter((one) => made.has(describe(one))).map(({ observed }) => observed.live.id));
    },
  };
}

/** Made from what is declared, and archived since: to make it once more is another change than the first create. */
function isEnded(one: Live, declared: Declared | null): boolean {
  return declared !== null && isArchived(one.observed.live) && isMadeFrom(one, declared);
}

/** What Herald stopped for this change counts as before: cut short, it is still the one reviewed. */
function describeTaken(takes: readonly Live[], action: ChangeKind): readonly object[] {
  return [...new Set(takes)]
    .toSorted((left, right) => compareIds(left.observed.live.id, right.observed.live.id))
    .map((one) => {
      const { live, kind } = one.observed;
      const isOwnStop =
        (action === 'replace' && isOwed(one)) ||
        (action === 'recall' && one.known?.status_why === 'declared');
      const status = isOwnStop && isStopped(live) ? KIND_ROWS[kind].created : (live.status ?? null);
      // Who agrees to start it again agrees for the stop that is there, and not for the next one.
      const isLifted = action === 'activate' || action === 'resume';
      const stop = isLifted ? { stop: one.known?.status_seq ?? null } : {};
      return { id: live.id, status, ...stop, content: describeLive(one.observed) };
    });
}

/** The fingerprint of everything that a plan takes from one declared resource, the same in every layout of the files. */
export function digestResource(declared: Declared): string {
  return digest({ of: 'herald/declared/1', address: declared.address, ...describeFile(declared) }, 'whole');
}

/** What a file declares: what fans get, who gets it, when, at what price, and how it replaces an older version. */
function describeFile(declared: Declared): object {
  const { kind, content, target, renamedFrom, protect, ignore } = declared;
  const messages = content.messages.map(({ attachments = [], ...message }) => ({
    ...message,
    // A file counts by its bytes and its settings, not by its path.
    attachments: attachments.map(({ file, ...settings }) =>
      file === undefined ? settings : { sha256: file.digest, type: settings.type, is_paid: settings.is_paid },
    ),
  }));
  const shared = { ...content, messages, target, renamed_from: renamedFrom, protect, ignore };
  if (kind === 'campaign') return { ...shared, replace: declared.replace, old_queue: declared.oldQueue };
  // What is sent at once has the time of its plan.
  const hour = declared.atOnce === true ? 'at once' : parseInstant(declared.scheduledAtUtc);
  return { ...shared, scheduled_at: hour };
}

/** What a live object says and to whom, without statistics and without anything that changes as time passes. */
function describeLive(object: Observed): object {
  const { name = null, audience_filters: filters } = object.live;
  // Without dates: the service may show a range in days as dates, and those move every day (CONTENT-18).
  const audience = (filters ?? []).map(({ kind, mode, options }) =>
    canonical([kind, mode, (options?.lists ?? []).map(({ id }) => id).toSorted()]),
  );
  const content = readLive(object);
  const values = listEntries({ ...content, head: {} }).map((entry) => [entry.path, showValue(entry)]);
  const head = Object.values(content.head).map(parseInstant);
  return { name, head, audience: audience.toSorted(), values };
}
