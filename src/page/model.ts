import type { Change, ChangeKind, Plan, PlannedContent } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Kind } from '../domain/resource.ts';
import { formatAddress } from '../domain/resource.ts';
import { accountsIn, groupChanges, namesIn, type ChangeGroup } from '../render/groups.ts';
import { goesLive, isIrreversible, isListed } from '../render/summary.ts';
import type { Picture } from './pictures.ts';
import type { PageTitle } from './words.ts';
import type { QuietHours } from './zone.ts';

/** One card: changes that a reader approves together. */
export interface Card {
  /** Of the element, such as `change-3`. */
  readonly id: string;
  /** What most of them do. */
  readonly group: ChangeGroup;
  /** The same resource on other accounts, with other differences. */
  readonly variants: readonly ChangeGroup[];
  /** All of them. */
  readonly changes: readonly Change[];
  readonly shared: Change;
  readonly kind: Kind;
  readonly action: ChangeKind;
  readonly names: readonly string[];
  readonly accounts: readonly string[];
  readonly isIrreversible: boolean;
  readonly live: string | null;
  /** Of its times. */
  readonly zone: string;
  /** Warnings about these resources: their distinct messages. */
  readonly warnings: readonly Warning[];
}

export interface Warning {
  readonly message: string;
  readonly accounts: readonly string[];
}

type CardParts = Omit<Card, 'id' | 'zone'>;

/** Everything that the parts of the page share. */
export interface Model {
  readonly plan: Plan;
  readonly title: PageTitle;
  /** The zone of most declared times. */
  readonly zone: string;
  readonly plannedMs: number | null;
  readonly quiet: QuietHours | undefined;
  /** All accounts of the workspace and of the plan. */
  readonly accounts: readonly string[];
  readonly cards: readonly Card[];
  /** The card of a change. */
  readonly cardOf: ReadonlyMap<Change, Card>;
  /** Live objects that no file declares. */
  readonly unmanaged: readonly Change[];
  readonly contents: readonly PlannedContent[];
  readonly pictures: Pictures;
}

/** Of local files, by their path in the workspace. */
export type Pictures = ReadonlyMap<string, Picture>;

export function modelOf(plan: Plan, title: PageTitle, pictures: Pictures): Model {
  const listed = plan.changes.filter(isListed);
  const warnings = groupBy(
    plan.diagnostics.filter(({ severity, address }) => severity !== 'info' && address !== undefined),
    ({ address }) => address ?? '',
  );
  const clusters = groupBy(groupChanges(listed, { variables: plan.variables, keepNames: true }), clusterKey);
  const [contents, zone] = [plan.contents ?? [], zoneOf(plan)];
  const cards = [...clusters.values()]
    .map((groups) => cardOf(groups, warnings))
    .toSorted(compareCards)
    .map((card, index) => ({
      ...card,
      id: `change-${index + 1}`,
      zone: zoneFor(contentOf(card, { contents }), zone),
    }));
  const unmanaged = plan.changes.filter(({ action }) => action === 'unmanaged');
  const planned = Date.parse(plan.planned_at ?? '');
  const quiet = plan.policy?.quiet_hours;
  const inPlan = plan.changes.map(({ address }) => address.account);
  return {
    plan,
    title,
    zone,
    plannedMs: Number.isNaN(planned) ? null : planned,
    quiet: quiet !== undefined && isKnownZone(quiet.timezone) ? quiet : undefined,
    accounts: [...new Set([...(plan.accounts ?? []), ...inPlan])].toSorted(compareText),
    cards,
    cardOf: new Map(cards.flatMap((card) => card.changes.map((change) => [change, card] as const))),
    unmanaged,
    contents,
    pictures,
  };
}

/** The same action on a resource of one name is one card, whatever differs between the accounts. */
function clusterKey({ shared, changes }: ChangeGroup): string {
  const { address, action, needs, cause } = shared;
  const names = new Set(changes.map((change) => change.address.name));
  const isReversible = isIrreversible(shared);
  return JSON.stringify([address.kind, [...names].toSorted(compareText), action, needs, cause, isReversible]);
}

function cardOf(
  groups: readonly ChangeGroup[],
  warnings: ReadonlyMap<string, readonly Plan['diagnostics'][number][]>,
): CardParts {
  const [group, ...variants] = groups.toSorted((left, right) => right.changes.length - left.changes.length);
  if (group === undefined) throw new Error('a card has a group');
  const { shared } = group;
  const changes = [group, ...variants].flatMap((one) => one.changes);
  const found = changes.flatMap((change) =>
    (warnings.get(formatAddress(change.address)) ?? []).map((one) => ({
      ...one,
      account: change.address.account,
    })),
  );
  const byMessage = groupBy(found, ({ message }) => message);
  return {
    group,
    variants,
    changes,
    shared,
    kind: shared.address.kind,
    action: shared.action,
    names: namesIn(group.changes),
    accounts: accountsIn(changes),
    isIrreversible: isIrreversible(shared),
    live: goesLive(shared),
    warnings: [...byMessage.values()].map((same) => ({
      message: same[0]?.message ?? '',
      accounts: [...new Set(same.map(({ account }) => account))].toSorted(compareText),
    })),
  };
}

/** What cannot be undone first, then what is blocked, then what reaches most accounts. */
function compareCards(left: CardParts, right: CardParts): number {
  const rank = (card: CardParts) => (card.isIrreversible ? 0 : card.action === 'blocked' ? 1 : 2);
  return (
    rank(left) - rank(right) ||
    right.accounts.length - left.accounts.length ||
    compareText(left.names[0] ?? '', right.names[0] ?? '') ||
    compareText(left.kind, right.kind) ||
    compareText(left.accounts[0] ?? '', right.accounts[0] ?? '')
  );
}

/** The zone of most declared times, or UTC. */
function zoneOf({ contents = [], policy }: Plan): string {
  const counts = new Map<string, number>();
  for (const { timezone } of contents)
    if (timezone !== null && isKnownZone(timezone)) counts.set(timezone, (counts.get(timezone) ?? 0) + 1);
  const [most] = [...counts].toSorted(([left, a], [right, b]) => b - a || compareText(left, right));
  const quiet = policy?.quiet_hours?.timezone;
  return most?.[0] ?? (quiet !== undefined && isKnownZone(quiet) ? quiet : 'UTC');
}

/** The zone of a resource's times. */
export function zoneFor(content: PlannedContent | null, zone: string): string {
  const own = content?.timezone ?? null;
  return own !== null && isKnownZone(own) ? own : zone;
}

/** A plan may come from a machine that knows more zones. */
function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

/** What the files declare for a card, or null. */
export function contentOf(
  { changes }: Pick<Card, 'changes'>,
  { contents }: Pick<Model, 'contents'>,
): PlannedContent | null {
  const index = changes.find(({ content }) => content !== undefined)?.content;
  return index === undefined ? null : (contents[index] ?? null);
}
