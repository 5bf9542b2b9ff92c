import { FAN_LIST_TO_NAME, leavesDaysOpen } from '../domain/content.ts';
import type { Change, ChangeKind } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { canonical } from '../domain/digest.ts';
import { escapeGlob } from '../domain/glob.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress, formatApply, type Declared, type Observed } from '../domain/resource.ts';
import { foldName } from '../domain/text.ts';
import { isDeclaredToSend, isRunning, STATUS_TRAITS, readStatus } from '../domain/status.ts';
import { isStart, type ObjectRow } from '../state/shapes.ts';
import { digestDeclared, digestLive, digestTexts, unreadable, parseAsked } from './compare/content.ts';
import { blockChange, blocked, creates, listIds, starts } from './decide/decision.ts';
import {
  commandFor,
  formatByHand,
  explainOpen,
  isNamedByItsText,
  type Group,
  type Index,
  type List,
  type Version,
} from './decide/group.ts';
import type { PlanFacts } from './facts.ts';

interface GuardCase {
  readonly group: Group;
  readonly list: List;
  /** All changes of the address. */
  readonly changes: readonly Change[];
  readonly explainSame: ReturnType<typeof indexSame>;
  readonly facts: PlanFacts;
}

/** Says why a change is not carried out; null if it may be. */
type Guard = (wanted: Change, the: GuardCase) => string | null;

/** For what may make something send, in the order in which they are asked. */
const START_GUARDS: readonly Guard[] = [guardOpen, guardMissing, guardSameContent, guardPlaceholders];

/**
 * The changes of an address, each blocked by the first guard that has a reason. Review and approvals come after them
 * (`review.ts`), the policy with the plan.
 */
export function guardChanges(the: GuardCase): readonly Change[] {
  const { group, changes } = the;
  const guarded = changes.map((wanted) => {
    for (const guard of [...(starts(wanted) ? START_GUARDS : []), guardProtected]) {
      const reason = guard(wanted, the);
      if (reason !== null) return blockChange(wanted, reason);
    }
    return wanted;
  });
  const running = group.missing.filter(mayRun);
  if (isDeclaredToSend(group.declared) || running.length === 0) return guarded;
  // Otherwise the plan would say `paused` of a name of which something may run that the list does not show.
  const stops = guarded.filter(({ action }) => action !== 'keep' && action !== 'done');
  return [...stops, blocked(group.declared, explainMissing(running, 'Herald cannot stop it'))];
}

/** A start with the same content under another name may still take effect (G1). Those of this name are a row of the tables. */
function guardOpen(wanted: Change, { group, list }: GuardCase): string | null {
  const { declared } = group;
  const started = listStarted(wanted, group).map(({ observed }) => digestLive(observed));
  const contents = new Set([digestDeclared(declared), ...started]);
  const texts = digestTexts(declared.content);
  const open = list.open.find(
    (request) =>
      !group.open.includes(request) &&
      isStart(request) &&
      (contents.has(request.content) || parseAsked(request.asked)?.texts === texts),
  );
  return open === undefined ? null : explainOpen(open, group);
}

/** The own versions that a start sends as they are. */
function listStarted({ steps }: Change, { versions }: Group): readonly Version[] {
  return versions.filter(({ id }) => starts({ steps: steps.filter((one) => one.live_id === id) }));
}

/** Nothing is ever deleted: nothing starts next to an unlisted object on record, until `state forget`. */
function guardMissing(_: Change, { group, list: { missing, live } }: GuardCase): string | null {
  const { declared } = group;
  if (live.length === 0 && missing.length > 0) {
    const what = `${missing.length} ${declared.kind}${missing.length === 1 ? '' : 's'}`;
    return `The service lists nothing, but the state knows ${what} of this account, and the service never deletes. Check the account id, the key and the service's address: ${formatCommand('doctor')}. Keep the state.`;
  }
  const digest = digestDeclared(declared);
  const made = missing.filter((row) => row.declared_digest === digest && mayRun(row));
  const own = [...new Set([...group.missing, ...made])];
  if (own.length === 0) return null;
  return `${explainMissing(own, 'fans could get both')} Or choose another name.`;
}

/** Whether an object runs by what the state has: neither its stop nor its recall. */
export function mayRun({ status_set: status, recalled }: ObjectRow): boolean {
  return recalled === 0 && status !== 'paused' && status !== 'archived';
}

function explainMissing(rows: readonly ObjectRow[], effect: string): string {
  const objects = rows.map(({ live_id: id, name }) => `${id} (${canonical(name)})`).join(', ');
  const forget = formatCommand('state', 'forget', rows[0]?.live_id ?? 'ID', '--because', '…');
  return `The state knows ${objects} with this name or content, but the service does not list it, so ${effect}. Run the command again in a minute. If that does not help, check the account and the key: ${formatCommand('doctor')}. If the object does not exist any more: ${forget}.`;
}

function guardSameContent(wanted: Change, { group, explainSame }: GuardCase): string | null {
  return explainSame(group.declared, group.versions, listStarted(wanted, group));
}

/** Kinds that take a live object away, or something from what it does. */
const TAKING: readonly ChangeKind[] = ['replace', 'pause', 'archive', 'recall'];

/**
 * | `protect` in the file | the state knows the object as | pause, archive, replace, recall | a duplicate of it |
 * |-----------------------|-------------------------------|---------------------------------|-------------------|
 * | true                  | anything                      | blocked                         | stopped           |
 * | absent                | protected                     | blocked: lift it first, alone   | stopped           |
 * | absent                | not protected                 | continues                       | stopped           |
 *
 * A duplicate is stopped in any case, because fans would get both (CONTENT-1).
 */
function guardProtected(
  wanted: Change,
  { group: { declared, versions }, changes, facts }: GuardCase,
): string | null {
  const { action, live_id: id, address } = wanted;
  if (!TAKING.includes(action)) return null;
  const touched = listIds(wanted);
  const isKnown = versions.some((one) => one.known?.protect === 1 && touched.includes(one.id));
  const isAnotherKept = changes.some(
    (one) => one.action === 'keep' && one.live_id !== null && one.live_id !== id,
  );
  if (!isKnown && (!declared.protect || isAnotherKept)) return null;
  const { file, line } = declared.protect ? facts.placeOf(declared.source, ['protect']) : declared.source;
  const why = declared.protect
    ? `Protected by protect: true at ${file}:${line}. Otherwise Herald would ${action} it. Remove that line and apply, then make this change in a commit of its own.`
    : `Still protected: protect: true was removed at ${file}:${line}, but an apply must lift the protection before anything else changes. Undo the rest of the change and apply. Then make it in a commit of its own.`;
  if ((action !== 'pause' && action !== 'archive') || id === null) return why;
  const command = formatByHand(action, address.kind, id, address.account);
  return `${why} To ${action} it at once, by hand: ${command}`;
}

/**
 * What an import writes down may not be enough for a create: the service does not return the names of fan lists and ranges
 * in days, and it has broadcasts at hours that are none in UTC (BROADCAST-5).
 */
function guardPlaceholders(wanted: Change, { group: { declared }, facts }: GuardCase): string | null {
  const found = creates(wanted) ? findPlaceholder(declared) : null;
  if (found === null) return null;
  const { file, line } = facts.placeOf(declared.source, found.path);
  return `${file}:${line} ${found.what} After that, Herald would ${wanted.action} it.`;
}

/** The first place that a person has to change before a create; null for none. */
function findPlaceholder(
  declared: Declared,
): { readonly path: (string | number)[]; readonly what: string } | null {
  for (const [index, filter] of declared.content.audience_filters.entries()) {
    const isOpen = leavesDaysOpen(filter);
    if (!isOpen && filter.options?.lists?.some(({ name }) => name.startsWith(FAN_LIST_TO_NAME)) !== true)
      continue;
    const what = `still has a TODO of the import: the filter ${filter.kind}. Check it on the service. Write the name of its fan list, or its from_days and to_days, or remove the options if it has none.`;
    return { path: ['audience_filters', index, 'options', isOpen ? 'from_days' : 'lists'], what };
  }
  if (declared.kind === 'campaign') return null;
  const times = {
    scheduled_at: declared.atOnce === true ? null : declared.scheduledAtUtc,
    'rules.end_at': declared.content.rules?.end_at,
  };
  for (const [key, time] of Object.entries(times)) {
    if (time == null || /T\d\d:00:00(?:\.0+)?Z$/.test(time)) continue;
    const what = `is not a whole hour in UTC (${time}), and Herald can send no other time. Move it to a whole hour in UTC.`;
    return { path: key.split('.'), what };
  }
  return null;
}

/** What the digest of a create does not tell apart: of the audience it has the kinds, of media their number. */
const NOT_IN_DIGEST = /^audience_filters|\.attachments$/;

/**
 * Explains why nothing starts next to what runs under another name, with the same content or a name that reads alike:
 *
 * | the running object of another name                        | counts |
 * |-----------------------------------------------------------|--------|
 * | shows the content, or was created from it                  | yes    |
 * | the same, and its own file declares what it shows, to send | no     |
 * | has a name that people read as this one, in no file        | yes    |
 *
 * The hour does not matter: a rename that also moves the hour is still a second send. A version with a text that its file
 * ignores sends that text, which no file declares. The list is indexed at the first start, and once, so that many starts take
 * linear time.
 */
export function indexSame(list: List, index: Index) {
  let running: ReturnType<typeof indexRunning> | null = null;
  /** Null if there is none. `started` are the own versions that the start sends as they are. */
  return (declared: Declared, own: readonly Version[], started: readonly Version[]): string | null => {
    running ??= indexRunning(list, index);
    const { byTexts, byCreate, byReading, owners } = running;
    const texts = [declared.content, ...started.map(({ observed }) => observed.live)].map(digestTexts);
    const pathsOf = (object: Observed) =>
      list.versionOf(declared, object).comparison.fields.map(({ path }) => path);
    const shown = [...new Set(texts)]
      .flatMap((digest) => byTexts.get(digest) ?? [])
      .filter((object) => unreadable(object) === null)
      .filter((object) => pathsOf(object).every((path) => path === 'scheduled_at'));
    const made = (byCreate.get(digestDeclared(declared)) ?? []).filter(
      (object) => !pathsOf(object).some((path) => NOT_IN_DIGEST.test(path)),
    );
    const sendsFile = started.every(({ comparison }) =>
      comparison.ignored.every(({ path }) => !path.startsWith('messages')),
    );
    const object = [...shown, ...made].find((one) => {
      const owner = owners.get(one);
      if (own.some(({ observed }) => observed === one)) return false;
      if (owner === undefined || !sendsFile || !isDeclaredToSend(owner.declared)) return true;
      return owner.version.comparison.verdict !== 'equal';
    });
    if (object !== undefined) return explainTwice(declared, object, owners.get(object)?.declared);
    const alike = byReading.get(foldName(declared.address.name))?.find((one) => !owners.has(one));
    return alike === undefined ? null : explainAlike(alike);
  };
}

function indexRunning(list: List, index: Index) {
  const running = list.live.filter(({ live }) => isRunning(live));
  const owned = list.groups.flatMap(({ declared, versions }) =>
    versions.map((version) => [version.observed, { declared, version }] as const),
  );
  return {
    byTexts: groupBy(running, ({ live }) => digestTexts(live)),
    byCreate: groupBy(running, (object) => index.rowOf(object)?.declared_digest ?? ''),
    byReading: groupBy(
      running.filter((object) => !isNamedByItsText(object)),
      ({ live }) => foldName(live.name ?? ''),
    ),
    owners: new Map(owned),
  };
}

function explainAlike(object: Observed): string {
  const { id, name } = object.live;
  return `${id} runs with the name ${canonical(name ?? '')}, which people read as this one, and no file declares it, so fans could get both. Stop it first: ${commandFor('pause', object)}. Or choose another name.`;
}

/** Without an owner, no file declares what runs. */
function explainTwice(declared: Declared, object: Observed, owner: Declared | undefined): string {
  const { live } = object;
  const stop = commandFor('pause', object);
  const name = canonical(owner?.address.name ?? live.name ?? '(no name)');
  const twice = `The same content runs as ${name} (${live.id}), or it was created from it, so fans would get it twice.`;
  if (STATUS_TRAITS[readStatus(live)].goingOut)
    return `${twice} It goes out now, and fans keep what they have. If this one is another message, change its words.`;
  const isDraft = declared.kind === 'broadcast' && declared.atOnce === true;
  if (owner === undefined || isDraft) {
    const rename = isDraft ? '' : ` If you renamed it, add renamed_from: ${name}. If not, do one of these.`;
    return `${twice}${rename} Stop that one first: ${stop}. Or change the words of this one.`;
  }
  const targets = [declared, owner].flatMap((one) => ['--target', escapeGlob(formatAddress(one.address))]);
  return `${twice} Its file declares something else. Apply that first: ${formatApply(owner.address)}. Then: ${formatApply(declared.address)}. If each of the two waits for the other one, or to stop it at once: ${stop}. After that: ${formatCommand('apply', '--allow', 'resume', ...targets)}`;
}
