import {
  OUTCOMES,
  type ApplyReport,
  type Change,
  type ChangeKind,
  type Outcome,
  type OutcomeKind,
} from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';

/** Kinds that stop what should not run beside the declared resource: extra copies, other versions. */
const EXTRAS: readonly ChangeKind[] = ['retire', 'pause', 'archive'];

/** Kinds that create what is declared. */
const CREATES: readonly ChangeKind[] = ['create', 'replace'];

/** What a second look found out about requests whose answers were lost. Addresses are formatted. */
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
 * was found for it. What had to be stopped, or needs a person, is added.
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
  const ends = first.outcomes.map((outcome) =>
    outcome.outcome === 'unknown'
      ? endOf(outcome, later.get(formatAddress(outcome.address)) ?? [], found)
      : outcome,
  );
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

/** How a lost answer is told whose effect is live. */
export const SHOWN = 'the answer was lost; the list shows that it was carried out';

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
 * | a create, an equal object there, after it       | adopted: it is not the create's own                |
 * | no create, a repeat was confirmed               | applied                                            |
 * | no create, nothing to do, object there          | unknown: `settle-as-live.ts` looks at its status   |
 * | its time is over, what was there before is there | unknown: that shows no replace                    |
 * | no file has it                                  | unknown                                            |
 * | missed while it was settled                     | unknown, which says that it is not there           |
 * | anything else                                   | unknown                                            |
 */
function endOf(unknown: Outcome, later: readonly Outcome[], found: Found): Outcome {
  const { adopted, open, confirmed, halfDone, before, newcomers } = found;
  const key = formatAddress(unknown.address);
  const words = halfDone.get(key);
  if (words !== undefined) return { ...unknown, message: words };
  // A stop is told by its own object only: beside it another version is kept, and beside a new version an old one stopped.
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
    if (open.has(key)) return { ...unknown, message: `${id} is live as declared. ${unknown.message}` };
    return { ...unknown, outcome: 'adopted', live_id: id, message: instead(id) };
  }
  return main.some(({ action }) => action === 'missed') ? { ...unknown, message: MISSED } : unknown;
}

/**
 * What no file declares is only listed, and what is done is not compared any more: neither says what became of a change
 * of this object. One that was not there before the run was made by it.
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

const MISSED =
  'Not created: nothing had come of the lost request when it could not come any more, and by then its time had passed or was too near for a second one. Move scheduled_at to send it.';

const CONFIRMED = 'the first answer was lost; the service confirmed a repeat';

const ADOPTED = 'the answer was lost; it was found in the list and taken over';

function instead(id: string): string {
  return `the lost request was never carried out; ${id}, which is as declared, is taken over`;
}

function laterWords({ outcome, message }: Outcome, isLost: boolean): string {
  if (outcome === 'adopted') return ADOPTED;
  if (outcome !== 'applied') return message;
  const nothing = isLost ? ' and nothing had come of it' : '';
  return [`the first answer was lost${nothing}; done at the second attempt`, message]
    .filter((part) => part !== '')
    .join('; ');
}

function objectOf({ action, address, live_id: id }: Pick<Change, 'action' | 'address' | 'live_id'>): string {
  return `${action} ${formatAddress(address)} ${id ?? ''}`;
}
