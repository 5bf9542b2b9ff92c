import { isMap, isSeq, YAMLMap, YAMLSeq } from 'yaml';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Files } from '../domain/ports.ts';
import type { ObservedFilter } from '../domain/replies.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { isDeclaredToSend, isPaused } from '../domain/status.ts';
import { compareAudience } from '../plan/compare/audience.ts';
import { listDropped } from '../plan/compare/content.ts';
import { isMembers } from '../plan/compare/fields.ts';
import type { Group } from '../plan/decide/group.ts';
import { resolveTime, wallClockIn } from '../workspace/schedule.ts';
import { type Update, isQuiet } from './draft.ts';
import { describeLive } from './from-live.ts';
import { formsIn, ResourceFile, setValue, toNode, type Form } from './resource-file.ts';
import { type Scan, chooseImportable, explainUnfinished } from './scan.ts';
import { leaveOut, type LeftOut } from './shape.ts';

/**
 * Updates that make declared resources equal to live. A resource of several accounts is changed only if the change is
 * right for all of them.
 */
export async function findUpdates(
  files: Files,
  scan: Scan,
): Promise<{ readonly updates: readonly Update[]; readonly leftOut: readonly LeftOut[] }> {
  const changing = new Set(
    scan.plan.changes
      .filter((change) => change.action !== 'unmanaged' && !isQuiet(change))
      .map(({ address }) => formatAddress(address)),
  );
  const leftOut: LeftOut[] = [];
  const drifts = new Map<Declared, Drift>();
  for (const list of scan.index.lists)
    for (const group of list.groups) {
      const isLeftAlone = !changing.has(formatAddress(group.declared.address));
      const found = findDrift(group, isLeftAlone, scan);
      if (found === null) continue;
      if ('leftOut' in found) leftOut.push(...found.leftOut);
      else drifts.set(group.declared, found);
    }
  const opened = new Map<string, ResourceFile>();
  const updates: Update[] = [];
  // All accounts of a resource share its place.
  const resources = groupBy(
    scan.subject.declared,
    ({ source, kind }) => `${source.file}:${source.line}:${source.column} ${kind}`,
  );
  for (const resource of resources.values()) {
    const drifted = resource.flatMap((declared) => drifts.get(declared) ?? []);
    const [first] = drifted;
    if (first === undefined) continue;
    const { file } = first.declared.source;
    const written = opened.get(file) ?? new ResourceFile(await files.readText(file));
    opened.set(file, written);
    const update = makeUpdate(resource, drifted, written.find(first.declared.source));
    if (typeof update !== 'string') updates.push(update);
    else leftOut.push(...drifted.map(({ object }) => leaveOut(object, 'kept-as-written', update)));
  }
  return { updates, leftOut };
}

/** How one account of a declared resource differs from live, in a way that a file can have. */
interface Drift {
  readonly declared: Declared;
  readonly object: Observed;
  /** The live object in the form of a file. */
  readonly form: Form;
  /** `status`, and paths as in plans: `rules.end_at`, `messages[0].text`, … */
  readonly paths: readonly string[];
}

/** Null without a difference. The live objects, with reasons, if a file cannot have them. */
function findDrift(
  group: Group,
  isLeftAlone: boolean,
  { index, subject }: Scan,
): Drift | { readonly leftOut: readonly LeftOut[] } | null {
  const { declared, versions } = group;
  const all = versions.map(({ observed }) => observed);
  const { chosen, leftOut } = chooseImportable(all, new Set(), index);
  const version = versions.find(({ observed }) => observed === chosen[0]);
  const unfinished = explainUnfinished(group);
  if (version === undefined) {
    if (isLeftAlone) return null;
    if (unfinished === null) return { leftOut };
    // Next to an unfinished change there are several versions for a time, and a person has nothing to choose.
    return { leftOut: leftOut.map((one) => ({ ...one, code: 'kept-as-written', reason: unfinished })) };
  }
  const { observed: object, comparison } = version;
  const differences = comparison.verdict === 'different' ? comparison.fields : [];
  const unstated =
    comparison.verdict === 'unknowable' ? [] : listDropped(declared, [version], declared.ignore);
  const paths = [...differences, ...unstated].map(({ path }) => path);
  if (hasOtherStatus(declared, object)) paths.unshift('status');
  if (paths.length === 0) return null;
  if (unfinished !== null) return { leftOut: [leaveOut(object, 'kept-as-written', unfinished)] };
  const described = describeLive(object, index, subject.workspace.service.knownWords);
  if ('code' in described) return { leftOut: [described] };
  return { declared, object, form: described.form, paths };
}

function hasOtherStatus(declared: Declared, { live }: Observed): boolean {
  return isPaused(live) ? isDeclaredToSend(declared) : declared.target === 'paused';
}

/** Changes a copy for each account, and compares the results. A text says why the file stays as it is written. */
function makeUpdate(
  resource: readonly Declared[],
  drifted: readonly Drift[],
  written: YAMLMap,
): Update | string {
  const nodes = drifted.map((drift) => updateResource(written.clone() as YAMLMap, drift));
  const results = new Set(nodes.map((node) => canonical(node.toJSON())));
  const [node] = nodes;
  const [source] = resource.map((declared) => declared.source);
  if (node === undefined || source === undefined || results.size > 1 || nodes.length < resource.length) {
    const accounts = resource.map(({ address }) => address.account).join(', ');
    return `It is declared for ${accounts}, but the change is not right for all of them. Declare it for each account separately.`;
  }
  return {
    place: source,
    node,
    objects: drifted.map(({ declared, object, paths: fields }) => {
      return { object, name: declared.address.name, fields };
    }),
    isAudienceNew: canonical(readAudience(written)) !== canonical(readAudience(node)),
  };
}

function readAudience(node: YAMLMap): unknown {
  const { audience, audience_filters: filters }: Readonly<Record<string, unknown>> = node.toJSON();
  return [audience, filters];
}

/** Makes a written resource equal to live, and changes nothing else. What is not set live is removed. */
function updateResource(node: YAMLMap, drift: Drift): YAMLMap {
  const { form, paths } = drift;
  const areas = new Set(paths.map((path) => path.split(/[.[]/, 1)[0] ?? ''));
  for (const area of areas)
    if (area === 'rules') updateRules(node, drift);
    else if (area === 'audience_filters') updateAudience(node, drift);
    else if (area === 'scheduled_at') updateTime(node, area, form);
    else if (area !== 'messages') setValue(node, area, form[area]);
  // Another action has messages, or has none.
  if (areas.has('action') || areas.has('messages')) updateMessages(node, drift);
  return node;
}

function updateRules(node: YAMLMap, { form, paths }: Drift): void {
  const live = isMembers(form['rules']) ? form['rules'] : {};
  const written: unknown = node.get('rules', true);
  const rules = isMap(written) ? written : new YAMLMap();
  for (const path of paths) {
    const [area, rule = ''] = path.split('.');
    if (rule === 'end_at') updateTime(rules, rule, live);
    else if (area === 'rules') setValue(rules, rule, live[rule]);
  }
  if (Object.keys(live).length === 0) node.delete('rules');
  else node.set('rules', rules);
}

/** Keeps the written zone, if it has this time. */
function updateTime(node: YAMLMap, key: 'scheduled_at' | 'end_at', live: Form): void {
  const zoneKey = `${key}_timezone`;
  const [value, liveZone, zone] = [live[key], live[zoneKey], node.get(zoneKey)];
  const time =
    typeof value === 'string'
      ? resolveTime(value, typeof liveZone === 'string' ? liveZone : undefined)
      : undefined;
  const wall = typeof zone === 'string' && time?.kind === 'time' ? wallClockIn(zone, time.utc) : null;
  setValue(node, key, wall ?? value);
  if (wall === null) setValue(node, zoneKey, liveZone);
}

/** Unchanged filters stay as written, with their comments. Others are removed, and new ones are added. */
function updateAudience(node: YAMLMap, { declared, object, form }: Drift): void {
  const live = object.live.audience_filters ?? [];
  const declaredFilters = declared.content.audience_filters;
  setValue(node, 'audience', live.length === 0 ? 'everyone' : undefined);
  const written = listItems(node, 'audience_filters');
  const left = new Set(live.keys());
  const kept = declaredFilters.flatMap((filter, index) => {
    const partner = [...left].find((place) => isSameFilter(filter, live[place]));
    if (partner === undefined) return [];
    left.delete(partner);
    return [written[index]];
  });
  const lists = declaredFilters.flatMap(({ options }) => options?.lists ?? []);
  const names = new Map(lists.map(({ id, name }) => [id, name]));
  const added = formsIn(form['audience_filters']).filter((_, place) => left.has(place));
  setItems(node, 'audience_filters', [...kept, ...added.map((filter) => toNode(nameLists(filter, names)))]);
}

function listItems(node: YAMLMap, key: string): readonly unknown[] {
  const list = node.get(key, true);
  return isSeq(list) ? list.items : [];
}

/** Sets what a list has, and keeps its own comments. An empty one is removed. */
function setItems(node: YAMLMap, key: string, items: unknown[]): void {
  const written = node.get(key, true);
  const list = isSeq(written) ? written : new YAMLSeq();
  list.items = items;
  if (items.length === 0) node.delete(key);
  else node.set(key, list);
}

/** Days and names of lists are not in replies, so they cannot differ. */
function isSameFilter(
  declared: Declared['content']['audience_filters'][number],
  live: ObservedFilter | undefined,
): boolean {
  const known = { listIds: null, hasSameHidden: null, isIgnored: () => false };
  return live !== undefined && compareAudience([declared], [live], known).fields.length === 0;
}

/** With the names of lists that the file had, by id. The service never returns them. */
function nameLists(filter: Form, names: ReadonlyMap<unknown, string>): Form {
  const options = isMembers(filter['options']) ? filter['options'] : {};
  const lists = formsIn(options['lists']);
  if (lists.length === 0) return filter;
  const named = lists.map((list): Form => ({ ...list, name: names.get(list['id']) ?? list['name'] ?? '' }));
  return { ...filter, options: { ...options, lists: named } };
}

/** Changes the messages that differ, one by one, and removes or adds the rest at the end. */
function updateMessages(node: YAMLMap, { declared, form, paths }: Drift): void {
  const written = declared.written ?? { ...declared.content, variables: new Map<string, string>() };
  const texts = written.messages.map(({ text }) => text ?? '').join('\n');
  const forms = formsIn(form['messages']).map((message): Form => {
    const { text } = message;
    if (typeof text !== 'string') return message;
    return { ...message, text: putBackVariables(texts, text, written.variables) };
  });
  const items = listItems(node, 'messages');
  const updated = forms.map((live, index) => {
    const message = items[index];
    if (!isMap(message)) return toNode(live);
    for (const path of paths) {
      if (!path.startsWith(`messages[${index}].`)) continue;
      const [, , key = ''] = path.split(/[.[]/);
      if (key === 'text') message.delete('text_file');
      setValue(message, key, live[key]);
    }
    return message;
  });
  setItems(node, 'messages', updated);
}

const PLACEHOLDER = /(?<!\\)\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/**
 * Puts the variables of the written texts back into the live text, where their values occur. Filling them in gives the
 * live text again.
 */
export function putBackVariables(
  written: string,
  live: string,
  variables: ReadonlyMap<string, string>,
): string {
  const used = new Set([...written.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''));
  const values = [...used]
    .map((name) => ({ name, value: variables.get(name) ?? '' }))
    .filter(({ value }) => value !== '' && !value.includes('{{'))
    .toSorted((left, right) => right.value.length - left.value.length);
  if (values.length === 0) return live;
  const escaped = values.map(({ value }) => value.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return live.replace(new RegExp(escaped.join('|'), 'g'), (found, offset: number) => {
    // After a backslash, the braces would be literal, and after another brace they would begin there.
    if (/[\\{]/.test(live.charAt(offset - 1))) return found;
    const name = values.find(({ value }) => value === found)?.name ?? '';
    return `{{${name}}}`;
  });
}
