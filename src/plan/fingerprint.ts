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
import { digestDeclared, readLiveHead } from './compare/content.ts';
import { inOrder, messageEntries } from './compare/messages.ts';
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

/** A plan with a fingerprint on each change that a person reviews, and one over all of them. */
export function withFingerprints(plan: Plan, input: Omit<FingerprintInput, 'service'>): Plan {
  const listFingerprints = indexFingerprints({ ...input, service: plan.service });
  const changes = plan.changes.map((change) => {
    const isReviewed = writes(change) || change.action === 'blocked' || change.action === 'missed';
    return isReviewed ? { ...change, fingerprint: listFingerprints(change)[0] } : change;
  });
  const all = changes.flatMap(({ fingerprint }) => fingerprint ?? []).toSorted();
  const { origin } = plan.service;
  const fingerprint = sha256Of({ of: 'herald/plan-fingerprint/1', service: origin, changes: all });
  return { ...plan, changes, fingerprint };
}

interface Live {
  readonly object: Observed;
  readonly known: ObjectRow | null;
}

/**
 * Fingerprints of the changes of one plan. The first is what a reviewer agrees to with the change. The others are those of
 * changes that it is the rest of: a run that was killed, or a lost answer, leaves a reviewed change half done.
 */
export type ListFingerprints = (change: Change) => readonly [own: string, ...wholes: readonly string[]];

/** Computed on demand, because most changes of a large plan do nothing. */
export function indexFingerprints(input: FingerprintInput): ListFingerprints {
  const declaredAt = new Map(input.declared.map((resource) => [formatAddress(resource.address), resource]));
  const rowOf = indexRows(input.known.objects);
  const objects = input.observed.map((object): Live => ({ object, known: rowOf(object) }));
  const byId = new Map(objects.map((one) => [keyByAlias(one.object, one.object.live.id), one]));
  const byName = groupBy(objects, ({ object, known: row }) =>
    keyByAlias(object, row?.ours === 1 && row.name !== '' ? row.name : (object.live.name ?? '')),
  );
  const accountIds = new Map(input.accounts.map(({ alias, accountId }) => [alias, accountId]));
  return (change) => {
    const { address, needs } = change;
    const declared = declaredAt.get(formatAddress(address)) ?? null;
    const print = (action: ChangeKind, takes: readonly Live[]) =>
      sha256Of({
        of: 'herald/change/1',
        service: input.service.origin,
        account_id: accountIds.get(address.account) ?? null,
        kind: address.kind,
        name: address.name,
        action,
        declared: declared === null ? null : describeFile(declared),
        takes: describeTaken(takes, action),
        needs: action === 'blocked' ? needs.toSorted() : [],
      });
    const touched = [change.live_id, ...change.steps.map((step) => step.live_id)].flatMap(
      (id) => byId.get(keyByAlias(address, id)) ?? [],
    );
    const names = new Set([address.name, declared?.renamedFrom ?? address.name]);
    const group = [...names].flatMap((name) => byName.get(keyByAlias(address, name)) ?? []);
    return listWholes(change, { declared, touched, group }, print);
  };
}

interface Subject {
  readonly declared: Declared | null;
  /** What the change is about. */
  readonly touched: readonly Live[];
  /** Everything of its name. */
  readonly group: readonly Live[];
}

function listWholes(
  { action, live_id: id }: Change,
  { declared, touched, group }: Subject,
  print: (action: ChangeKind, takes: readonly Live[]) => string,
): ReturnType<ListFingerprints> {
  const owed = group.filter(isOwed);
  const isMaking = action === 'replace' || action === 'create';
  const before = isMaking ? group.filter((one) => isOwed(one) || isEnded(one, declared)) : [];
  const own = print(action, [...touched, ...before]);
  if (declared === null || !isDeclaredToSend(declared)) return [own];
  // The create of a replace with an old version that is paused already.
  if (action === 'create') return owed.length === 0 ? [own] : [own, print('replace', owed)];
  const stopped = touched.find(({ object }) => object.live.id === id);
  if (stopped === undefined || !STOPS.includes(action)) return [own];
  const digest = digestDeclared(declared);
  const made = new Set(
    group
      .filter(({ known }) => known?.declared_digest === digest)
      .map(({ object }) => canonical(describeLive(object))),
  );
  const copies = group.filter(({ object }) => made.has(canonical(describeLive(object))));
  const ids = new Set(copies.map(({ object }) => object.live.id));
  const replaced = group.filter((one) => isOwed(one) || ids.has(one.known?.replaced_by ?? ''));
  if (copies.includes(stopped))
    return [
      own,
      print('create', []),
      print(
        'replace',
        replaced.filter((one) => one !== stopped),
      ),
    ];
  return replaced.includes(stopped) ? [own, print('replace', replaced)] : [own];
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
  return sha256Of({ of: 'herald/declared/1', address: declared.address, ...describeFile(declared) });
}

/** What a file declares: what fans get, who gets it, when, at what price, and how it replaces an older version. */
function describeFile(declared: Declared): object {
  const { kind, content, target, renamedFrom, protect, ignore } = declared;
  const messages = content.messages.map(({ attachments = [], ...message }) => ({
    ...message,
    attachments: attachments.map(describeAttachment),
  }));
  const shared = { ...content, messages, target, renamed_from: renamedFrom, protect, ignore };
  if (kind === 'campaign') return { ...shared, replace: declared.replace, old_queue: declared.oldQueue };
  // What is sent at once has the time of its plan.
  const hour = declared.atOnce === true ? 'at once' : parseInstant(declared.scheduledAtUtc);
  return { ...shared, scheduled_at: hour };
}

/** A file counts by its bytes and its settings, not by its path. */
function describeAttachment({ file, ...settings }: DeclaredAttachment): object {
  return file === undefined
    ? settings
    : { sha256: file.digest, type: settings.type, is_paid: settings.is_paid };
}

/** What a live object says and to whom, without statistics and without anything that changes as time passes. */
function describeLive(object: Observed): object {
  const { name = null, rules, audience_filters: filters, messages } = object.live;
  // Without dates: the service may show a range in days as dates, and those move every day (CONTENT-18).
  const audience = (filters ?? []).map(({ kind, mode, options }) =>
    canonical([kind, mode, (options?.lists ?? []).map(({ id }) => id).toSorted()]),
  );
  const head = Object.values(readLiveHead(object)).map(parseInstant);
  const content = inOrder(messages ?? []).map(messageEntries);
  return { name, head, rules, audience: audience.toSorted(), messages: content };
}
