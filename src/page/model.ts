import type { Change, Plan, PlannedContent } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { makeEntries, type Entry } from '../render/entries.ts';
import { accountsIn, namesIn } from '../render/groups.ts';
import { summarisePlan, type Summary } from '../render/summary.ts';
import type { Picture } from './pictures.ts';
import type { PageTitle } from './words.ts';

/** One card: a group of equal changes, as the terminal and Markdown show it. */
export interface Card {
  /** Of the element, such as `change-3`. */
  readonly id: string;
  readonly entry: Entry;
  readonly changes: readonly Change[];
  readonly shared: Change;
  readonly names: readonly string[];
  readonly accounts: readonly string[];
  /** Of its times. */
  readonly zone: string;
  /** What the files declare, of the first change that has it. */
  readonly content: PlannedContent | null;
  readonly findings: readonly Finding[];
}

type Diagnostic = Plan['diagnostics'][number];

/** An error or a warning about the resources of one card. */
export interface Finding {
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  readonly accounts: readonly string[];
}

export interface Model {
  readonly plan: Plan;
  readonly title: PageTitle;
  readonly summary: Summary;
  /** The zone of most declared times. */
  readonly zone: string;
  readonly plannedMs: number | null;
  /** All accounts of the workspace and of the plan. */
  readonly accounts: readonly string[];
  readonly cards: readonly Card[];
  readonly cardIds: ReadonlyMap<Change, string>;
  readonly contents: readonly PlannedContent[];
  readonly pictures: Pictures;
}

/** Of local files, by their path in the workspace. */
export type Pictures = ReadonlyMap<string, Picture>;

export function makeModel(plan: Plan, title: PageTitle, pictures: Pictures): Model {
  const { changes, contents = [] } = plan;
  const zone = findCommonZone(contents);
  const accounts = [...new Set([...(plan.accounts ?? []), ...accountsIn(changes)])].toSorted(compareText);
  const findContent = ({ content }: Change) => (content === undefined ? null : (contents[content] ?? null));
  const zones = new Map(
    changes.map((change) => [formatAddress(change.address), zoneFor(findContent(change), zone)]),
  );
  const planTitle = title === 'drift' ? 'drift' : 'plan';
  const told = plan.diagnostics.filter(({ severity }) => severity !== 'info');
  const byAddress = groupBy(told, ({ address = '' }) => address);
  const cards = makeEntries(plan, { title: planTitle, zones, accounts }).map((entry, index): Card => {
    const { group } = entry;
    const content = group.changes.map(findContent).find((one) => one !== null) ?? null;
    return {
      id: `change-${index + 1}`,
      entry,
      changes: group.changes,
      shared: group.shared,
      names: namesIn(group.changes),
      accounts: accountsIn(group.changes),
      zone: zoneFor(content, zone),
      content,
      findings: listFindings(group.changes, byAddress),
    };
  });
  const planned = Date.parse(plan.planned_at ?? '');
  return {
    plan,
    title,
    summary: summarisePlan(plan, planTitle),
    zone,
    plannedMs: Number.isNaN(planned) ? null : planned,
    accounts,
    cards,
    cardIds: new Map(cards.flatMap(({ id, changes: own }) => own.map((change) => [change, id]))),
    contents,
    pictures,
  };
}

/** The distinct findings about these changes, with the accounts of each. */
function listFindings(
  changes: readonly Change[],
  byAddress: ReadonlyMap<string, readonly Diagnostic[]>,
): readonly Finding[] {
  const found = changes.flatMap(({ address }) =>
    (byAddress.get(formatAddress(address)) ?? []).map((one) => ({ ...one, account: address.account })),
  );
  return [...groupBy(found, ({ severity, message }) => `${severity} ${message}`).values()].map((same) => {
    const accounts = [...new Set(same.map(({ account }) => account))];
    const [{ severity, message }] = same;
    return { severity, message, accounts };
  });
}

/** The zone of most declared times, or UTC. */
function findCommonZone(contents: readonly PlannedContent[]): string {
  const known = contents.flatMap(({ timezone }) => (isKnownZone(timezone) ? [timezone] : []));
  const counts = [...groupBy(known, (zone) => zone)];
  const [most] = counts.toSorted(([left, a], [right, b]) => b.length - a.length || compareText(left, right));
  return most?.[0] ?? 'UTC';
}

/** The zone of a resource's times. */
export function zoneFor(content: PlannedContent | null, zone: string): string {
  const own = content?.timezone ?? null;
  return isKnownZone(own) ? own : zone;
}

/** A plan may come from a machine that knows more zones. */
function isKnownZone(zone: string | null): zone is string {
  try {
    return (
      zone !== null && new Intl.DateTimeFormat('en-GB', { timeZone: zone }) instanceof Intl.DateTimeFormat
    );
  } catch {
    return false;
  }
}
