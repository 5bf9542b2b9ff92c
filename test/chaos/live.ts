import type { Kind } from '../../src/domain/resource.ts';
import type { CommitRecord } from '../../src/simulator/records.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import type { Broadcast, Campaign } from '../../src/simulator/state.ts';
import { vaultTruth } from '../../src/simulator/vault/truth.ts';
import type { World } from '../../src/simulator/world.ts';
import { isRunning, type Content } from './declare.ts';

/** One live object, as far as the oracle asks about it. */
export interface Live {
  readonly accountId: string;
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly content: Content;
  readonly createdMs: number;
  /** Since when lists have shown it with the status that it has. */
  readonly shownSinceMs: number;
  /** Since when lists have shown it at all. */
  readonly listedSinceMs: number;
  /** The request that made it; null where it was a person. */
  readonly madeBy: number | null;
  /** What changed its status last, where that was not its create. */
  readonly lastChange: LastChange | null;
  /** When it goes out; null of a campaign, and of a broadcast that has begun to. */
  readonly hourMs: number | null;
  /** Messages that wait in its queue. */
  readonly queued: number;
  /** Fans that it has reached, in its one run. */
  readonly reached: number;
}

export interface LastChange {
  readonly atMs: number;
  /** The request that asked for it; null for a person on the service and for the service itself. */
  readonly request: number | null;
  readonly by: 'api' | 'control' | 'service';
  readonly status: string | null;
}

/** Under this name people built one of each kind on each account: nothing of it is Herald's to touch. */
export const THEIRS = 'Theirs';
/** What drafts send at once is judged by itself. */
export const DRAFT = 'Flash';
/** Names that no file of the workspace ever has; what a raw call made may have none. */
const NEVER_DECLARED = new RegExp(`^(Crowd|Other|Theirs|${DRAFT}|$)`);

/** Everything that Herald declared at some time and that is live, oldest first. */
export function liveOf({ world, control }: Simulator): readonly Live[] {
  control.now();
  const changes = changesOf(world);
  return Object.entries(world.accounts).flatMap(([accountId, account]) => {
    const shaOf = shasOf(world, accountId);
    return (['campaign', 'broadcast'] as const).flatMap((kind) =>
      Object.values<Campaign | Broadcast>(kind === 'campaign' ? account.campaigns : account.broadcasts)
        .filter(({ live }) => !NEVER_DECLARED.test(live.name ?? ''))
        .map((object) => seen(object, kind, changes, shaOf))
        .sort((left, right) => (BigInt(left.id) < BigInt(right.id) ? -1 : 1)),
    );
  });
}

type ShaOf = (mediaId: string) => string | null;

function seen(
  object: Campaign | Broadcast,
  kind: Kind,
  changes: ReadonlyMap<string, readonly CommitRecord[]>,
  shaOf: ShaOf,
): Live {
  const { live, listedFromMs, statusLag } = object;
  const [message] = live.messages;
  const [shown] = message?.attachments ?? [];
  const createdMs = Date.parse(live.created_at);
  const commits = changes.get(`${kind}:${live.id}`) ?? [];
  const lastChange = lastChangeIn(commits);
  const madeBy = commits.find(({ change }) => change === 'create')?.cause.request ?? null;
  return {
    accountId: live.account_id,
    kind,
    id: live.id,
    name: live.name ?? '',
    status: live.status,
    content: {
      text: message?.text ?? '',
      sha256: shown === undefined ? null : (shaOf(shown.id) ?? `unknown media ${shown.id}`),
    },
    createdMs,
    shownSinceMs: Math.max(lastChange?.atMs ?? createdMs, listedFromMs, statusLag?.untilMs ?? 0),
    listedSinceMs: Math.max(createdMs, listedFromMs),
    madeBy,
    lastChange,
    hourMs: 'scheduled_at' in live && live.scheduled_at !== null ? Date.parse(live.scheduled_at) : null,
    queued: 'queue' in object ? object.queue.length : 0,
    reached: 'reached' in object ? object.reached : 0,
  };
}

/** What had changed the status of the object last at that time. */
export function lastChangeBefore({ world }: Simulator, { kind, id }: Live, ms: number): LastChange | null {
  const commits = changesOf(world).get(`${kind}:${id}`) ?? [];
  return lastChangeIn(commits.filter(({ at }) => Date.parse(at) <= ms));
}

/** What had changed the status of the object last after so many changes on the service. */
export function lastChangeAfter({ world }: Simulator, { kind, id }: Live, count: number): LastChange | null {
  return lastChangeIn(world.commits.slice(0, count).filter((one) => one.kind === kind && one.id === id));
}

/** The last commit that gave it another status than it had; after a week the service archives what is paused. */
function lastChangeIn(commits: readonly CommitRecord[]): LastChange | null {
  let status: string | null = null;
  let last: LastChange | null = null;
  for (const { change, cause, at, status: next } of commits) {
    const isOnlyArchived = cause.by === 'service' && next === 'archived' && status === 'paused';
    if (change !== 'create' && next !== status && !isOnlyArchived)
      last = { atMs: Date.parse(at), request: cause.request, by: cause.by, status: next };
    status = next;
  }
  return last;
}

function changesOf({ commits }: World): ReadonlyMap<string, readonly CommitRecord[]> {
  const all = new Map<string, CommitRecord[]>();
  for (const commit of commits) {
    const key = `${commit.kind}:${commit.id}`;
    const known = all.get(key);
    if (known === undefined) all.set(key, [commit]);
    else known.push(commit);
  }
  return all;
}

/** Which bytes each media of an account has. */
export function shasOf(world: World, accountId: string): ShaOf {
  const exported = vaultTruth(world)[accountId]?.exported ?? [];
  const known = new Map(exported.map(({ media_id: id, sha256 }) => [id, sha256]));
  return (mediaId) => known.get(mediaId) ?? null;
}

export function keyOf({ accountId, kind, id }: Pick<Live, 'accountId' | 'kind' | 'id'>): string {
  return `${accountId}/${kind}/${id}`;
}

export function groupOf({ accountId, kind, name }: Pick<Live, 'accountId' | 'kind' | 'name'>): string {
  return `${accountId}/${kind}/${name}`;
}

/** Whether it sends, or will, or does so right now. */
export function sends({ kind, status }: Live): boolean {
  return isRunning(status) || (kind === 'broadcast' && (status === 'queued' || status === 'sending'));
}

/** Taken back by someone, or about to be. */
export function isRecalled({ status }: Pick<Live, 'status'>): boolean {
  return status === 'recalled' || status === 'recalling';
}

/** How a name ends that a person gave to an object on the service. */
export const NAMED_BY_PERSON = ' by a person';

export function isNamedByPerson({ name }: Pick<Live, 'name'>): boolean {
  return name.endsWith(NAMED_BY_PERSON);
}

/** The service may carry out a request for so long after it was sent. */
export const WINDOW_MS = 65_000;
/** Later than this Herald has no way to wait: with its margin it waits for 75 seconds. */
const LATEST_MS = 71_000;

/** Whether it was made later after its request than the document lets anything wait for. */
export function isTooLate({ world }: Simulator, { madeBy, createdMs }: Live): boolean {
  const asked = madeBy === null ? undefined : world.requests[madeBy - 1];
  return asked !== undefined && createdMs - Date.parse(asked.at) > LATEST_MS;
}
