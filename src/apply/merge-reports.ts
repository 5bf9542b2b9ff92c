import {
  OUTCOMES,
  type ApplyReport,
  type Change,
  type ChangeKind,
  type Outcome,
  type OutcomeKind,
} from '../domain/change.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { formatAddress, type Kind } from '../domain/resource.ts';

/** Kinds that stop what must not run together with the declared resource: duplicates and other versions. */
const EXTRAS: readonly ChangeKind[] = ['retire', 'pause', 'archive'];

/** Kinds that create what is declared. */
const CREATES: readonly ChangeKind[] = ['create', 'replace'];

/** What a second look found out about unconfirmed requests. Addresses are formatted. */
export interface Found {
  /** The live ids that lost creates turned out to have made, by address. */
  readonly adopted: ReadonlyMap<string, string>;
  /** Addresses at which a request may still be carried out. */
  readonly open: ReadonlySet<string>;
  /** Status changes that were asked for again and confirmed, as the address and the live id. */
  readonly confirmed: ReadonlySet<string>;
  /** What was live before the run, as the kind and the id. */
  readonly before: ReadonlySet<string>;
  /** Addresses of status changes that show and that no answer confirmed, with what is to be said. */
  readonly halfDone: ReadonlyMap<string, string>;
  /** Addresses at which a lost create may have made what is new under the name, with what is to be said. */
  readonly newcomers: ReadonlyMap<string, string>;
}

const NOTHING_FOUND: Found = {
  adopted: new Map(),
  open: new Set(),
  before: new Set(),
  confirmed: new Set(),
  halfDone: new Map(),
  newcomers: new Map(),
};

/**
 * Puts what a second look came to into the report of the first: an outcome that was unknown gets the end that
 * was found for it, and a duplicate that could not be stopped before the end of its next stop. What had to be stopped, or
 * needs a person, is added.
 */
export function mergeReports(
  first: ApplyReport,
  second: ApplyReport,
  found: Found = NOTHING_FOUND,
): ApplyReport {
  const later = new Map<string, Outcome[]>();
  for (const outcome of second.outcomes) {
    const key = formatAddress(outcome.address);
    later.set(key, [...(later.get(key) ?? []), outcome]);
  }
  const ends = first.outcomes.map((outcome) => {
    const ofAddress = later.get(formatAddress(outcome.address)) ?? [];
    if (outcome.outcome === 'unknown') return endOf(outcome, ofAddress, found);
    return outcome.outcome === 'failed' && outcome.action === 'retire'
      ? (ofAddress.find((one) => objectOf(one) === objectOf(outcome)) ?? outcome)
      : outcome;
  });
  const known = new Set(first.outcomes.map(objectOf));
  const doubtful = new Set(
    ends.filter(({ outcome }) => outcome === 'unknown').map(({ address }) => formatAddress(address)),
  );
  const extras = second.outcomes
    .filter((outcome) => !known.has(objectOf(outcome)))
    .filter(({ action, outcome, address }) =>
      action === 'blocked'
        ? !doubtful.has(formatAddress(address))
        : EXTRAS.includes(action) && outcome !== 'unchanged',
    );
  return reportOf([...ends, ...extras]);
}

/** The message of an unconfirmed request with an effect that is live. */
export const SHOWN = 'it was not confirmed at first, but the list shows that it succeeded';

/** A report with its counts. */
export function reportOf(outcomes: readonly Outcome[]): ApplyReport {
  const summary = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as ApplyReport['summary'];
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { schema: 'herald/apply/1', outcomes: [...outcomes], summary };
}

/**
 * | found for the address                           | the unknown outcome becomes                        |
 * |-------------------------------------------------|----------------------------------------------------|
 * | a status shows, and no answer confirmed it      | unknown: it may be half done                       |
 * | still unknown                                   | unknown, with the newer words                      |
 * | adopted, or its lost create made an object      | adopted                                            |
 * | applied                                         | applied: it had not been carried out before        |
 * | failed                                          | failed                                             |
 * | a create, something else is new under the name  | unknown: it may be what the create made            |
 * | a create, an equal object there, in the window  | unknown: another one may still come                |
 * | a create that was answered, its object there    | applied: only a later request got no answer        |
 * | a create, an equal object there, after it       | adopted: it is not the create's own                |
 * | no create, a repeat was confirmed               | applied                                            |
 * | no create, nothing to do, object there          | unknown: `correct-from-live.ts` checks its status  |
 * | its time is over, what was there before is there | unknown: that shows no replace                    |
 * | no file has it                                  | unknown                                            |
 * | missed while it was settled                     | unknown, which says that it is not there           |
 * | a create, not open, its time is over            | unknown, which says that it is not there           |
 * | anything else                                   | unknown                                            |
 */
function endOf(unknown: Outcome, later: readonly Outcome[], found: Found): Outcome {
  const { adopted, open, confirmed, halfDone, before, newcomers } = found;
  const key = formatAddress(unknown.address);
  const words = halfDone.get(key);
  if (words !== undefined) return { ...unknown, message: words };
  // Only its own object tells about a stop: another version may be kept, and an old one be stopped for a new one.
  const isStop = EXTRAS.includes(unknown.action);
  const main = later.filter(({ action, live_id: id }) =>
    isStop ? id === unknown.live_id : !EXTRAS.includes(action),
  );
  const pick = (kind: OutcomeKind) => main.find((outcome) => outcome.outcome === kind);
  const made = isStop ? undefined : adopted.get(key);
  const settled = pick('unknown') ?? pick('adopted') ?? pick('applied') ?? pick('failed');
  if (settled !== undefined)
    return {
      ...unknown,
      outcome: settled.outcome,
      live_id: settled.live_id ?? unknown.live_id,
      message: laterWords(settled, made === undefined && !newcomers.has(key)),
    };
  if (!CREATES.includes(unknown.action) && confirmed.has(`${key} ${unknown.live_id ?? ''}`))
    return { ...unknown, outcome: 'applied', message: CONFIRMED };
  if (made !== undefined) return { ...unknown, outcome: 'adopted', live_id: made, message: ADOPTED };
  const isNew = CREATES.includes(unknown.action) ? newcomers.get(key) : undefined;
  if (isNew !== undefined) return { ...unknown, message: isNew };
  const there = pick('unchanged');
  if (CREATES.includes(unknown.action) && there?.live_id != null && showsIt(unknown, there, before)) {
    const { live_id: id } = there;
    if (open.has(key))
      return { ...unknown, message: `${id} is live and equal to the file. ${unknown.message}` };
    const isOwn = id === unknown.live_id && !before.has(liveKey(unknown.address.kind, id));
    if (isOwn) return { ...unknown, outcome: 'applied', message: createdFirst(id) };
    return { ...unknown, outcome: 'adopted', live_id: id, message: instead(id) };
  }
  return main.some(({ action }) => action === 'missed') || (isOver(unknown, there) && !open.has(key))
    ? { ...unknown, message: missedWords(unknown.address.kind) }
    : unknown;
}

/** What is there was there before, as an archived campaign of the name. It is not what the create was to make. */
function isOver(unknown: Outcome, there: Outcome | undefined): boolean {
  return unknown.action === 'create' && there?.action === 'done';
}

/**
 * Unmanaged objects are only listed, and a sent broadcast is not compared any more. So neither says how a change of this
 * object ended. An object that did not exist before the run was created by it.
 */
function showsIt(unknown: Outcome, there: Outcome, before: ReadonlySet<string>): boolean {
  const { action, address, live_id: id } = there;
  if (action === 'done') return id !== unknown.live_id && !before.has(liveKey(address.kind, id ?? ''));
  return action !== 'unmanaged';
}

/** A live object among all kinds: ids are those of the service, and no two accounts share one. */
export function liveKey(kind: string, id: string): string {
  return `${kind}/${id}`;
}

function missedWords(kind: Kind): string {
  const why =
    kind === 'campaign'
      ? 'then its end had passed'
      : 'then its time had passed or was too near for a second one';
  return `Not created. The request got no answer and did not succeed, and ${why}. To send it, change ${KIND_ROWS[kind].timeKey}.`;
}

const CONFIRMED = 'the first request got no answer; the service confirmed a repeat';

const ADOPTED = 'the request got no answer; it was found in the list and adopted';

function createdFirst(id: string): string {
  return `${id} was created; a later request of this change got no answer, and a second look found how it ended`;
}

function instead(id: string): string {
  return `the unconfirmed request did not succeed; ${id}, which equals the file, is adopted`;
}

function laterWords({ outcome, message }: Outcome, isLost: boolean): string {
  if (outcome === 'adopted') return ADOPTED;
  if (outcome !== 'applied') return message;
  const nothing = isLost ? ' and did not succeed' : '';
  return [`the first request got no answer${nothing}; the second one succeeded`, message]
    .filter((part) => part !== '')
    .join('; ');
}

function objectOf({ action, address, live_id: id }: Pick<Change, 'action' | 'address' | 'live_id'>): string {
  return `${action} ${formatAddress(address)} ${id ?? ''}`;
}
