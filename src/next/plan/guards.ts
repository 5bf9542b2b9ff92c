import { FAN_LIST_TO_NAME, leavesDaysOpen } from '../../domain/audience.ts';
import { writes, type Change, type ChangeKind } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import { nameForm } from '../../domain/name-form.ts';
import type { Declared, DeclaredBroadcast, SourcePlace } from '../../domain/resource.ts';
import { worldFileOf, type ServiceIdentity } from '../../domain/service-identity.ts';
import { isDeclaredToSend } from '../../domain/status.ts';
import type { ObjectRow } from '../../state/shapes.ts';
import { parseAsked } from './compare/asked.ts';
import { digestDeclared, digestLive, digestTexts } from './compare/content.ts';
import { blockChange, startedBy, starts } from './decide/decision.ts';
import { namesOf, type Group, type List } from './decide/group.ts';
import { isOpenStart, openReason } from './decide/open.ts';
import type { PlanFacts } from './facts.ts';
import { sameContentReason, type SameContent } from './same-content.ts';

/** What a guard sees, next to the change. */
export interface GuardCase {
  readonly declared: Declared;
  readonly group: Group;
  readonly list: List;
  /** All changes of the address. */
  readonly changes: readonly Change[];
  /** What runs under another name with the same content; looked up only for a start. */
  readonly same: () => SameContent | null;
  readonly facts: PlanFacts;
}

/** Says why a change is not carried out; null if it may be. */
export type Guard = (wanted: Change, the: GuardCase) => string | null;

/** In the order in which they are asked. Review and approvals come after them (`permissions.ts`), the policy with the plan. */
export const GUARDS: readonly Guard[] = [
  guardOpen,
  guardMissing,
  guardSameContent,
  guardMovedAlias,
  guardProtected,
  guardPlaceholders,
];

/** The change, or the same change blocked by the first guard that has a reason. */
export function guarded(wanted: Change, the: GuardCase): Change {
  for (const guard of GUARDS) {
    const reason = guard(wanted, the);
    if (reason !== null) return blockChange(wanted, reason);
  }
  return wanted;
}

/** A start with the same content under another name may still take effect (G1). Those of this name are a row of the tables. */
function guardOpen(wanted: Change, { declared, group, list, facts }: GuardCase): string | null {
  if (!starts(wanted)) return null;
  const own = new Set(group.open);
  const started = new Set(startedBy(wanted));
  const contents = new Set([
    digestDeclared(declared),
    ...group.versions.filter(({ id }) => started.has(id)).map(({ observed }) => digestLive(observed)),
  ]);
  const texts = digestTexts(declared.content);
  const open = list.open.find(
    (request) =>
      !own.has(request) &&
      isOpenStart(request) &&
      (contents.has(request.content) || parseAsked(request.asked)?.texts === texts),
  );
  return open === undefined ? null : openReason(open, group, facts);
}

/**
 * Nothing is ever deleted, so an object on record that the list does not show counts as running. Nothing starts next to it,
 * and nothing is called stopped. `state forget` ends that.
 */
function guardMissing(wanted: Change, { declared, list, facts }: GuardCase): string | null {
  const isStop = saysStopped(wanted, declared);
  if (!starts(wanted) && !isStop) return null;
  const { missing } = list;
  if (missing.length === 0) return null;
  const names = namesOf(declared);
  const own = missing.filter(({ name }) => names.includes(nameForm(name)));
  if (isStop) {
    const running = own.filter(mayRun);
    return running.length === 0 ? null : unseen(running);
  }
  if (list.live.length === 0) return emptyList(missing.length, declared, facts.service);
  if (own.length > 0)
    return `The state knows ${idsOf(own)} under this name, but the service does not list it, so fans could get both. ${waysOut(own)} Or choose another name.`;
  const digest = digestDeclared(declared);
  const twin = missing.find((row) => row.declared_digest === digest && mayRun(row));
  if (twin === undefined) return null;
  return `Herald created ${twin.live_id} (${JSON.stringify(twin.name)}) with the same content, and the service does not list it, so fans could get it twice. ${waysOut([twin])}`;
}

/** Unless the state has its stop or its recall. */
function mayRun({ status_set: status, recalled }: ObjectRow): boolean {
  return recalled === 0 && status !== 'paused' && status !== 'archived';
}

/** The answer to a declared stop when all of the name that is shown has stopped, or nothing is shown. */
function saysStopped({ action }: Change, declared: Declared): boolean {
  return (action === 'keep' || action === 'done') && !isDeclaredToSend(declared);
}

/** Objects of a name that must stop and that the list does not show. Otherwise the plan would say `paused`. */
export function unseenRunning(declared: Declared, list: List, changes: readonly Change[]): string | null {
  if (isDeclaredToSend(declared) || changes.some((one) => saysStopped(one, declared))) return null;
  const names = namesOf(declared);
  const running = list.missing.filter((row) => names.includes(nameForm(row.name)) && mayRun(row));
  return running.length === 0 ? null : unseen(running);
}

function unseen(running: readonly ObjectRow[]): string {
  return `The state knows ${idsOf(running)} under this name, but the service does not list it, so Herald cannot stop it. ${waysOut(running)}`;
}

function idsOf(rows: readonly ObjectRow[]): string {
  return rows.map(({ live_id: id }) => id).join(', ');
}

function waysOut([row]: readonly ObjectRow[]): string {
  const forget = formatCommand('state', 'forget', row?.live_id ?? 'ID', '--because', '…');
  return `Run the command again in a minute. If that does not help, check the account and the key: ${formatCommand('doctor')}. If the object does not exist any more: ${forget}.`;
}

function emptyList(count: number, { kind }: Declared, service: ServiceIdentity): string {
  const what = `${count} known ${kind}${count === 1 ? '' : 's'}`;
  return `The service lists nothing, but the state knows ${what} on this account, and the service never deletes. Check the account id, the key and the service's address: ${formatCommand('doctor')}. Keep the state.${newWorld(service)}`;
}

/** A simulator forgets what its world did not keep. The real service never does. */
function newWorld({ simulator, origin }: ServiceIdentity): string {
  if (!simulator) return '';
  const asNew = 'The simulator may have begun a new world.';
  if (worldFileOf(origin) !== null)
    return ` ${asNew} Give it another file in service.simulator, and it counts as another service.`;
  return ` ${asNew} It counts as another service on another port. To keep its world: ${formatCommand('simulate', '--world', 'FILE', '--port', 'N')}.`;
}

function guardSameContent(wanted: Change, { declared, group, same }: GuardCase): string | null {
  if (!starts(wanted)) return null;
  const found = same();
  return found === null ? null : sameContentReason(wanted, declared, group.versions, found);
}

/** Messages must not go to another account only because a name has moved between accounts. */
function guardMovedAlias(wanted: Change, { list: { account }, facts }: GuardCase): string | null {
  if (!writes(wanted)) return null;
  const was = facts.known.aliases.find(({ alias }) => alias === account.alias)?.account_id;
  if (was === undefined || was === account.accountId) return null;
  return `"${account.alias}" was account ${was} in earlier runs and is account ${account.accountId} now. To see both: ${formatCommand('accounts', 'list')}. Then write the id of the right account in herald.yaml: ${account.alias}: { id: "${account.accountId}" }, or { id: "${was}" }.`;
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
function guardProtected(wanted: Change, { declared, group, changes, facts }: GuardCase): string | null {
  if (!TAKING.includes(wanted.action)) return null;
  const protectedIds = new Set(
    group.versions.filter(({ known }) => known?.protect === 1).map(({ id }) => id),
  );
  const touched = [wanted.live_id, ...wanted.steps.map((step) => step.live_id)];
  const isKnown = touched.some((id) => id !== null && protectedIds.has(id));
  const isAnotherKept = changes.some(
    ({ action, live_id: id }) => action === 'keep' && id !== null && id !== wanted.live_id,
  );
  if (!isKnown && (!declared.protect || isAnotherKept)) return null;
  const place = declared.protect ? facts.placeOf(declared.source, ['protect']) : declared.source;
  const would = `Otherwise Herald would ${wanted.action} it.`;
  const reason = declared.protect
    ? `Protected by protect: true at ${placeWords(place)}. ${would} To do that: remove that line and apply, then make this change in a commit of its own and apply again.`
    : `Still protected: protect: true was removed at ${placeWords(place)}, but an apply must lift the protection before anything else changes. ${would} Undo the rest of the change and apply. Then make it in a commit of its own and apply again.`;
  return `${reason}${byHand(wanted)}`;
}

/** A person may stop it in spite of its protection (decision 44). */
function byHand({ action, address: { account, kind }, live_id: id }: Change): string {
  if ((action !== 'pause' && action !== 'archive') || id === null) return '';
  return ` To ${action} it at once, by hand: ${formatCommand(KIND_ROWS[kind].plural, action, id, '--account', account)}`;
}

function placeWords({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}

interface Placeholder {
  readonly path: readonly (string | number)[];
  readonly what: string;
  readonly advice: string;
}

/**
 * What an import writes down may not be enough for a create: the service does not return the names of fan lists and ranges
 * in days, and it has broadcasts at hours that are none in UTC (BROADCAST-5).
 */
function guardPlaceholders(wanted: Change, { declared, facts }: GuardCase): string | null {
  if (!wanted.steps.some(({ kind }) => kind === 'create')) return null;
  const open = placeholderIn(declared);
  if (open === null) return null;
  const place = placeWords(facts.placeOf(declared.source, open.path));
  return `${place} ${open.what} ${open.advice} After that, Herald would ${wanted.action} it.`;
}

/** The first place that a person has to change before a create; null when there is none. */
function placeholderIn(declared: Declared): Placeholder | null {
  for (const [index, filter] of declared.content.audience_filters.entries()) {
    const path = ['audience_filters', index, 'options'];
    if (leavesDaysOpen(filter))
      return {
        path: [...path, 'from_days'],
        what: `still has a TODO: the range in days of the filter ${filter.kind}, if it has one. A create needs it.`,
        advice:
          'Check the filter on the service. Write from_days and to_days there, or remove the line if it has none.',
      };
    const lists = filter.options?.lists ?? [];
    const at = lists.findIndex(({ name }) => name.startsWith(FAN_LIST_TO_NAME));
    const list = lists[at];
    if (list !== undefined)
      return {
        path: [...path, 'lists', at, 'name'],
        what: `still has a TODO: the name of fan list ${list.id ?? ''}. A create needs it.`,
        advice: `Replace "${list.name}" with it.`,
      };
  }
  return declared.kind === 'broadcast' ? oddHourIn(declared) : null;
}

const WHOLE_HOUR = /T\d\d:00:00(?:\.0+)?Z$/;

function oddHourIn({ content, scheduledAtUtc, atOnce }: DeclaredBroadcast): Placeholder | null {
  const times = [
    { path: ['scheduled_at'], time: atOnce === true ? null : scheduledAtUtc },
    { path: ['rules', 'end_at'], time: content.rules?.end_at ?? null },
  ];
  const odd = times.find(({ time }) => time !== null && !WHOLE_HOUR.test(time));
  if (odd === undefined) return null;
  return {
    path: odd.path,
    what: `is not a whole hour in UTC (${odd.time}), and Herald can send no other time.`,
    advice: 'Move it to a whole hour in UTC.',
  };
}
