import { canonical } from '../domain/digest.ts';
import { FieldPath, isMembers } from '../domain/field-path.ts';
import { groupBy } from '../domain/group-by.ts';
import { matchValues } from '../domain/glob.ts';
import type { Files } from '../domain/ports.ts';
import { formatAddress, formatApply, type Declared } from '../domain/resource.ts';
import { isDeclaredToSend, isPaused } from '../domain/status.ts';
import { findCause } from '../engine/drift.ts';
import { compareAudience } from '../plan/compare/audience.ts';
import { listDropped } from '../plan/compare/content.ts';
import { compareContent, mediaJudge, readLive } from '../plan/compare/fields.ts';
import { findUnconfirmed } from '../plan/decide/decision.ts';
import { explainOpen, findNewest, type Group, isUnreplaced, type Version } from '../plan/decide/group.ts';
import { wallClockIn } from '../workspace/schedule.ts';
import { isQuiet } from './draft.ts';
import { describeLive } from './from-live.ts';
import { type Form, formsIn, ResourceFile } from './resource-file.ts';
import { chooseImportable, type Scan } from './scan.ts';
import { type Entry, type Found, leaveOut, type LeftOut } from './shape.ts';

/** Declared resources that differ from live, as they are to be written: for all of their accounts, or none. */
export async function findUpdates(files: Files, scan: Scan): Promise<Found> {
  const changing = new Set(
    scan.plan.changes.filter((change) => !isQuiet(change)).map(({ address }) => formatAddress(address)),
  );
  const leftOut: LeftOut[] = [];
  const drifts: Drift[] = [];
  for (const list of scan.index.lists)
    for (const group of list.groups) {
      const isLeftAlone = !changing.has(formatAddress(group.declared.address));
      const found = findDrift(group, isLeftAlone, scan);
      if ('form' in found) drifts.push(found);
      else leftOut.push(...found.leftOut);
    }
  const opened = new Map<string, ResourceFile>();
  const entries: Entry[] = [];
  // All accounts of a resource share its place.
  const accounts = groupBy(scan.subject.declared, ({ source }) => source);
  for (const [place, drifted] of groupBy(drifts, ({ declared }) => declared.source)) {
    const file = opened.get(place.file) ?? new ResourceFile(await files.readText(place.file));
    opened.set(place.file, file);
    const entry = makeEntry(accounts.get(place) ?? [], drifted, file.read(place));
    if (typeof entry !== 'string') entries.push(entry);
    else leftOut.push(...drifted.map(({ version }) => leaveOut(version.observed, 'kept-as-written', entry)));
  }
  return { entries, leftOut };
}

/** How one account of a declared resource differs from live, in a way that a file can have. */
interface Drift {
  readonly declared: Declared;
  readonly version: Version;
  readonly form: Form;
  /** `status`, and paths as in plans: `rules.end_at`, `messages[0].text`, … */
  readonly paths: readonly string[];
}

/** The live objects that a file cannot have, with reasons, in place of a difference. */
function findDrift(
  group: Group,
  isLeftAlone: boolean,
  { index, subject }: Scan,
): Drift | { readonly leftOut: readonly LeftOut[] } {
  const { declared, versions } = group;
  const all = versions.map(({ observed }) => observed);
  const { chosen, leftOut } = chooseImportable(all, new Set(), index);
  const version = versions.find(({ observed }) => observed === chosen[0]);
  const unfinished = explainUnfinished(group);
  if (version === undefined) {
    if (isLeftAlone) return { leftOut: [] };
    if (unfinished === null) return { leftOut };
    // Next to an unfinished change there are several versions for a time, and a person has nothing to choose.
    return { leftOut: leftOut.map((one) => ({ ...one, code: 'kept-as-written', reason: unfinished })) };
  }
  const { observed: object, comparison } = version;
  // It can be read, or it would not have been chosen.
  const unstated = listDropped(declared, [version], declared.ignore);
  const paths = [...comparison.fields, ...unstated].map(({ path }) => path);
  const runs = !isPaused(object.live);
  // A recall of what runs is still to come.
  const isOtherStatus = declared.target !== 'recalled' && isDeclaredToSend(declared) !== runs;
  const difference = { declared, object, row: index.rowOf(object) };
  const causes = [
    paths.length === 0 ? null : findCause('replace', difference),
    isOtherStatus ? findCause(runs ? 'pause' : 'activate', difference) : null,
  ];
  if (isOtherStatus) paths.unshift('status');
  if (paths.length === 0) return { leftOut: [] };
  const isEdited = causes.includes('files') || causes.includes('both');
  // Without a record of a start, the stop may be an edit that is not applied yet.
  const isDoubtful = runs && causes[1] === 'unknown';
  const kept = unfinished ?? (isEdited || isDoubtful ? EDITED : null);
  if (kept !== null) return { leftOut: [leaveOut(object, 'kept-as-written', kept)] };
  const described = describeLive(object, index, subject.workspace.service.knownWords);
  if ('code' in described) return { leftOut: [described] };
  return { declared, version, form: described.form, paths };
}

/**
 * Why the difference between a file and its live objects is not drift: Herald has not finished its own change. Null if
 * it has.
 *
 * | open request about its names or objects | its newest own object                       | finished |
 * |-----------------------------------------|---------------------------------------------|----------|
 * | one, of any age                         | any                                         | no       |
 * | none                                    | paused for a replace, without a new version | no       |
 * | none                                    | any other, or there is none                 | yes      |
 */
function explainUnfinished(group: Group): string | null {
  const { declared, versions } = group;
  const request = findUnconfirmed(group);
  // Also after its window: until an apply has judged it, its effect may be missing in a list or in the state.
  if (request !== undefined) return explainOpen(request, group);
  const newest = findNewest(versions.filter(({ ours }) => ours));
  // If it runs, someone started it again, and nothing is left of Herald's pause.
  if (newest === null || !isUnreplaced(newest) || !isPaused(newest.observed.live)) return null;
  return `Herald paused it on ${declared.address.account} to replace it, and the new version is missing. First: ${formatApply(declared.address)}`;
}

/** For each live message the place of the written one with the same content: its own, or where someone moved it from. */
function pairMessages({ declared, version }: Drift): readonly (number | undefined)[] {
  const { observed, shown } = version;
  const { messages } = declared.content;
  const mediaIs = mediaJudge(observed.accountId, shown.media, new Map());
  const apart = { head: {}, rules: {} };
  return readLive(observed).messages.map((message, index) =>
    [index, ...messages.keys()].find((place) => {
      const wanted = { ...apart, messages: messages.slice(place, place + 1) };
      const found = compareContent(wanted, { ...apart, messages: [message] }, mediaIs);
      return found.fields.length + found.unverifiable.length === 0;
    }),
  );
}

const EDITED = 'Its file may have a change that is not applied yet. Apply it, or undo it first.';

/** A text says why the file stays as it is written. */
function makeEntry(
  resource: readonly Declared[],
  drifted: readonly [Drift, ...Drift[]],
  written: Form,
): Entry | string {
  const [{ declared }] = drifted;
  const form = takeOver(written, drifted[0]);
  const isAlike = drifted.every((one) => canonical(takeOver(written, one)) === canonical(form));
  if (!isAlike || drifted.length < resource.length) {
    const accounts = resource.map(({ address }) => address.account).join(', ');
    return `It is declared for ${accounts}, but the change is not right for all of them. Declare it for each account separately.`;
  }
  const readAudience = (one: Form) => canonical([one['audience'], one['audience_filters']]);
  return {
    place: declared.source,
    kind: declared.kind,
    name: declared.address.name,
    form,
    objects: drifted.map(({ version, paths: fields }) => ({ object: version.observed, fields })),
    isAudienceNew: readAudience(written) !== readAudience(form),
  };
}

/** Keys that change together with another one. */
const CHANGED_WITH: Readonly<Record<string, string>> = {
  audience: 'audience_filters',
  end_at_timezone: 'end_at',
  scheduled_at_timezone: 'scheduled_at',
  text_file: 'text',
};

/** The written resource with what is live where the two differ. A message that only moved stays as it is written. */
function takeOver(written: Form, drift: Drift): Form {
  const { form, paths, version } = drift;
  const object = version.observed;
  const places = pairMessages(drift);
  // Another action has messages, or has none.
  const changed = [...paths, ...(paths.includes('action') ? ['messages'] : [])];
  const merge = (own: Form, live: Form, ...at: readonly string[]): Form => {
    const isChanged = (key: string) =>
      changed.some((path) => new FieldPath(path).isWithin([...at, CHANGED_WITH[key] ?? key]));
    const keys = new Set([...Object.keys(own), ...Object.keys(live)]);
    return Object.fromEntries([...keys].map((key) => [key, (isChanged(key) ? live : own)[key]]));
  };
  const [ownRules = {}, liveRules = {}] = [written, form].map(({ rules = null }) => formsIn([rules])[0]);
  const rules = merge(ownRules, keepZone('end_at', ownRules, liveRules, object.live.rules?.end_at), 'rules');
  const own = formsIn(written['messages']);
  const messages = readMessages(drift).map((live, index) => {
    const moved = places[index] === index ? undefined : own[places[index] ?? -1];
    // With what the file leaves to its default, and someone has set.
    if (moved !== undefined) return { ...live, ...moved, text: moved['text'] };
    return own[index] === undefined ? live : merge(own[index], live, 'messages', String(index));
  });
  const filters = takeFilters(formsIn(written['audience_filters']), drift);
  return merge(written, {
    ...keepZone('scheduled_at', written, form, Reflect.get(object.live, 'scheduled_at')),
    rules: Object.values(rules).some((value) => value !== undefined) ? rules : undefined,
    audience_filters: filters.length > 0 ? filters : undefined,
    messages: messages.length > 0 ? messages : undefined,
  });
}

/** The live time in the written zone, if it has this time. */
function keepZone(key: 'scheduled_at' | 'end_at', written: Form, live: Form, instant: unknown): Form {
  const zone = written[`${key}_timezone`];
  const wall = typeof zone === 'string' && typeof instant === 'string' ? wallClockIn(zone, instant) : null;
  return wall === null ? live : { ...live, [key]: wall, [`${key}_timezone`]: zone };
}

/** Unchanged filters stay as written. Others are removed, and new ones are added. */
function takeFilters(written: readonly Form[], { declared, version, form }: Drift): readonly Form[] {
  const live = version.observed.live.audience_filters ?? [];
  const { audience_filters: filters } = declared.content;
  const left = new Set(live.keys());
  // Days and names of lists are not in replies, so they cannot differ.
  const known = { listIds: null, hidden: {}, hasSameHidden: null, isIgnored: () => false };
  const isSame = (own: number, place: number) =>
    compareAudience(filters.slice(own, own + 1), live.slice(place, place + 1), known).fields.length === 0;
  const kept = written.filter((_, index) => {
    const partner = [...left].find((place) => isSame(index, place));
    return partner !== undefined && left.delete(partner);
  });
  const names = new Map(
    filters.flatMap(({ options }) => options?.lists ?? []).map(({ id, name }) => [id, name]),
  );
  const added = formsIn(form['audience_filters']).filter((_, place) => left.has(place));
  return [...kept, ...added.map((filter) => nameLists(filter, names))];
}

/** With the names of lists that the file had, by id. The service never returns them. */
function nameLists(filter: Form, names: ReadonlyMap<unknown, string>): Form {
  const options = isMembers(filter['options']) ? filter['options'] : {};
  const lists = formsIn(options['lists']);
  if (lists.length === 0) return filter;
  const named = lists.map((list): Form => ({ ...list, name: names.get(list['id']) ?? list['name'] }));
  return { ...filter, options: { ...options, lists: named } };
}

/** The live messages, with the variables of the written ones. */
function readMessages({ declared, form }: Drift): readonly Form[] {
  const { messages } = declared.written ?? declared.content;
  const variables = declared.written?.variables ?? new Map<string, string>();
  const texts = messages.map(({ text }) => text ?? '').join('\n');
  return formsIn(form['messages']).map(({ text, ...live }) => ({
    text: typeof text === 'string' ? putBackVariables(texts, text, variables) : undefined,
    ...live,
  }));
}

const PLACEHOLDER = /(?<!\\)\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/**
 * Puts the variables of the written texts into the live text. Filling them in gives the live text again. A value is a word of its own.
 * If there are more of it than the file had, it is not known which ones are the variable, so they stay.
 */
function putBackVariables(written: string, live: string, variables: ReadonlyMap<string, string>): string {
  const names = [...written.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
  const used = groupBy(names, (name) => variables.get(name) ?? '');
  const values = [...used.keys()].filter((value) => value !== '' && !value.includes('{{'));
  if (values.length === 0) return live;
  const pattern = matchValues(values);
  const found = groupBy(live.matchAll(pattern), ([value]) => value);
  return live.replace(pattern, (value, offset: number) => {
    const own = used.get(value) ?? [];
    // After a backslash, the braces would be literal, and after another brace they would begin there.
    const isLiteral = /[\\{]/.test(live.charAt(offset - 1));
    return isLiteral || (found.get(value) ?? []).length > own.length ? value : `{{${own[0] ?? ''}}}`;
  });
}
