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
import { formatAddress, KIND_ROWS, type Declared, type Kind } from '../../domain/resource.ts';
import { isRunning, isStopped } from '../../domain/status.ts';
import { isUnconfirmed, type Known, type OpenRequest } from '../../state/shapes.ts';
import { describeFilter } from '../compare/audience.ts';
import { digestDeclared, unreadable } from '../compare/content.ts';
import { listEntries, readDeclared, showValue } from '../compare/fields.ts';
import {
  commandFor,
  explainStop,
  findNewest,
  isOwed,
  isRefused,
  explainOpen,
  toStop,
  type Group,
  type State,
  type Version,
} from './group.ts';
import type { Allowance } from '../../domain/change-kinds.ts';

/** What is decided about one name: its changes, and warnings. */
export type Decision = readonly (Change | Diagnostic)[];

/** What is decided in one place of a table. `found` is what its row goes by. */
export type Cell<The, Found = unknown> = (the: The, found: Found) => Decision;

/** One row of a decision table. The first that fits wins. */
export interface Row<The, Column extends string> {
  readonly live: string;
  /** Null if the row does not fit. */
  readonly decide: (the: The, column: Column) => Decision | null;
}

/** A row fits if it finds what it goes by. */
export function row<The, Column extends string, Found extends object>(
  live: string,
  find: (the: The) => Found | null | undefined,
  cells: Readonly<Record<Column, Cell<The, Found>>>,
): Row<The, Column> {
  const decide = (the: The, column: Column) => {
    const found = find(the) ?? null;
    return found === null ? null : cells[column](the, found);
  };
  return { live, decide };
}

/** Finds the first version that is in this state, and is so. */
export function findFirst(state: State, isSo: (version: Version) => boolean = () => true) {
  return (the: { readonly versions: readonly Version[] }) => inState(the, state).find(isSo);
}

export function decideByTable<The, Column extends string>(
  table: readonly Row<The, Column>[],
  column: Column,
  the: The,
): Decision {
  for (const { decide } of table) {
    const decision = decide(the, column);
    if (decision !== null) return decision;
  }
  throw new Error('the last row of a table always fits');
}

export function inState(
  { versions }: { readonly versions: readonly Version[] },
  ...states: readonly State[]
): readonly Version[] {
  return versions.filter(({ state }) => states.includes(state));
}

export function isEqual({ comparison }: Version): boolean {
  return comparison.verdict === 'equal';
}

export function isUnreadable({ comparison }: Version): boolean {
  return comparison.verdict === 'unknowable';
}

/** By its status, or on record: the status of a broadcast does not show a recall. */
export function wasRecalled(version: Version | null): boolean {
  return version?.state === 'recalled' || version?.known?.recalled === 1;
}

/** Herald created it from what is declared now. */
export function isMadeFrom({ known }: Pick<Version, 'known'>, declared: Declared): boolean {
  return known?.declared_digest === digestDeclared(declared);
}

// How changes are made.

interface Parts {
  readonly version?: { readonly id: string } | null;
  readonly reasons?: readonly string[];
  readonly fields?: readonly FieldDifference[];
  readonly steps?: readonly Step[];
}

export function change(
  { address }: Pick<Declared, 'address'>,
  action: ChangeKind,
  { version = null, reasons = [], fields = [], steps = [] }: Parts = {},
): Change {
  return {
    address,
    action,
    live_id: version?.id ?? null,
    reasons: [...reasons],
    fields: [...fields],
    dropped: [],
    steps: [...steps],
    needs: [],
    ...describeUndo(action, address.kind, steps),
  };
}

/** The call of each step that changes something on the service. Reads and uploads come on top. */
export const CALLS: Partial<Record<StepKind, string>> = {
  create: 'create',
  pause: 'set-status',
  archive: 'set-status',
  activate: 'set-status',
  resume: 'set-status',
  recall: 'unsend',
};

/**
 * A change that runs with all of its allowances, and is blocked without one of them. `adopt` is for the first write to an object
 * that is not known as ours.
 */
function propose(
  the: Group,
  action: ChangeKind,
  { needs: asked = [], ...parts }: Parts & { readonly needs?: readonly Allowance[] },
): Change {
  const { declared, versions, facts } = the;
  const wanted = change(declared, action, parts);
  const writesTo = (version: Version) =>
    wanted.steps.some(({ kind, live_id: id }) => id === version.id && kind in CALLS);
  const written = versions.filter(writesTo);
  const isForeign = written.some(({ ours }) => !ours);
  const needs = [...(isForeign ? ['adopt' as const] : []), ...asked];
  const reasons = [
    ...wanted.reasons,
    ...explainStartedAgain(written, facts.known),
    ...(starts(wanted) ? explainResumed(the) : []),
  ];
  const missing = needs.filter((need) => !facts.allow.has(need));
  if (missing.length > 0) {
    const flags = missing.map((need) => `--allow ${need}`).join(' and ');
    const verb = action === 'blocked' ? 'start' : chooseVerb(declared.kind, action);
    const would = `With ${flags}, Herald would ${verb} it.`;
    return { ...blockChange(wanted, ...reasons, would), needs: missing };
  }
  return { ...wanted, reasons: [...reasons, ...needs.map((need) => `Allowed by --allow ${need}.`)] };
}

/** Those that run, and that Herald has stopped since they were created. */
function explainStartedAgain(versions: readonly Version[], { isCut }: Known): readonly string[] {
  return versions
    .filter(
      ({ known, observed }) =>
        !isCut && !isStopped(observed.live) && isStopped({ status: known?.status_set }),
    )
    .map(({ id }) => `Someone started ${id} again after Herald had stopped it.`);
}

/** For a start that `--allow resume` allows: the stops of people that it undoes. */
function explainResumed(the: Group): readonly string[] {
  const { versions, facts } = the;
  if (!facts.allow.has('resume')) return [];
  const newest = new Set([findNewest(versions), findNewest(versions.filter(isEqual))]);
  const stops = [...newest].flatMap((version) =>
    version?.stoppedBy === 'person' ? [explainStop(version, the)] : [],
  );
  return stops.length === 0 ? [] : [...stops, 'Allowed by --allow resume.'];
}

/** A change that no allowance lets through: a person must change the files or the live state. */
export function blocked(declared: Declared, reason: string, version: Version | null = null): Change {
  const fields = version?.comparison.fields ?? [];
  return change(declared, 'blocked', { version, reasons: [reason], fields });
}

const WRITES_NOTHING = { steps: [], needs: [], reversible: true, undo: '' };

export function blockChange(wanted: Change, ...reasons: readonly string[]): Change {
  return { ...wanted, ...WRITES_NOTHING, action: 'blocked', reasons: [...reasons] };
}

export function warning(
  declared: Declared,
  code: DiagnosticCode,
  message: string,
  severity: Diagnostic['severity'] = 'warning',
): Diagnostic {
  return { severity, code, message, ...declared.source, address: formatAddress(declared.address) };
}

export function step(kind: ObjectStep['kind'] | NewStep['kind'], { id }: { readonly id: string }): Step {
  return { kind, live_id: id };
}

export const CREATE: readonly NewStep[] = [
  { kind: 'create', live_id: null },
  { kind: 'read_back', live_id: null },
];

export function creates({ steps }: Pick<Change, 'steps'>): boolean {
  return steps.some(({ kind }) => kind === 'create');
}

/** Whether a change may make something send. */
export function starts({ steps }: Pick<Change, 'steps'>): boolean {
  return creates({ steps }) || steps.some(({ kind }) => kind === 'activate' || kind === 'resume');
}

export function listIds({ live_id: id, steps }: Pick<Change, 'live_id' | 'steps'>): readonly string[] {
  return [id, ...steps.map((one) => one.live_id)].filter((one) => one !== null);
}

/** What a new version changes: it takes the file's value also where a difference is ignored. */
function listReplacedFields({ comparison }: Version): readonly FieldDifference[] {
  return [...comparison.fields, ...comparison.ignored];
}

/** For the column `replaced_for`: the live difference of a replace, with what the file says instead. */
export function digestDifference(fields: readonly FieldDifference[]): string {
  return digest(fields.map(({ path, old, new: wanted }) => [path, old ?? null, wanted ?? null]));
}

/** What a create sends, field by field, so that a reviewer reads it in the plan: nothing of it is live yet. */
function listContents(declared: Declared): readonly FieldDifference[] {
  const { audience_filters: filters } = declared.content;
  const content = readDeclared(declared);
  const audience = filters.length === 0 ? 'everyone' : filters.map(describeFilter).join('; ');
  const isNow = declared.kind === 'broadcast' && declared.atOnce === true;
  const head = isNow ? { scheduled_at: 'at once' } : content.head;
  const shown = listEntries({ ...content, head }).map((entry) => ({
    path: entry.path,
    old: null,
    new: showValue(entry),
  }));
  return shown.toSpliced(Object.keys(head).length, 0, { path: 'audience', old: null, new: audience });
}

const STOPPABLE = 'Pausing stops it; what it delivered can be recalled for 24 hours.';
const WAITS = 'Until it goes out, pausing stops it without loss.';
const RESUMABLE = 'It can be resumed within 5 days, before its time.';
const CLEARED = 'Its queue is lost.';

/** How and until when a change can be undone (CAMPAIGN-12, BROADCAST-20). */
const UNDO: Readonly<Record<Kind, Partial<Record<ChangeKind, string>>>> = {
  campaign: {
    create: STOPPABLE,
    activate: STOPPABLE,
    replace: 'The old version stays paused and can be activated again; the service archives it after 7 days.',
    pause: 'It can be activated again; the service archives it after 7 days.',
    archive: CLEARED,
    retire: CLEARED,
    recall: 'Messages of the last 24 hours are recalled permanently.',
  },
  broadcast: {
    create: WAITS,
    resume: WAITS,
    replace: 'The old version stays paused. Until the new one goes out, pausing stops it without loss.',
    pause: RESUMABLE,
    retire: RESUMABLE,
    recall: 'It stops permanently. What it delivered is recalled as far as the platform allows.',
  },
};

function describeUndo(action: ChangeKind, kind: Kind, steps: readonly Step[]) {
  const isArchiving = steps.some((one) => one.kind === 'archive');
  const undo = action === 'replace' && isArchiving ? CLEARED : UNDO[kind][action];
  return { reversible: !isArchiving && action !== 'recall', undo: undo ?? '' };
}

// What the cells of both tables do.

/** Already as declared. Other content is shown: it matters once it is to be sent after all. */
export function keep({ declared, versions }: Group): Decision {
  const { kind, target } = declared;
  const version = findNewest(versions) ?? versions.at(-1) ?? null;
  const absent =
    target === 'paused'
      ? `Not created while paused, because a new ${kind} is live immediately.`
      : 'Nothing of this name is live.';
  const fields = target === 'paused' ? (version?.comparison.fields ?? []) : [];
  return [change(declared, 'keep', { version, reasons: version === null ? [absent] : [], fields })];
}

/** The lowest id that runs as declared stays. Everything else of the name that runs is stopped: fans would get both. */
export function keepLowest(
  the: Group,
  keeper: Version,
  action: 'keep' | 'done',
  chooseStop: (other: Version) => 'retire' | 'pause',
): Decision {
  const stops = inState(the, 'runs')
    .filter((one) => one !== keeper)
    .map((one) => {
      const what = isEqual(one) ? 'Duplicate of' : 'Another version next to';
      const reason = `${what} ${keeper.id}, which is the declared one: fans would get both.`;
      return stopOther(the, one, chooseStop(one), reason);
    });
  return [change(the.declared, action, { version: keeper }), ...stops];
}

/**
 * One change for each version that is left to stop. Where nothing is left, what is there is kept. With `block`, which says what
 * holds the name back, it is not called done.
 */
export function stopAll<Found>(
  action: 'pause' | 'archive' | 'recall',
  block?: Cell<Group, Found>,
): Cell<Group, Found> {
  const states: readonly State[] = action === 'pause' ? ['runs'] : ['runs', 'paused'];
  return (the, found) => {
    const left = toStop(the, ...states).filter(({ state }) => state !== 'recalled');
    const stops = left.flatMap((version): Decision => {
      const refused = action === 'recall' ? warnRefusedRecall(the, version) : null;
      if (refused === null) return [stopDeclared(the, version, action)];
      return [...(block === undefined ? [change(the.declared, 'done', { version })] : []), refused];
    });
    if (block !== undefined) return [...stops, ...block(the, found)];
    return stops.length === 0 ? keep(the) : stops;
  };
}

/** What a change does to its object. A duplicate is archived or paused, by its kind. */
export function chooseVerb<Action extends ChangeKind>(kind: Kind, action: Action) {
  return action === 'retire' ? KIND_ROWS[kind].retire : (action as Exclude<Action, 'retire'>);
}

/** The steps that stop an object. A paused broadcast is read back: it may have begun to go out. */
export function listStopSteps(
  kind: Kind,
  action: 'retire' | 'pause' | 'archive' | 'recall',
  object: { readonly id: string },
): readonly Step[] {
  const verb = chooseVerb(kind, action);
  const isReadBack = kind === 'broadcast' && verb === 'pause';
  return [step(verb, object), ...(isReadBack ? [step('read_back', object)] : [])];
}

export function stopDeclared(
  the: Group,
  version: Version,
  action: 'pause' | 'archive' | 'recall',
  steps = listStopSteps(the.declared.kind, action, version),
): Change {
  const reasons = [`Declared ${the.declared.target}.`];
  return propose(the, action, { version, reasons, steps, needs: action === 'recall' ? ['recall'] : [] });
}

/** A stop of a version that must not run next to another one of its name. */
export function stopOther(
  the: Group,
  version: Version,
  action: 'retire' | 'pause' | 'archive',
  reason: string,
): Change {
  return propose(the, action, {
    version,
    reasons: [reason],
    fields: version.comparison.fields,
    steps: listStopSteps(the.declared.kind, action, version),
  });
}

/** A recall that the service refused for good is done, with a warning. Null for any other. */
export function warnRefusedRecall({ declared, facts }: Group, version: Version): Diagnostic | null {
  const { id, observed } = version;
  const { live } = observed;
  if (!isRefused(version, null, facts)) return null;
  const stop = isRunning(live) ? ` To stop it: ${commandFor('pause', observed)}` : '';
  const message = `The service refused to recall ${id}, which is ${live.status ?? 'without a status'}. It refuses 24 hours after the last status change.${stop}`;
  return warning(declared, 'recall-refused', message);
}

/** What no other row of a table is about. */
export function blockUnforeseen({ declared, versions }: Group): Decision {
  const { start } = KIND_ROWS[declared.kind];
  const shown = versions.map(({ id, observed }) => `${id} (${observed.live.status ?? 'no status'})`);
  const last = versions.at(-1);
  const command = last === undefined ? '' : ` (${commandFor(start, last.observed)})`;
  const reason = `Herald does not start anything, because it cannot tell which version a person wants: ${shown.join(', ')}. Start one of them by hand${command}, or give this one a new name.`;
  return [blocked(declared, reason, findNewest(versions))];
}

export function findUnconfirmed({ open }: Group): OpenRequest | undefined {
  return open.find(isUnconfirmed);
}

export function blockOpen(the: Group, request: OpenRequest): Decision {
  const version = the.versions.find(({ id }) => id === request.live_id) ?? null;
  return [blocked(the.declared, explainOpen(request, the), version)];
}

/** Matched by name only: nothing is decided about what cannot be read. */
export function blockUnread({ declared }: Group, version: Version): Decision {
  const why = unreadable(version.observed) ?? '';
  const reason = `Herald does not change it: ${why}. Check it on the service, or declare another name.`;
  return [blocked(declared, reason, version)];
}

/** A start that a person's stop holds back. With `--allow resume`, the row is decided as if Herald had stopped it. */
export function needResume(the: Group, version: Version): Decision {
  const reasons = [explainStop(version, the), ...explainInstead(the)];
  const { fields } = version.comparison;
  return [propose(the, 'blocked', { version, reasons, fields, needs: ['resume'] })];
}

/** Another version runs in place of the one that a person stopped or recalled. */
export function explainInstead(the: Group): readonly string[] {
  const [other] = inState(the, 'runs');
  if (other === undefined) return [];
  const update = formatCommand('import', '--update');
  return [`${other.id} runs instead. To keep it: ${update}, or restore the file.`];
}

export function startPaused(the: Group, version: Version, ...effects: readonly string[]): Decision {
  const action = KIND_ROWS[the.declared.kind].start;
  const reasons = [...(version.stoppedBy === 'herald' ? ['Herald paused it.'] : []), ...effects];
  const steps = [step(action, version), step('read_back', version)];
  return [propose(the, action, { version, reasons, steps })];
}

/** Creates the declared version. The old ones of its name are stopped already. */
export function createNew(
  the: Group,
  old: readonly Version[],
  effect: string,
  steps: readonly Step[],
  needs: readonly Allowance[] = [],
): Decision {
  const owed = old.filter(isOwed);
  const version = findNewest(owed) ?? findNewest(old) ?? old.at(-1) ?? null;
  const why =
    owed.length > 0
      ? 'Finishes a replace: the old version is paused, but the new one was never created.'
      : `An older version of it is stopped already: ${old.map(({ id }) => id).join(', ')}.`;
  const fields = version === null ? listContents(the.declared) : listReplacedFields(version);
  const reasons = [...(version === null ? [] : [why]), effect];
  return [propose(the, 'create', { version, reasons, fields, steps, needs })];
}

/** Replaces a version that runs, unless the last version of the name was replaced for the same difference. */
export function replaceRunning(
  the: Group,
  version: Version,
  effect: string,
  steps: readonly Step[],
): Decision {
  const fields = listReplacedFields(version);
  const again = explainAgain(the, version, fields);
  const [first, ...others] = fields;
  const isMoved = first?.path === 'scheduled_at' && others.length === 0;
  const what = isMoved ? `Moved from ${String(first.old)} to ${String(first.new)}.` : 'The content changed.';
  const why =
    again ?? `${what} The service cannot update a ${the.declared.kind}, so it is paused and created again.`;
  const needs = again === null ? [] : (['replace'] as const);
  return [propose(the, 'replace', { version, fields, reasons: [why, effect], steps, needs })];
}

/** Why a replace would be for the difference that the last version of the name was replaced for; null if it is another one. */
function explainAgain({ rows }: Group, { id }: Version, fields: readonly FieldDifference[]) {
  const replaced = rows.filter(({ replaced_for: why }) => why !== null);
  const last = replaced.toSorted((left, right) => left.first_seq - right.first_seq).at(-1);
  if (last === undefined || last.replaced_for !== digestDifference(fields)) return null;
  const shown = fields.map(({ path, old }) => `${path} ${canonical(old ?? null)}`).join(', ');
  const paths = fields.map(({ path }) => path).join(', ');
  return `${id} has ${shown}, which differs from the file. Herald replaced ${last.live_id} for this, and it differs again: the service rewrites it, or a person edits it. To accept it: ${formatCommand('import', '--update')}, or add ${paths} to \`ignore\`.`;
}
