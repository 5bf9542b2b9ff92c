import { type Change, type ChangeKind, type Plan, type PlannedContent, writes } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { makeEntries, type Entry } from '../render/entries.ts';
import { accountsIn } from '../render/groups.ts';
import { summarisePlan, type Summary } from '../render/summary.ts';
import { count, WORDS } from '../render/wording.ts';
import type { Picture } from './pictures.ts';
import type { PageTitle } from './read-back.ts';

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

/** Of local files, by their path in the workspace. */
export type Pictures = ReadonlyMap<string, Picture>;

/** What the page draws of a plan. */
export class Model {
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

  constructor(plan: Plan, title: PageTitle, pictures: Pictures) {
    const { changes, contents = [] } = plan;
    const planTitle = title === 'drift' ? 'drift' : 'plan';
    const planned = Date.parse(plan.planned_at ?? '');
    this.plan = plan;
    this.title = title;
    this.summary = summarisePlan(plan, planTitle);
    this.zone = findCommonZone(contents);
    this.plannedMs = Number.isNaN(planned) ? null : planned;
    this.accounts = [...new Set([...(plan.accounts ?? []), ...accountsIn(changes)])].toSorted(compareText);
    this.contents = contents;
    this.pictures = pictures;
    const zones = new Map(
      changes.map((change) => [formatAddress(change.address), this.zoneFor(this.#findContent(change))]),
    );
    const told = plan.diagnostics.filter(({ severity }) => severity !== 'info');
    const byAddress = groupBy(told, ({ address = '' }) => address);
    const entries = makeEntries(plan, { title: planTitle, zones, accounts: this.accounts });
    this.cards = entries.map((entry, index) => this.#makeCard(entry, `change-${index + 1}`, byAddress));
    this.cardIds = new Map(this.cards.flatMap(({ id, changes: own }) => own.map((change) => [change, id])));
  }

  #makeCard(entry: Entry, id: string, byAddress: ReadonlyMap<string, readonly Diagnostic[]>): Card {
    const { changes, shared } = entry.group;
    const content = changes.map((change) => this.#findContent(change)).find((one) => one !== null) ?? null;
    return {
      id,
      entry,
      changes,
      shared,
      names: entry.names,
      accounts: accountsIn(changes),
      zone: this.zoneFor(content),
      content,
      findings: listFindings(changes, byAddress),
    };
  }

  #findContent({ content }: Change): PlannedContent | null {
    return this.contents[content ?? -1] ?? null;
  }

  /** The zone of a resource's times. */
  zoneFor(content: PlannedContent | null): string {
    const own = content?.timezone ?? null;
    return isKnownZone(own) ? own : this.zone;
  }

  /** `create`, or `to create` after a number, and `missing` for a drift. */
  nameChange(action: ChangeKind, form: 'label' | 'counted' = 'label'): string {
    return this.title === 'preview' ? 'declared' : WORDS[this.title][action][form];
  }

  /** `47 changes on 12 accounts, 1 blocked`. */
  formatHeadline(): string {
    const { plan, title, summary } = this;
    const { changes } = plan;
    if (title === 'preview')
      return `${count(this.cards.length, 'resource')} on ${count(accountsIn(changes).length, 'account')}`;
    const writing = changes.filter(writes);
    const blocked = changes.filter(({ action }) => action === 'blocked').length;
    const noun = title === 'drift' ? 'difference' : 'change';
    return [
      writing.length === 0
        ? `No ${noun}s`
        : `${count(writing.length, noun)} on ${count(accountsIn(writing).length, 'account')}`,
      ...(blocked === 0 ? [] : [`${blocked} blocked`]),
      ...(title === 'drift' && summary.blockedMessages !== '' ? [summary.blockedMessages] : []),
    ].join(', ');
  }

  /** `12 resources match.` */
  countMatching(): string {
    const same = this.plan.changes.filter(({ action }) => action === 'keep').length;
    return `${count(same, 'resource')} ${same === 1 ? 'matches' : 'match'}.`;
  }
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
