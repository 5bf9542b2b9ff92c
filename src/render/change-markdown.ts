import type { Change } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { shown } from '../domain/visible.ts';
import { lastApplied, needsText, reasonsOf, stepsLabel, stepsText, undoLabel } from './change-text.ts';
import { droppedDiffLines } from './dropped.ts';
import { fieldDiffLines } from './field-markdown.ts';
import { differenceLines } from './group-words.ts';
import { accountList, listText } from './groups/account-list.ts';
import { accountsIn, accountsOf, namesOf, type ChangeGroup } from './groups/change-groups.ts';
import { markdownFence, markdownName, markdownProse } from './markdown-escape.ts';
import { goesLive, isIrreversible } from './summary.ts';
import { timesInProse } from './time-words.ts';
import { count, wordOf, type PlanTitle } from './wording.ts';
import { zoneOf, type Zones } from './zones.ts';

/** Limit of reasons per change in a comment. */
const REASONS_MAX = 10;

/** How to draw groups in a comment. */
export interface MarkdownView {
  /** All accounts of the plan, sorted. */
  readonly accounts: readonly string[];
  readonly zones: Zones;
  readonly title: PlanTitle;
}

/** `campaign <code>Welcome series</code> (4711)`, safe in a table and in a list. */
function markdownResource({ address, live_id }: Change): string {
  const id = live_id === null ? '' : ` (${markdownProse(live_id)})`;
  return `${address.kind} ${markdownName(address.name)}${id}`;
}

/** Limit of names in a brief target. */
const NAMES_MAX = 5;

/** The resources of a group, with its accounts if there are several: `campaign <code>Welcome</code> on 60 accounts: …`. */
function markdownTarget(group: ChangeGroup, { accounts }: MarkdownView, isBrief: boolean): string {
  const { changes } = group;
  const own = accountsOf(group);
  const all = namesOf(group);
  if (isBrief && all.length > NAMES_MAX) {
    const some = all.slice(0, NAMES_MAX).map(markdownName).join(', ');
    const where = own.length === 1 ? '' : ` on ${own.length} accounts`;
    return `${changes[0].address.kind} ${some} and ${all.length - NAMES_MAX} more${where}`;
  }
  const byName = [...groupBy(changes, ({ address }) => address.name).values()];
  const on = (some: readonly Change[]): string => markdownAccounts(accountsIn(some), accounts);
  if (own.length === 1) return changes.map(markdownResource).join(', ');
  const [first] = changes;
  const names = byName.map((same) => markdownName(same[0]?.address.name ?? ''));
  if (byName.every((same) => same.length === own.length))
    return `${first.address.kind} ${names.join(', ')} on ${own.length} accounts: ${on(changes)}`;
  const each = byName.map((same, index) => `${names[index] ?? ''} on ${on(same)}`);
  return `${byName.length} ${KIND_ROWS[first.address.kind].plural}: ${each.join(', ')}`;
}

/** `<code>acc00</code> … <code>acc59</code> except <code>acc07</code>`. */
function markdownAccounts(some: readonly string[], all: readonly string[]): string {
  return listText(accountList(some, all), markdownName);
}

/** What a group is about, and on which accounts. */
export function markdownPlace(group: ChangeGroup, view: MarkdownView, isBrief: boolean): string {
  const [account = '', ...others] = accountsOf(group);
  const target = markdownTarget(group, view, isBrief);
  return others.length > 0 ? target : `${target} on ${markdownName(account)}`;
}

/** A group as an item of a section. A brief one has no notes. */
export function markdownItem(group: ChangeGroup, view: MarkdownView, isBrief: boolean): readonly string[] {
  const { shared } = group;
  const { mark, label } = wordOf(view.title, shared);
  const flag = attentionFlag(shared);
  const head = `- **${mark} ${label}** ${markdownPlace(group, view, isBrief)}${flag === '' ? '' : `: **${flag}**`}`;
  if (isBrief) return [head];
  const zone = zoneOf(group.changes, view.zones);
  const prose = (text: string): string => markdownProse(timesInProse(text, zone));
  const notes = [
    ...shared.reasons.slice(0, REASONS_MAX).map(prose),
    ...(shared.steps.length === 0 || view.title === 'drift'
      ? []
      : [`${stepsLabel(shared)}: ${markdownProse(stepsText(shared.steps))}`]),
    ...(shared.undo === '' || view.title === 'drift' ? [] : [`${undoLabel(shared)}: ${prose(shared.undo)}`]),
  ];
  return [head, ...notes.map((note) => `  - ${note}`)];
}

/** A group as a table row: mark and action, resource, meaning, undo. */
export function markdownRow(group: ChangeGroup, view: MarkdownView, isBrief: boolean): string {
  const { shared } = group;
  const { mark, label } = wordOf(view.title, shared);
  const zone = zoneOf(group.changes, view.zones);
  const prose = (text: string): string => markdownProse(timesInProse(text, zone));
  const isPlan = view.title === 'plan';
  const flag = isPlan ? attentionFlag(shared) : '';
  const reasons = [...(isPlan ? [] : lastApplied(group)), ...reasonsOf(shared, isPlan)];
  const why = reasons.slice(0, REASONS_MAX).map(prose).join('<br>');
  const cells = [
    `${mark} ${label}`,
    markdownTarget(group, view, isBrief),
    [flag === '' ? '' : `**${flag}**`, why].filter((part) => part !== '').join('<br>'),
    ...(isPlan ? [prose(shared.undo)] : []),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** How many fields of a group differ. */
export function fieldCount({ shared, varying }: ChangeGroup): number {
  return shared.fields.length + shared.dropped.length + varying.length;
}

/** The field differences of a group in a closed details block. Empty if there are none. */
export function markdownFields(group: ChangeGroup, view: MarkdownView): readonly string[] {
  const fields = fieldCount(group);
  if (fields === 0) return [];
  const { shared } = group;
  const zone = zoneOf(group.changes, view.zones);
  const style = { declaredOnly: shared.action === 'create', zone };
  const lines = [
    ...shared.fields.flatMap((field) => fieldDiffLines(field, style)),
    ...differenceLines(group, { accounts: view.accounts, zone }).map(({ text, below }) =>
      below ? shown`    ${text}` : shown`  ${text}`,
    ),
    ...droppedDiffLines(shared, zone),
  ];
  const { mark, label } = wordOf(view.title, shared);
  const title = `${mark} ${label} ${markdownTarget(group, view, true)}: ${count(fields, 'field')}`;
  return [`<details><summary>${title}</summary>`, '', ...markdownFence('diff', lines), '', '</details>', ''];
}

function attentionFlag(change: Change): string {
  const flags = [
    isIrreversible(change) ? 'cannot be undone' : '',
    change.action === 'blocked' ? needsText(change) : '',
    goesLive(change) ?? '',
  ];
  return flags.filter((flag) => flag !== '').join(', ');
}
