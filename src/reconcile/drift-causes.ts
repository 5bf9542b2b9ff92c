import type { Change, DriftCause, Plan } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { objectKey } from '../domain/knowledge.ts';
import type { LedgerStore } from '../domain/ledger-store.ts';
import { contentDigest } from '../domain/media.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { historyOf, type HistoryItem } from '../ledger/history.ts';
import { versionsOf, type Version } from '../ledger/history-versions.ts';
import { readWholeRecord } from '../ledger/whole-record.ts';
import { contentMatchWith } from '../plan/lost-create.ts';
import type { Inspection, Opened } from './source.ts';

/** What the ledger and the lists say about one change. */
interface Case {
  readonly change: Change;
  readonly declared: Declared | undefined;
  readonly object: Observed | undefined;
  /** What Herald did at this address, oldest first. */
  readonly items: readonly HistoryItem[];
  /** The create of the live version. */
  readonly version: Version | undefined;
  readonly knowledge: Inspection['knowledge'];
}

/** Adds to each difference what it comes from, and when its live version was applied, as far as the ledger knows. */
export async function withCauses(
  store: LedgerStore,
  { declared, client }: Pick<Opened, 'declared' | 'client'>,
  { plan, observed, knowledge }: Pick<Inspection, 'plan' | 'observed' | 'knowledge'>,
): Promise<Plan> {
  const asked = new Set(plan.changes.filter(isDifference).map(({ address }) => formatAddress(address)));
  if (asked.size === 0) return plan;
  const { lines } = await readWholeRecord(store, ({ account, kind, name }) =>
    asked.has(`${account}/${kind}/${name}`),
  );
  const own = lines.filter(({ origin }) => origin === undefined || origin === client.address);
  const items = historyOf(own, ({ address }) => asked.has(address));
  const itemsAt = groupBy(items, ({ address }) => address);
  const versions = new Map(versionsOf(items, own).map((version) => [version.item.live_id, version]));
  const declaredAt = new Map(declared.map((one) => [formatAddress(one.address), one]));
  const objects = new Map(
    observed.map((object) => [liveKey(object.account, object.kind, object.live.id), object]),
  );
  const changes = plan.changes.map((change): Change => {
    if (!isDifference(change)) return change;
    const { address, live_id: id } = change;
    const key = formatAddress(address);
    const version = id === null ? undefined : versions.get(id);
    const object = id === null ? undefined : objects.get(liveKey(address.account, address.kind, id));
    const cause = causeOf({
      change,
      declared: declaredAt.get(key),
      object,
      items: itemsAt.get(key) ?? [],
      version,
      knowledge,
    });
    const last =
      version === undefined ? {} : { last_applied: { at: version.item.at, who: version.item.who } };
    return { ...change, cause, ...last };
  });
  return { ...plan, changes };
}

type Differing = 'create' | 'replace' | 'activate' | 'resume' | 'pause' | 'archive' | 'recall';

const CAUSES: Readonly<Record<Differing, (it: Case) => DriftCause>> = {
  create: ({ items }) => (items.some(isDone) ? 'service' : 'files'),
  replace: causeOfContent,
  activate: causeOfStop,
  resume: causeOfStop,
  pause: causeOfStart,
  archive: causeOfStart,
  recall: () => 'files',
};

function isDifference({ action }: Change): boolean {
  return Object.hasOwn(CAUSES, action);
}

function causeOf(it: Case): DriftCause {
  return CAUSES[it.change.action as Differing](it);
}

/**
 * | the file since the create | the live object since then | cause   |
 * |---------------------------|----------------------------|---------|
 * | the same                  | differs                    | service |
 * | differs                   | the same                   | files   |
 * | differs                   | differs                    | both    |
 * | anything that the ledger does not tell                 | unknown |
 */
function causeOfContent({ declared, object, version }: Case): DriftCause {
  if (declared === undefined || object === undefined || version?.wanted == null) return 'unknown';
  const { content, scheduled_at: scheduledAt } = version.wanted;
  const isSameFile =
    version.item.content_digest === contentDigest(declared.content) &&
    (declared.kind === 'campaign' || isSameInstant(scheduledAt, declared.scheduledAtUtc));
  const match = contentMatchWith(
    { address: declared.address, wanted: { content, scheduledAtUtc: scheduledAt } },
    object,
  );
  if (match === null) return 'unknown';
  const isSameLive = match === 'equal';
  if (isSameFile) return isSameLive ? 'unknown' : 'service';
  return isSameLive ? 'files' : 'both';
}

function isSameInstant(left: string | null, right: string): boolean {
  return left !== null && Date.parse(left) === Date.parse(right);
}

/** The file wants it to run, and it is stopped. */
function causeOfStop({ object, knowledge }: Case): DriftCause {
  const known = object === undefined ? undefined : knowledge.objects.get(keyOf(object));
  if (known === undefined) return 'unknown';
  if (known.pausedFor === null || known.pausedFor === 'by_hand') return 'service';
  return known.pausedFor === 'declared' ? 'files' : 'unknown';
}

/** The file wants it to be stopped, and it runs. */
function causeOfStart({ change, object, items, knowledge }: Case): DriftCause {
  if (object === undefined || !knowledge.objects.has(keyOf(object))) return 'unknown';
  const wasStopped = items.some(
    (item) => item.live_id === change.live_id && item.action === change.action && isDone(item),
  );
  return wasStopped ? 'service' : 'files';
}

function isDone({ outcome }: HistoryItem): boolean {
  return outcome === 'done' || outcome === 'adopted';
}

function keyOf({ accountId, kind, live }: Observed): string {
  return objectKey(accountId, kind, live.id);
}

function liveKey(account: string, kind: string, id: string): string {
  return `${account}/${kind}/${id}`;
}
