import type { YAMLMap } from 'yaml';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Files } from '../domain/ports.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { isDeclaredToSend, isPaused } from '../domain/status.ts';
import { compare } from '../plan/compare/content.ts';
import { listDropped } from '../plan/compare/shown.ts';
import { indexMedia, type MediaDigests } from '../plan/compare/messages.ts';
import type { Group, Version } from '../plan/decide/group.ts';
import type { LoadOptions } from '../workspace/load.ts';
import { groupChanges, isQuiet } from './check.ts';
import { chooseImportable } from './choose.ts';
import type { ResourceUpdate } from './draft.ts';
import { isReplacedIn } from './find.ts';
import { isForm } from './form.ts';
import type { LeftOut } from './left-out.ts';
import type { Scan } from './scan.ts';
import { openSources, type Sources } from './sources.ts';
import { explainUnfinished } from './unfinished.ts';
import { updateResource, type Difference } from './update-resource.ts';
import { findMarks, inOrder, writeResource } from './write-resource.ts';

export interface FoundUpdates {
  readonly updates: readonly ResourceUpdate[];
  readonly leftOut: readonly LeftOut[];
}

/** One account of a declared resource: unchanged, different in a way that a file can have, or not. */
type Side =
  | { readonly kind: 'same' | 'absent' }
  | {
      readonly kind: 'drifted';
      readonly object: Observed;
      readonly difference: Difference;
      /** Why it is not drift yet, or null. */
      readonly unfinished: string | null;
    }
  | { readonly kind: 'stuck'; readonly leftOut: readonly LeftOut[] };

/**
 * Updates that make declared resources equal to live. A resource of several accounts is changed only if the change is
 * right for all of them.
 */
export async function findUpdates(files: Files, env: LoadOptions['env'], scan: Scan): Promise<FoundUpdates> {
  const sides = listSides(scan);
  const drifted = new Set(
    [...sides].filter(([, side]) => side.kind === 'drifted').map(([declared]) => placeKey(declared)),
  );
  const leftOut = [...sides.values()].flatMap((side) => (side.kind === 'stuck' ? side.leftOut : []));
  if (drifted.size === 0) return { updates: [], leftOut };
  const sources = await openSources(files, env, scan.subject);
  const updates: ResourceUpdate[] = [];
  const kept: LeftOut[] = [];
  for (const [key, resource] of groupBy(scan.subject.declared, placeKey)) {
    if (!drifted.has(key)) continue;
    const update = makeUpdate(resource, sides, sources);
    if ('why' in update) kept.push(...keepAsWritten(resource, sides, update.why));
    else updates.push(update);
  }
  return { updates, leftOut: [...leftOut, ...kept] };
}

/** The place of a resource, which all its accounts share. */
function placeKey({ source, kind }: Declared): string {
  return `${source.file}:${source.line}:${source.column} ${kind}`;
}

function listSides(scan: Scan): ReadonlyMap<Declared, Side> {
  const changes = groupChanges(scan.plan);
  const media = indexMedia(scan.facts.known.media);
  const sides = new Map<Declared, Side>();
  for (const list of scan.index.lists)
    for (const declared of list.declared) {
      const isLeftAlone = (changes.get(formatAddress(declared.address)) ?? []).every(isQuiet);
      sides.set(declared, readSide(list.groupOf(declared), isLeftAlone, scan, media));
    }
  return sides;
}

function readSide(
  group: Group,
  isLeftAlone: boolean,
  { nowMs, index, subject }: Scan,
  media: MediaDigests,
): Side {
  const { declared, versions } = group;
  if (versions.length === 0) return { kind: 'absent' };
  const all = versions.map(({ observed }) => observed);
  const { chosen, leftOut } = chooseImportable(all, new Set(), nowMs, isReplacedIn(index));
  const version = versions.find(({ observed }) => observed === chosen[0]);
  if (version === undefined && isLeftAlone) return { kind: 'same' };
  const unfinished = explainUnfinished(group);
  if (version === undefined) return { kind: 'stuck', leftOut: leftOut.map(untilFinished(unfinished)) };
  const { observed: object, comparison } = version;
  const status = chooseStatus(declared, object);
  const unstated =
    comparison.verdict === 'unknowable' ? [] : listDropped(declared, [version], declared.ignore);
  if (status === undefined && comparison.verdict !== 'different' && unstated.length === 0)
    return { kind: 'same' };
  const written = writeResource(object, nowMs, subject.workspace.service.knownWords);
  if ('leftOut' in written) return { kind: 'stuck', leftOut: [written.leftOut] };
  const difference: Difference = {
    form: written.importable.form,
    paths: [...comparison.fields, ...unstated].map(({ path }) => path),
    status,
    messageKeys: (left, right) => messageKeys(declared, version, left, right, media),
  };
  return { kind: 'drifted', object, difference, unfinished };
}

/** Next to an unfinished change there are several versions for a time, and a person has nothing to choose. */
function untilFinished(unfinished: string | null): (one: LeftOut) => LeftOut {
  return (one) =>
    unfinished === null || one.code !== 'name-collision'
      ? one
      : { ...one, code: 'kept-as-written', reason: unfinished };
}

/** Keys that differ between a declared and a live message, at any places. */
function messageKeys(
  declared: Declared,
  { observed, known, shown }: Version,
  left: number,
  right: number,
  media: MediaDigests,
): readonly string[] {
  // What the service showed after the create is recorded by the place of its message, which does not matter here.
  const placeless = { ...shown, fields: [] };
  const [wanted, got] = [withMessage(declared, left), seenWithMessage(observed, right)];
  const hidden = known?.hidden_digest ?? null;
  const comparison = compare(wanted, got, { shown: placeless, hidden, media });
  const unstated = listDropped(wanted, [{ observed: got, shown: placeless }], declared.ignore);
  const paths = [...comparison.fields, ...unstated].map(({ path }) => path);
  return paths.flatMap((path) => (path.startsWith(ONLY_MESSAGE) ? [path.slice(ONLY_MESSAGE.length)] : []));
}

const ONLY_MESSAGE = 'messages[0].';

function withMessage(declared: Declared, index: number): Declared {
  const messages = declared.content.messages.slice(index, index + 1);
  return declared.kind === 'campaign'
    ? { ...declared, content: { ...declared.content, messages } }
    : { ...declared, content: { ...declared.content, messages } };
}

function seenWithMessage(object: Observed, index: number): Observed {
  const messages = inOrder(object.live.messages ?? []).slice(index, index + 1);
  return object.kind === 'campaign'
    ? { ...object, live: { ...object.live, messages } }
    : { ...object, live: { ...object.live, messages } };
}

/** The new `status:`. Undefined if it is right, null for the default. */
function chooseStatus(declared: Declared, { live }: Observed): 'paused' | null | undefined {
  const shown = isPaused(live);
  const isToPause = declared.target === 'paused';
  if (shown === isToPause || (!isToPause && !isDeclaredToSend(declared))) return undefined;
  return shown ? 'paused' : null;
}

function makeUpdate(
  resource: readonly Declared[],
  sides: ReadonlyMap<Declared, Side>,
  sources: Sources,
): ResourceUpdate | { readonly why: string } {
  const drifted = resource.flatMap((declared) => {
    const side = sides.get(declared);
    return side?.kind === 'drifted' ? [{ declared, side }] : [];
  });
  const unfinished = drifted.map(({ side }) => side.unfinished).find((why) => why !== null);
  if (unfinished !== undefined) return { why: unfinished };
  const [first] = drifted;
  const written = first === undefined ? null : sources.copy(first.declared.source);
  if (first === undefined || written === null)
    return { why: 'It uses a YAML anchor or alias that other resources use, too.' };
  const made = drifted.map(({ declared, side }) => changeCopy(declared, side, written, sources));
  const [one, ...others] = made;
  const isRight = made.length === resource.length && others.every(({ result }) => result === one?.result);
  if (one === undefined || !isRight) {
    const accounts = resource.map(({ address }) => address.account).join(', ');
    return {
      why: `It is declared for ${accounts}, but the change is not right for all of them. Declare it for each account separately.`,
    };
  }
  const isChanged = canonical(one.node.toJSON()) !== canonical(written.toJSON());
  if (!isChanged && one.texts.length === 0)
    return { why: 'It differs in values that the service never returns: fan-list names or days.' };
  const changed = canonical(readAudience(one.node)) !== canonical(readAudience(written));
  const { file, line, column } = first.declared.source;
  const whats = listNewMarks(written, one.node);
  return {
    file,
    place: { line, column },
    node: isChanged ? one.node : null,
    texts: one.texts,
    addresses: resource.map(({ address }) => formatAddress(address)),
    objects: drifted.map(({ declared, side: { object } }) => {
      const { account, accountId, kind, live } = object;
      return { account, accountId, kind, name: declared.address.name, liveId: live.id, changed };
    }),
    report: drifted.map(({ declared: { address }, side: { difference } }) => {
      const status = difference.status === undefined ? [] : ['status'];
      return { ...address, file, fields: [...status, ...difference.paths] };
    }),
    toComplete: resource.flatMap(({ address }) => whats.map((what) => ({ ...address, file, what }))),
  };
}

/** The resource as one account needs it. `result` is equal where two accounts need the same. */
function changeCopy(
  declared: Declared,
  { difference }: Side & { readonly kind: 'drifted' },
  written: YAMLMap,
  sources: Sources,
) {
  const node = written.clone() as YAMLMap;
  const { writer, texts } = sources.writerFor(declared);
  updateResource(node, difference, writer);
  return { node, texts, result: canonical([node.toJSON(), texts.map(({ text }) => text)]) };
}

function readAudience(node: YAMLMap): readonly unknown[] {
  const { audience, audience_filters: filters }: Readonly<Record<string, unknown>> = node.toJSON();
  return [audience, filters].flat();
}

/** The values that a person has to fill in after the change. */
function listNewMarks(before: YAMLMap, after: YAMLMap): readonly string[] {
  const known = new Set(readAudience(before).map(canonical));
  const added = readAudience(after).filter((filter) => !known.has(canonical(filter)));
  return added.filter(isForm).flatMap((filter) => findMarks(filter, []).map(({ comment }) => comment));
}

function keepAsWritten(
  resource: readonly Declared[],
  sides: ReadonlyMap<Declared, Side>,
  reason: string,
): readonly LeftOut[] {
  return resource.flatMap((declared): LeftOut[] => {
    const side = sides.get(declared);
    if (side?.kind !== 'drifted') return [];
    const { account, kind, name } = declared.address;
    return [{ account, kind, name, live_id: side.object.live.id, code: 'kept-as-written', reason }];
  });
}
