import type { Change, StepKind } from '../domain/change.ts';
import { canonical, digest as digestOfAll } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { isDeclaredToSend, isPaused, statusOf, STATUS_TRAITS } from '../domain/status.ts';
import { starts } from './guards/guards.ts';
import { indexByName } from './match.ts';
import { runningContents, type RunningContents } from './running-contents.ts';
import { differencesThatCount, isSameAs } from './same-as.ts';
import { bothDeclare } from './both-declare.ts';

/** What was decided about one resource. */
export interface Decided {
  readonly declared: Declared;
  /** Every live object of its name. */
  readonly group: readonly Observed[];
  readonly changes: readonly Change[];
}

/** A start of content that a live object of another resource sends. */
export interface Clash {
  readonly start: Change;
  readonly object: Observed;
  /**
   * | how     | the object                                                             |
   * |---------|------------------------------------------------------------------------|
   * | stops   | `by` stops it, before or while something else is created                |
   * | stays   | no change stops it; `by` is what was decided about its resource         |
   * | starts  | `by` starts it with other content than its file has                     |
   * | has left | a broadcast that has begun to go out: no stop takes back what it has sent |
   */
  readonly how: 'stops' | 'stays' | 'starts' | 'has left';
  readonly by: Change;
  /** The resource that has the object. */
  readonly owner: Declared;
}

/** What the clashes of one list depend on. */
interface ClashInput {
  readonly decided: readonly Decided[];
  readonly knowledge: Knowledge;
  /** The ledger has started it so short a time ago that the list may not show it yet. */
  readonly isJustStarted: (object: Observed) => boolean;
}

/**
 * Two resources may exchange their contents in one edit, or one may take over the content of another. Fans get it twice
 * wherever the new object starts before the old one has stopped. All objects of a name count, whichever of them its
 * change names.
 *
 * | the content of the start                                                 | clash |
 * |--------------------------------------------------------------------------|-------|
 * | is live for another resource, and its file sends another one, or none    | yes   |
 * | the same, and the object that the start replaces has the content         | no    |
 * | is live for another resource, and its file sends just that               | no    |
 */
export function clashesIn({ decided, knowledge, isJustStarted }: ClashInput): readonly Clash[] {
  const starting = decided.flatMap((one) => one.changes.filter(starts).map((start) => ({ ...one, start })));
  if (starting.length === 0) return [];
  const mayRun = (object: Observed) => runs(object) || hasLeft(object) || isJustStarted(object);
  const switchedOn = new Set(starting.flatMap(({ start }) => [...switchedOnBy(start)]));
  const counts = (object: Observed) => mayRun(object) || switchedOn.has(object.live.id);
  const owned = decided.flatMap(({ declared: owner, group, changes }) =>
    group.filter(counts).flatMap((object) => {
      const end = whatBecomesOf(object, changes);
      return end === null
        ? []
        : [{ object, owner, ...end, isAsDeclared: once(() => isSameAs(owner, object, knowledge)) }];
    }),
  );
  const wantedTwice = bothDeclareOf();
  const owners = groupBy(owned, ({ object }) => object);
  const contents = runningContents([...owners.keys()], knowledge);
  return starting.flatMap(({ declared, group, start }) => {
    const own = group.filter((object) => mayRun(object) && names(start, object.live.id));
    const sent = sentBy(start, { declared, group }, knowledge);
    // What it replaces sends the same, so nothing new is sent.
    if (own.some((object) => sent.file && isSameAs(declared, object, knowledge))) return [];
    return sameAsSent(sent, declared, contents, knowledge)
      .filter(({ object }) => !group.includes(object))
      .flatMap((same) =>
        (owners.get(same.object) ?? [])
          .filter((one) => !isWanted(same.by, one, () => wantedTwice(declared, one.owner)))
          .map(({ object, owner, how, by }): Clash => ({ start, object, how, by, owner })),
      );
  });
}

/** What a start sends. */
interface Sent {
  /** The content of the file. */
  readonly file: boolean;
  /** Live objects that say something else: the file ignores it, or was left as it is. */
  readonly objects: readonly Observed[];
}

const SWITCHING_ON: readonly StepKind[] = ['activate', 'reactivate', 'resume', 'prove_dead'];
/** With these, something may be created in the end. */
const CREATING: readonly StepKind[] = ['create', 'reactivate', 'prove_dead'];

function sentBy(
  start: Change,
  { declared, group }: Pick<Decided, 'declared' | 'group'>,
  knowledge: Knowledge,
): Sent {
  const switchedOn = switchedOnBy(start);
  const objects = group.filter(({ live }) => switchedOn.has(live.id));
  const other = objects.filter(
    (object) => (differencesThatCount(declared, object, knowledge)?.length ?? 0) > 0,
  );
  const creates = start.steps.some(({ kind }) => CREATING.includes(kind));
  return { file: creates || other.length < switchedOn.size, objects: other };
}

function switchedOnBy({ steps }: Change): ReadonlySet<string | null> {
  return new Set(steps.filter(({ kind }) => SWITCHING_ON.includes(kind)).map(({ live_id: id }) => id));
}

/** Those that differ from the file in the same way as one of the live objects. */
function likeStarted(
  started: readonly Observed[],
  declared: Declared,
  contents: RunningContents,
  knowledge: Knowledge,
): readonly Observed[] {
  const shown = (object: Observed) => canonical(differencesThatCount(declared, object, knowledge));
  return started.flatMap((one) => {
    const wanted = shown(one);
    return contents
      .likeLive(one)
      .flatMap((alike) => (alike.slice(0, 1).some((object) => shown(object) === wanted) ? alike : []));
  });
}

/** Finds one of the unmanaged objects that has the content of a live one that is started. The file ignores that content. */
export function twinsOfStarted(
  objects: readonly Observed[],
  { knowledge, isJustStarted }: Omit<ClashInput, 'decided'>,
): (one: Decided) => Observed | null {
  let contents: RunningContents | null = null;
  return ({ declared, group, changes }) => {
    const started = changes
      .filter(starts)
      .flatMap((start) => sentBy(start, { declared, group }, knowledge).objects);
    if (started.length === 0) return null;
    contents ??= runningContents(
      objects.filter((object) => runs(object) || isJustStarted(object)),
      knowledge,
    );
    return likeStarted(started, declared, contents, knowledge)[0] ?? null;
  };
}

/** A live object that sends what a start sends, and what tells that. */
interface Same {
  readonly object: Observed;
  readonly by: 'its content' | 'what it was made from' | 'the content of a live one';
}

function sameAsSent(
  { file, objects }: Sent,
  declared: Declared,
  contents: RunningContents,
  knowledge: Knowledge,
): readonly Same[] {
  const same = new Map<Observed, Same['by']>();
  for (const object of likeStarted(objects, declared, contents, knowledge))
    same.set(object, 'the content of a live one');
  if (file) {
    const made = contents.madeFrom(declared);
    for (const object of made.flat()) same.set(object, 'what it was made from');
    for (const alike of [...made, ...contents.likeDeclared(declared)])
      if (alike.slice(0, 1).some((object) => isSameAs(declared, object, knowledge)))
        for (const object of alike) same.set(object, 'its content');
  }
  return [...same].map(([object, by]) => ({ object, by }));
}

/**
 * | what tells that the object sends it | both may run where the owner's file                                   |
 * |-------------------------------------|-----------------------------------------------------------------------|
 * | its content                         | sends what the object has, or the same as the other file              |
 * | what it was made from               | has what the object has: another content; or sends the same as that file |
 * | the content of a live one           | sends the same as the other file                                      |
 */
function isWanted(
  by: Same['by'],
  { owner, isAsDeclared }: { readonly owner: Declared; readonly isAsDeclared: () => boolean },
  bothWantIt: () => boolean,
): boolean {
  const sends = isDeclaredToSend(owner);
  const mayBeAsDeclared = by === 'what it was made from' || (by === 'its content' && sends);
  return (mayBeAsDeclared && isAsDeclared()) || (sends && bothWantIt());
}

/** Asked for many pairs of few contents: each pair of contents is compared once. */
function bothDeclareOf(): typeof bothDeclare {
  const digests = new Map<Declared, string>();
  const known = new Map<string, boolean>();
  const digestOf = (declared: Declared) => {
    const digest = digests.get(declared) ?? digestOfAll([declared.content, declared.ignore]);
    digests.set(declared, digest);
    return digest;
  };
  return (declared, other) => {
    const pair = `${digestOf(declared)} ${digestOf(other)}`;
    const answer = known.get(pair) ?? bothDeclare(declared, other);
    known.set(pair, answer);
    return answer;
  };
}

/** Asked for only if needed, and then once. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => (found ??= { value: find() }).value;
}

/**
 * For each start, the changes that have to stop the same content before it. `rest` is what the run does not carry out: its
 * objects go on sending.
 */
export function stopsBefore(
  { changes, rest }: { readonly changes: readonly Change[]; readonly rest: readonly Change[] },
  declared: readonly Declared[],
  live: readonly Observed[],
  knowledge: Knowledge,
): ReadonlyMap<Change, readonly Change[]> {
  if (!changes.some(starts)) return new Map();
  const ofAddress = groupBy([...changes, ...rest], ({ address }) => formatAddress(address));
  const liveOf = groupBy(live, listOf);
  const clashes = [...groupBy(declared, ({ address }) => listOf(address))].flatMap(([list, resources]) => {
    const index = indexByName(liveOf.get(list) ?? [], knowledge, resources);
    const decided = resources.map((resource) => ({
      declared: resource,
      group: index.groupOf(resource),
      changes: ofAddress.get(formatAddress(resource.address)) ?? [],
    }));
    return clashesIn({ decided, knowledge, isJustStarted: () => false });
  });
  const first = groupBy(clashes, ({ start }) => start);
  return new Map([...first].map(([start, all]) => [start, all.map(({ by }) => by)]));
}

const STOPPING: readonly StepKind[] = ['pause', 'archive', 'recall'];

/** Only a recall takes back what a broadcast has sent. */
function whatBecomesOf(object: Observed, changes: readonly Change[]): Pick<Clash, 'how' | 'by'> | null {
  const { id } = object.live;
  const start = runs(object) ? undefined : changes.find((change) => switchedOnBy(change).has(id));
  if (start !== undefined) return { how: 'starts', by: start };
  const stop = changes.find(({ steps }) =>
    steps.some((step) => step.live_id === id && STOPPING.includes(step.kind)),
  );
  if (stop !== undefined && (stop.action === 'recall' || !hasLeft(object))) return { how: 'stops', by: stop };
  const about = changes.filter((change) => names(change, id));
  const by = stop ?? about[0] ?? changes.find(({ action }) => action === 'blocked') ?? changes[0];
  return by === undefined ? null : { how: hasLeft(object) ? 'has left' : 'stays', by };
}

function names({ live_id: liveId, steps }: Change, id: string): boolean {
  return liveId === id || steps.some((step) => step.live_id === id);
}

function runs({ live }: Observed): boolean {
  return STATUS_TRAITS[statusOf(live)].runs;
}

/** It has reached some fans, and waits or is paused before it reaches the rest. */
function hasLeft({ kind, live }: Observed): boolean {
  const isUnderWay = STATUS_TRAITS[statusOf(live)].goingOut || isPaused(live);
  return kind === 'broadcast' && isUnderWay && (live.scheduled_at ?? null) === null;
}

function listOf({ account, kind }: Pick<Observed, 'account' | 'kind'>): string {
  return `${account}/${kind}`;
}
