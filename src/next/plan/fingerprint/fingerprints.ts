import { writes, type Change, type ChangeKind, type Plan } from '../../../domain/change.ts';
import { canonical, sha256Of } from '../../../domain/digest.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { compareIds } from '../../../domain/ids.ts';
import {
  formatAddress,
  type Declared,
  type Kind,
  type Observed,
  type ResolvedAccount,
} from '../../../domain/resource.ts';
import type { ServiceIdentity } from '../../../domain/service-identity.ts';
import { isDeclaredToSend, isStopped, type NamedStatus } from '../../../domain/status.ts';
import type { Known, ObjectRow } from '../../../state/shapes.ts';
import { digestDeclared } from '../compare/content.ts';
import { objectKey } from '../facts.ts';
import { declaredPart, liveContentPart, replacePart } from './parts.ts';

/** What a plan was made from, as far as fingerprints need it. */
export interface FingerprintInput {
  readonly service: Pick<ServiceIdentity, 'origin'>;
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  readonly known: Pick<Known, 'objects'>;
}

/** Fingerprints of the changes of one plan. */
export interface Fingerprints {
  /** What a reviewer agrees to with this change. */
  of(change: Change): string;
  /**
   * Changes that this one is a part of. A run that was killed, or a lost answer, leaves a reviewed change half done,
   * and the next plan shows only the rest of it.
   */
  partOf(change: Change): readonly string[];
}

/** Whether a person reviews this change. The others do nothing and need nothing. */
function isReviewed(change: Change): boolean {
  return writes(change) || change.action === 'blocked' || change.action === 'missed';
}

/** The same plan with a fingerprint on each change that a person reviews, and one over all of them. */
export function withFingerprints(plan: Plan, input: Omit<FingerprintInput, 'service'>): Plan {
  const fingerprints = fingerprintsOf({ ...input, service: plan.service });
  const changes = plan.changes.map((change) =>
    isReviewed(change) ? { ...change, fingerprint: fingerprints.of(change) } : change,
  );
  return { ...plan, changes, fingerprint: planFingerprint(plan.service, changes) };
}

function planFingerprint({ origin }: Pick<ServiceIdentity, 'origin'>, changes: readonly Change[]): string {
  const all = changes.flatMap(({ fingerprint }) => fingerprint ?? []).toSorted();
  return sha256Of({ of: 'herald/plan-fingerprint/1', service: origin, changes: all });
}

/** Computed on demand, because most changes of a large plan do nothing. */
export function fingerprintsOf(input: FingerprintInput): Fingerprints {
  const { service, declared, observed, accounts } = input;
  const declaredAt = new Map(declared.map((resource) => [formatAddress(resource.address), resource]));
  const accountIds = new Map(accounts.map(({ alias, accountId }) => [alias, accountId]));
  const objects = withRows(observed, input.known);
  const byId = new Map(objects.map((one) => [keyOf(one.object, one.object.live.id), one]));
  const byName = groupBy(objects, ({ object, known }) =>
    keyOf(object, known?.ours === 1 && known.name !== '' ? known.name : (object.live.name ?? '')),
  );
  const groupOf = ({ address }: Change) => {
    const former = declaredAt.get(formatAddress(address))?.renamedFrom ?? null;
    return [address.name, ...(former === null ? [] : [former])].flatMap(
      (name) => byName.get(keyOf(address, name)) ?? [],
    );
  };
  const print = (change: Change, action: ChangeKind, takes: readonly Live[]) => {
    const { address, needs } = change;
    const resource = declaredAt.get(formatAddress(address)) ?? null;
    return sha256Of({
      of: 'herald/change/1',
      service: service.origin,
      account_id: accountIds.get(address.account) ?? null,
      kind: address.kind,
      name: address.name,
      action,
      declared: resource === null ? null : declaredPart(resource),
      replace: resource === null || action !== 'replace' ? null : replacePart(resource),
      takes: takenPart(takes, action),
      needs: action === 'blocked' ? needs.toSorted() : [],
    });
  };
  return {
    of: (change) => {
      const touched = touchedBy(change).map((id) => byId.get(keyOf(change.address, id)));
      const owed =
        change.action === 'replace' || change.action === 'create'
          ? groupOf(change).filter(({ known }) => isOwed(known))
          : [];
      return print(change, change.action, [...touched.filter((one) => one !== undefined), ...owed]);
    },
    partOf: (change) => {
      const resource = declaredAt.get(formatAddress(change.address));
      if (resource === undefined || !isDeclaredToSend(resource) || !STOPS.includes(change.action)) return [];
      const stopped = byId.get(keyOf(change.address, change.live_id ?? ''));
      if (stopped === undefined) return [];
      const group = groupOf(change);
      const made = group.filter(({ known }) => known?.declared_digest === digestDeclared(resource));
      const copies = made.length === 0 ? [] : group.filter((one) => isCopyOf(one, made));
      const ids = new Set(copies.map(({ object }) => object.live.id));
      const replaced = group.filter((one) => isOwed(one.known) || ids.has(one.known?.replaced_by ?? ''));
      const isCopy = ids.has(stopped.object.live.id);
      const takes = replaced.filter((one) => one !== stopped);
      if (isCopy) return [print(change, 'create', []), print(change, 'replace', takes)];
      return replaced.includes(stopped) ? [print(change, 'replace', replaced)] : [];
    },
  };
}

function withRows(observed: readonly Observed[], known: FingerprintInput['known']): readonly Live[] {
  const rows = new Map(
    known.objects.map((row) => [
      objectKey({ accountId: row.account_id, kind: row.kind, liveId: row.live_id }),
      row,
    ]),
  );
  return observed.map((object) => {
    const { accountId, kind, live } = object;
    return { object, known: rows.get(objectKey({ accountId, kind, liveId: live.id })) ?? null };
  });
}

interface Live {
  readonly object: Observed;
  readonly known: ObjectRow | null;
}

/** An apply stopped it for a replace, and nothing has replaced it yet. */
function isOwed(known: ObjectRow | null): boolean {
  return known?.status_by === 'apply' && known.status_why === 'replace' && known.replaced_by === null;
}

/** Changes that only stop an object. */
const STOPS: readonly ChangeKind[] = ['pause', 'archive', 'retire'];

function touchedBy({ live_id: id, steps }: Change): readonly string[] {
  return [id, ...steps.map((step) => step.live_id)].filter((one) => one !== null);
}

/** Made from the declared content, or equal to one that was. */
function isCopyOf(one: Live, made: readonly Live[]): boolean {
  const content = canonical(liveContentPart(one.object));
  return made.some((own) => own === one || canonical(liveContentPart(own.object)) === content);
}

function takenPart(takes: readonly Live[], action: ChangeKind): readonly object[] {
  return [...new Set(takes)]
    .toSorted((left, right) => compareIds(left.object.live.id, right.object.live.id))
    .map((one) => ({
      id: one.object.live.id,
      status: statusBefore(one, action),
      content: liveContentPart(one.object),
    }));
}

const RUNNING = { campaign: 'active', broadcast: 'scheduled' } as const satisfies Record<Kind, NamedStatus>;

/**
 * What Herald itself stopped for this change counts as it was before, so that a change that was cut short is still
 * the one that was reviewed.
 */
function statusBefore({ object, known }: Live, action: ChangeKind): string | null {
  const isOwnStop =
    (action === 'replace' && isOwed(known)) || (action === 'recall' && known?.status_why === 'declared');
  return isOwnStop && isStopped(object.live) ? RUNNING[object.kind] : (object.live.status ?? null);
}

function keyOf(
  { account, kind }: { readonly account: string; readonly kind: Kind },
  nameOrId: string,
): string {
  return `${account}/${kind}/${nameOrId}`;
}
