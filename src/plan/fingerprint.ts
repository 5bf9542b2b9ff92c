import { writes, type Change, type ChangeKind, type Plan } from '../domain/change.ts';
import { canonical, sha256Of } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { compareIds } from '../domain/ids.ts';
import type { DeclaredAttachment } from '../domain/message.ts';
import {
  formatAddress,
  type Declared,
  type Kind,
  type Observed,
  type ResolvedAccount,
} from '../domain/resource.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import { isArchived, isDeclaredToSend, isStopped } from '../domain/status.ts';
import type { Known, ObjectRow } from '../state/shapes.ts';
import { digestDeclared } from './compare/content.ts';
import { inOrder } from './compare/messages.ts';
import { parseInstant } from './compare/normalise.ts';
import { indexRows, keyByAlias } from './facts.ts';

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

/** A plan with a fingerprint on each change that a person reviews, and one over all of them. */
export function withFingerprints(plan: Plan, input: Omit<FingerprintInput, 'service'>): Plan {
  const fingerprints = indexFingerprints({ ...input, service: plan.service });
  const changes = plan.changes.map((change) =>
    writes(change) || change.action === 'blocked' || change.action === 'missed'
      ? { ...change, fingerprint: fingerprints.of(change) }
      : change,
  );
  const all = changes.flatMap(({ fingerprint }) => fingerprint ?? []).toSorted();
  const { origin } = plan.service;
  const fingerprint = sha256Of({ of: 'herald/plan-fingerprint/1', service: origin, changes: all });
  return { ...plan, changes, fingerprint };
}

interface Live {
  readonly object: Observed;
  readonly known: ObjectRow | null;
}

/** Computed on demand, because most changes of a large plan do nothing. */
export function indexFingerprints(input: FingerprintInput): Fingerprints {
  const { findDeclared, findLive, findGroup } = indexLive(input);
  const accountIds = new Map(input.accounts.map(({ alias, accountId }) => [alias, accountId]));
  const print = (change: Change, action: ChangeKind, takes: readonly Live[]) => {
    const resource = findDeclared(change);
    return sha256Of({
      of: 'herald/change/1',
      service: input.service.origin,
      account_id: accountIds.get(change.address.account) ?? null,
      kind: change.address.kind,
      name: change.address.name,
      action,
      declared: resource === null ? null : describeFile(resource),
      takes: describeTaken(takes, action),
      needs: action === 'blocked' ? change.needs.toSorted() : [],
    });
  };
  return {
    of: (change) => {
      const { action, live_id: id, steps } = change;
      const touched = [id, ...steps.map((step) => step.live_id)].flatMap(
        (one) => findLive(change, one) ?? [],
      );
      const resource = findDeclared(change);
      const isMaking = action === 'replace' || action === 'create';
      const before = findGroup(change).filter((one) => isOwed(one) || isEnded(one, resource));
      return print(change, action, [...touched, ...(isMaking ? before : [])]);
    },
    partOf: (change) => {
      const resource = findDeclared(change);
      if (resource === null || !isDeclaredToSend(resource)) return [];
      const group = findGroup(change);
      const owed = group.filter(isOwed);
      // The create of a replace with an old version that is paused already.
      if (change.action === 'create') return owed.length === 0 ? [] : [print(change, 'replace', owed)];
      const stopped = findLive(change, change.live_id);
      if (stopped === undefined || !STOPS.includes(change.action)) return [];
      const made = group.filter((one) => one.known?.declared_digest === digestDeclared(resource));
      const copies = new Set(
        group.filter((one) => isMadeFrom(one, made)).map(({ object }) => object.live.id),
      );
      const replaced = group.filter((one) => isOwed(one) || copies.has(one.known?.replaced_by ?? ''));
      if (!copies.has(stopped.object.live.id))
        return replaced.includes(stopped) ? [print(change, 'replace', replaced)] : [];
      const rest = replaced.filter((one) => one !== stopped);
      return [print(change, 'create', []), print(change, 'replace', rest)];
    },
  };
}

/** Finds what a change is about. */
function indexLive({ declared, observed, known }: FingerprintInput) {
  const declaredAt = new Map(declared.map((resource) => [formatAddress(resource.address), resource]));
  const rowOf = indexRows(known.objects);
  const objects = observed.map((object): Live => ({ object, known: rowOf(object) }));
  const byId = new Map(objects.map((one) => [keyByAlias(one.object, one.object.live.id), one]));
  const byName = groupBy(objects, ({ object, known: row }) =>
    keyByAlias(object, row?.ours === 1 && row.name !== '' ? row.name : (object.live.name ?? '')),
  );
  const findDeclared = ({ address }: Change) => declaredAt.get(formatAddress(address)) ?? null;
  return {
    findDeclared,
    findLive: ({ address }: Change, id: string | null) => byId.get(keyByAlias(address, id)),
    findGroup: (change: Change) => {
      const former = findDeclared(change)?.renamedFrom ?? null;
      const names = former === null ? [change.address.name] : [change.address.name, former];
      return names.flatMap((name) => byName.get(keyByAlias(change.address, name)) ?? []);
    },
  };
}

/** An apply stopped it for a replace, and nothing has replaced it yet. */
function isOwed(one: Live): boolean {
  return isStoppedForReplace(one) && one.known?.replaced_by === null;
}

function isStoppedForReplace({ known }: Live): boolean {
  return known?.status_by === 'apply' && known.status_why === 'replace';
}

/** Made from what is declared, and archived since: to make it once more is another change than the first create. */
function isEnded({ known, object }: Live, declared: Declared | null): boolean {
  if (declared === null || !isArchived(object.live)) return false;
  return known?.declared_digest === digestDeclared(declared);
}

/** Changes that only stop an object. */
const STOPS: readonly ChangeKind[] = ['pause', 'archive', 'retire'];

/** Made from the declared content, or equal to one that was. */
function isMadeFrom(one: Live, made: readonly Live[]): boolean {
  const content = canonical(describeLive(one.object));
  return made.some((own) => own === one || canonical(describeLive(own.object)) === content);
}

const RUNNING: Readonly<Record<Kind, string>> = { campaign: 'active', broadcast: 'scheduled' };

/**
 * What Herald itself stopped for this change counts as it was before, so that a change that was cut short is still
 * the one that was reviewed.
 */
function describeTaken(takes: readonly Live[], action: ChangeKind): readonly object[] {
  return [...new Set(takes)]
    .toSorted((left, right) => compareIds(left.object.live.id, right.object.live.id))
    .map((one) => {
      const { object, known } = one;
      const isOwnStop =
        (action === 'replace' && isStoppedForReplace(one)) ||
        (action === 'recall' && known?.status_why === 'declared');
      const status =
        isOwnStop && isStopped(object.live) ? RUNNING[object.kind] : (object.live.status ?? null);
      return { id: object.live.id, status, content: describeLive(object) };
    });
}

/** The fingerprint of everything that a plan takes from one declared resource, the same in every layout of the files. */
export function digestResource(declared: Declared): string {
  const { address, kind, renamedFrom, protect, ignore } = declared;
  return sha256Of({
    of: 'herald/declared/1',
    address,
    kind,
    declared: describeFile(declared),
    renamed_from: renamedFrom,
    protect,
    ignore,
  });
}

/** What a file declares: what fans get, who gets it, when, at what price, and how it replaces an older version. */
function describeFile(declared: Declared): object {
  const { content } = declared;
  const messages = content.messages.map(({ attachments = [], ...message }) => ({
    ...message,
    attachments: attachments.map(describeAttachment),
  }));
  const shared = { ...content, messages, target: declared.target };
  return declared.kind === 'campaign'
    ? { ...shared, replace: declared.replace, old_queue: declared.oldQueue }
    : // What is sent at once has the time of its plan.
      {
        ...shared,
        scheduled_at: declared.atOnce === true ? 'at once' : parseInstant(declared.scheduledAtUtc),
      };
}

/** A file counts by its bytes and its settings, not by its path. */
function describeAttachment({ file, ...settings }: DeclaredAttachment): object {
  return file === undefined
    ? settings
    : { sha256: file.digest, type: settings.type, is_paid: settings.is_paid };
}

/** What a live object says and to whom, without statistics and without anything that changes as time passes. */
function describeLive({ kind, live }: Observed): object {
  const { name = null, rules, audience_filters: filters, messages } = live;
  // Without dates: the service may show a range in days as dates, and those move every day (CONTENT-18).
  const audience = (filters ?? []).map((filter) =>
    canonical([filter.kind, filter.mode, (filter.options?.lists ?? []).map(({ id }) => id).toSorted()]),
  );
  const content = inOrder(messages ?? []).map(
    ({ text, price_gross, delay_sec, text_is_paid, attachments, tagged_platform_account_ids }) => ({
      text,
      price_gross,
      delay_sec,
      text_is_paid,
      attachments: (attachments ?? []).map(({ id, type, is_paid }) => ({ id, type, is_paid })),
      tagged_platform_account_ids,
    }),
  );
  const head = kind === 'campaign' ? [live.trigger, live.action] : [parseInstant(live.scheduled_at)];
  return { name, head, rules, audience: audience.toSorted(), messages: content };
}
