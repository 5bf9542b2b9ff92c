import type { Allowance } from '../../domain/allowance.ts';
import type {
  Change,
  ChangeKind,
  FieldDifference,
  NewStep,
  ObjectStep,
  Step,
  StepKind,
} from '../../domain/change.ts';
import type { DiagnosticCode } from '../../domain/codes.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { canonical, digest } from '../../domain/digest.ts';
import { formatAddress, type Declared, type Kind, type Observed } from '../../domain/resource.ts';
import { isPaused, isRunning, isStopped } from '../../domain/status.ts';
import { describeDeclared } from '../compare/audience.ts';
import { messageEntries } from '../compare/messages.ts';
import type { PlanFacts } from '../facts.ts';
import {
  explainStop,
  findNewest,
  isStartedAgain,
  isStoppedByHerald,
  type Group,
  type GroupFacts,
  type Version,
} from './group.ts';
import { findBeingStarted, findBeingStopped, openReason, formatByHand } from './open.ts';

/** The decision about one name. */
export interface Decision {
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

export function only(...changes: readonly Change[]): Decision {
  return { changes, diagnostics: [] };
}

interface Parts {
  readonly version?: Pick<Version, 'id'> | null;
  readonly reasons?: readonly string[];
  readonly fields?: readonly FieldDifference[];
  readonly steps?: readonly Step[];
}

/** One change about an address. */
export function change(
  { address }: Pick<Declared, 'address'>,
  action: ChangeKind,
  parts: Parts = {},
): Change {
  const steps = [...(parts.steps ?? [])];
  return {
    address,
    action,
    live_id: parts.version?.id ?? null,
    reasons: [...(parts.reasons ?? [])],
    fields: [...(parts.fields ?? [])],
    dropped: [],
    steps,
    needs: [],
    ...describeUndo(action, address.kind, steps),
  };
}

/**
 * A change as it was decided if all of its allowances are given. Otherwise a blocked one that names the change and the missing
 * allowances.
 */
export function unlessBlocked(
  { allow }: Pick<PlanFacts, 'allow'>,
  wanted: Change,
  needs: readonly Allowance[],
): Change {
  const missing = needs.filter((need) => !allow.has(need));
  if (missing.length > 0) return needAllowances(wanted, missing, wanted.reasons);
  const allowed = needs.map((need) => `Allowed by --allow ${need}.`);
  return { ...wanted, reasons: [...wanted.reasons, ...allowed] };
}

/** A blocked change that names the missing allowances, and what Herald would do with them. */
function needAllowances(wanted: Change, needs: readonly Allowance[], reasons: readonly string[]): Change {
  const flags = needs.map((need) => `--allow ${need}`).join(' and ');
  const would = wanted.action === 'blocked' ? 'start' : wanted.action;
  const words = [...reasons, `With ${flags}, Herald would ${would} it.`];
  return { ...blockChange(wanted, ''), reasons: words, needs: [...needs] };
}

/** A change that no allowance lets through: a person must change the files or the live state. */
export function blocked(declared: Declared, reason: string, version: Version | null = null): Change {
  return change(declared, 'blocked', { version, reasons: [reason], fields: listDifferences(version) });
}

/** Holds a change back, and says why. */
export function blockChange(wanted: Change, reason: string): Change {
  return {
    ...wanted,
    action: 'blocked',
    reasons: [reason],
    steps: [],
    needs: [],
    ...NOTHING_TO_UNDO,
  };
}

/** A step about a live object. */
export function step(kind: ObjectStep['kind'] | NewStep['kind'], { id }: { readonly id: string }): Step {
  return { kind, live_id: id };
}

/** The steps of every create. */
export const CREATE: readonly NewStep[] = [
  { kind: 'create', live_id: null },
  { kind: 'read_back', live_id: null },
];

/** Steps that start sending. */
const STARTING: readonly StepKind[] = ['create', 'activate', 'reactivate', 'resume'];

/** Whether a change may make something send. */
export function starts({ steps }: Pick<Change, 'steps'>): boolean {
  return steps.some(({ kind }) => STARTING.includes(kind));
}

/** Ids of the existing objects that a change starts. */
export function startedBy({ steps }: Pick<Change, 'steps'>): readonly string[] {
  return steps.flatMap(({ kind, live_id: id }) => (id !== null && STARTING.includes(kind) ? [id] : []));
}

/** `adopt` for the first write to an object that is not known as ours. */
export function requireAdoption(...versions: readonly Version[]): readonly Allowance[] {
  return versions.some(({ ours }) => !ours) ? ['adopt'] : [];
}

export function listDifferences(version: Version | null): readonly FieldDifference[] {
  return version?.comparison.verdict === 'different' ? version.comparison.fields : [];
}

/** What a replace changes: the new version takes the file's value also where a difference is ignored. */
export function listReplacedFields(version: Version | null): readonly FieldDifference[] {
  return [...listDifferences(version), ...listIgnored(version)];
}

export function listIgnored(version: Version | null): readonly FieldDifference[] {
  return version === null || version.comparison.verdict === 'unknowable' ? [] : version.comparison.ignored;
}

/** For the column `replaced_for`: the live difference of a replace, with what the file says instead. */
export function digestDifference(fields: readonly FieldDifference[]): string {
  return digest(fields.map(({ path, old, new: wanted }) => [path, old ?? null, wanted ?? null]));
}

export function warning(
  declared: Declared,
  code: DiagnosticCode,
  message: string,
  severity: Diagnostic['severity'] = 'warning',
): Diagnostic {
  return { severity, code, message, ...declared.source, address: formatAddress(declared.address) };
}

/** What a create sends, field by field, so that a reviewer reads it in the plan: nothing of it is live yet. */
export function listContents(declared: Declared): readonly FieldDifference[] {
  const { rules = {}, audience_filters: filters, messages } = declared.content;
  const head =
    declared.kind === 'campaign'
      ? { trigger: declared.content.trigger, action: declared.content.action }
      : { scheduled_at: declared.atOnce === true ? 'at once' : declared.scheduledAtUtc };
  const audience = filters.length === 0 ? 'everyone' : filters.map(describeDeclared).join('; ');
  return [
    ...fields('', Object.entries({ ...head, audience })),
    ...fields('rules.', Object.entries(rules)),
    ...messages.flatMap((message, index) => fields(`messages[${index}].`, messageEntries(message))),
  ];
}

type Entries = readonly (readonly [key: string, value: unknown])[];

function fields(prefix: string, entries: Entries): readonly FieldDifference[] {
  return entries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ path: `${prefix}${key}`, old: null, new: value }));
}

type Undo = Pick<Change, 'reversible' | 'undo'>;

export const NOTHING_TO_UNDO: Undo = { reversible: true, undo: '' };
const STOPPABLE = {
  reversible: true,
  undo: 'Pausing stops it; what it delivered can be recalled for 24 hours.',
};
const CLEARED = { reversible: false, undo: 'Its queue is lost.' };
const WAITS = { reversible: true, undo: 'Until it goes out, pausing stops it without loss.' };
const RESUMABLE = { reversible: true, undo: 'It can be resumed within 5 days, before its time.' };

/** What can be undone, and until when (CAMPAIGN-12, BROADCAST-20). */
const UNDO: Readonly<Record<Kind, Partial<Record<ChangeKind, Undo>>>> = {
  campaign: {
    create: STOPPABLE,
    activate: STOPPABLE,
    replace: {
      reversible: true,
      undo: 'The old version stays paused and can be activated again; the service archives it after 7 days.',
    },
    pause: { reversible: true, undo: 'It can be activated again; the service archives it after 7 days.' },
    archive: CLEARED,
    retire: CLEARED,
    recall: { reversible: false, undo: 'Messages of the last 24 hours are recalled permanently.' },
  },
  broadcast: {
    create: WAITS,
    resume: WAITS,
    replace: {
      reversible: true,
      undo: 'The old version stays paused. Until the new one goes out, pausing stops it without loss.',
    },
    pause: RESUMABLE,
    retire: RESUMABLE,
    recall: {
      reversible: false,
      undo: 'It stops permanently. What it delivered is recalled as far as the platform allows.',
    },
  },
};

/** Whether a change of this kind, with these steps, can be undone and until when. */
function describeUndo(action: ChangeKind, kind: Kind, steps: readonly Step[]): Undo {
  if (action === 'replace' && steps.some((step) => step.kind === 'archive'))
    return { reversible: false, undo: 'The old version is archived, and its queue is lost.' };
  return UNDO[kind][action] ?? NOTHING_TO_UNDO;
}

// What the cells of both tables have in common.

/** What rows and cells look at. */
export interface Case<Resource extends Declared = Declared, Live extends Observed = Observed> {
  readonly group: Group<Resource, Live>;
  readonly declared: Resource;
  readonly versions: readonly Version<Live>[];
  readonly facts: GroupFacts & Partial<Pick<PlanFacts, 'settleMs'>>;
}

/** One row of a decision table. The first that fits wins. */
export interface Row<The, Column extends string> {
  readonly live: string;
  readonly fits: (the: The) => boolean;
  readonly cells: Readonly<Record<Column, (the: The) => Decision>>;
}

/** What the first row that fits says about one declared resource and every live object of its name. */
export function decideByTable<Resource extends Declared, Live extends Observed, Column extends string>(
  table: readonly Row<Case<Resource, Live>, Column>[],
  column: Column,
  group: Group<Resource, Live>,
  facts: Case['facts'],
): Decision {
  const the = { group, declared: group.declared, versions: group.versions, facts };
  return table.find(({ fits }) => fits(the))?.cells[column](the) ?? only();
}

export function isEqual({ comparison }: Version): boolean {
  return comparison.verdict === 'equal';
}

export function isUnreadable({ comparison }: Version): boolean {
  return comparison.verdict === 'unknowable';
}

/** Equal in ignored fields too: one that differs there is another version, and not a copy. */
export function areCopies(left: Version, right: Version): boolean {
  return isEqual(left) && isEqual(right) && canonical(listIgnored(left)) === canonical(listIgnored(right));
}

/** Already as declared. Other content is shown: it matters once it is to be sent after all. */
export function keep({ declared: { kind, target }, declared, versions }: Case): Decision {
  const version = findNewest(versions) ?? versions.at(-1) ?? null;
  const absent =
    target === 'paused'
      ? `Not created while paused, because a new ${kind} is live immediately.`
      : 'Nothing of this name is live.';
  const reasons = version === null ? [absent] : [];
  return only(
    change(declared, 'keep', {
      version,
      reasons,
      fields: target === 'paused' ? listDifferences(version) : [],
    }),
  );
}

/** A request that may still take effect: nothing starts. */
export function blockOpen({ group, facts }: Case): Decision {
  const [request] = group.open;
  if (request === undefined) return only();
  const version = group.versions.find(({ id }) => id === request.live_id) ?? null;
  return only(blocked(group.declared, openReason(request, group, facts), version));
}

/** Versions to stop: those of the given ones, and what an open request starts, without what one stops already. */
export function toStop<Live extends Observed>(
  { versions, group }: Pick<Case<Declared, Live>, 'versions' | 'group'>,
  wanted: (version: Version<Live>) => boolean,
): readonly Version<Live>[] {
  const [started, stopped] = [findBeingStarted(group.open), findBeingStopped(group.open)];
  return versions.filter((one) => (wanted(one) || started.has(one.id)) && !stopped.has(one.id));
}

type StopStep = Extract<StepKind, 'pause' | 'archive' | 'recall' | 'read_back'>;

/** A declared stop of one version. */
export function stopDeclared(
  { declared, facts }: Case,
  version: Version,
  action: 'pause' | 'archive' | 'recall',
  kinds: readonly StopStep[] = declared.kind === 'broadcast' && action === 'pause'
    ? ['pause', 'read_back']
    : [action],
): Change {
  const steps = kinds.map((kind) => step(kind, version));
  const needs: readonly Allowance[] = action === 'recall' ? ['recall'] : [];
  const wanted = change(declared, action, { version, reasons: [`Declared ${declared.target}.`], steps });
  return unlessBlocked(facts, wanted, [...requireAdoption(version), ...needs]);
}

/** A stop of a version that must not run next to another one of its name. */
export function stopOther(
  { declared, facts }: Case,
  version: Version,
  action: 'retire' | 'pause' | 'archive',
  { reason, steps }: { readonly reason: string; readonly steps: readonly StopStep[] },
): Change {
  const again = isStartedAgain(version, facts) ? ' Someone started it again.' : '';
  const wanted = change(declared, action, {
    version,
    reasons: [`${reason}${again}`],
    fields: listDifferences(version),
    steps: steps.map((kind) => step(kind, version)),
  });
  return unlessBlocked(facts, wanted, requireAdoption(version));
}

/** What a recall needs no more: the service refused it for good. */
export function isRecallRefused({ facts }: Case, { id, observed: { accountId, kind } }: Version): boolean {
  return facts.past?.isRefused({ accountId, kind, liveId: id }, 'recall') === true;
}

export function warnRefused({ declared }: Case, { id, observed }: Version): Diagnostic {
  const { kind, account, live } = observed;
  const stop = isRunning(live) ? ` To stop it: ${formatByHand('pause', kind, id, account)}` : '';
  const message = `The service refused to recall ${id}, which is ${live.status ?? 'without a status'}. It refuses 24 hours after the last status change.${stop}`;
  return warning(declared, 'recall-refused', message);
}

/** The others are stopped, and the name is not called done: `block` says what holds it back. */
export function andBlock<The>(
  cell: (the: The) => Decision,
  block: (the: The) => Decision,
): (the: The) => Decision {
  return (the) => {
    const { changes, diagnostics } = cell(the);
    const stops = changes.filter(({ action }) => action !== 'keep' && action !== 'done');
    return { changes: [...stops, ...block(the).changes], diagnostics };
  };
}

/** Matched by name only: nothing is decided about what cannot be read. */
export function blockUnread({ declared, versions }: Case): Decision {
  const unread = versions.filter(
    (one) => isUnreadable(one) && (isRunning(one.observed.live) || isPaused(one.observed.live)),
  );
  const version = unread.find(({ observed }) => isRunning(observed.live)) ?? unread[0] ?? null;
  const why =
    version?.comparison.verdict === 'unknowable' ? version.comparison.why : 'its content cannot be compared';
  const reason = `Herald does not change it: ${why}. Check it on the service, or declare another name.`;
  return only(blocked(declared, reason, version));
}

/** Stops of people that `--allow resume` undoes here, in words; `otherwise` if there are none. */
export function explainResumed(
  versions: readonly (Version | null)[],
  facts: GroupFacts,
  ...otherwise: readonly string[]
): readonly string[] {
  const undone = [...new Set(versions)].flatMap((version) =>
    version !== null && isStopped(version.observed.live) && !isStoppedByHerald(version, facts)
      ? [explainStop(version, facts)]
      : [],
  );
  return facts.allow.has('resume') && undone.length > 0
    ? [...undone, 'Allowed by --allow resume.']
    : otherwise;
}

/** A start that a person's stop holds back: what would be done with `--allow resume`, blocked. */
export function needResume(
  stopped: Version | null,
  ways: readonly string[],
  facts: GroupFacts,
  decide: (facts: GroupFacts) => Decision,
): Decision {
  const wished = decide({ ...facts, allow: new Set([...facts.allow, 'resume' as const]) });
  const start = wished.changes.find(
    (one) => starts(one) || (one.action === 'blocked' && one.needs.length > 0),
  );
  // It is blocked, missed or done for another reason.
  if (start === undefined) return wished;
  const reasons = [...(stopped === null ? [] : [explainStop(stopped, facts)]), ...ways];
  const needs = [...new Set([...start.needs, 'resume' as const])].toSorted();
  return only({ ...needAllowances(start, needs, reasons), live_id: start.live_id ?? stopped?.id ?? null });
}

/** A replace for the difference that the last version of the name was replaced for; null if it is another one. */
export function differsAgain(
  { declared, rows }: Group,
  version: Version,
  fields: readonly FieldDifference[],
  facts: GroupFacts,
): Change | null {
  const replaced = rows.filter(({ replaced_for: why }) => why !== null);
  const last = replaced.toSorted((left, right) => left.first_seq - right.first_seq).at(-1);
  if (last === undefined || last.replaced_for !== digestDifference(fields)) return null;
  if (facts.allow.has('replace')) return null;
  const shown = fields.map(({ path, old }) => `${path} ${canonical(old ?? null)}`).join(', ');
  const paths = fields.map(({ path }) => path).join(', ');
  const reason = `${version.id} has ${shown}, which differs from the file. Herald replaced ${last.live_id} for this, and it differs again: the service rewrites it, or a person edits it. To accept it: ${formatCommand('import', '--update')}, or add ${paths} to \`ignore\`.`;
  const wanted = change(declared, 'replace', { version, reasons: [reason], fields });
  return unlessBlocked(facts, wanted, ['replace']);
}

/** Why a resource is replaced. If nothing but its hour differs, a broadcast was moved. */
export function explainReplace(kind: Kind, fields: readonly FieldDifference[]): string {
  const [first, ...others] = fields;
  const isMoved = first?.path === 'scheduled_at' && others.length === 0;
  const what = isMoved ? `Moved from ${String(first.old)} to ${String(first.new)}.` : 'The content changed.';
  return `${what} The service cannot update a ${kind}, so it is paused and created again.`;
}
