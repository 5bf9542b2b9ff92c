import type { Change } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { shown, type Visible } from '../domain/visible.ts';
import { lastApplied, needsText, reasonsOf, stepsLabel, stepsText, undoLabel } from './change-text.ts';
import { droppedDiffLines } from './dropped.ts';
import { fieldDiffLines } from './field-markdown.ts';
import { differenceLines } from './group-words.ts';
import { accountList, listText } from './groups/account-list.ts';
import { accountsIn, accountsOf, type ChangeGroup } from './groups/change-groups.ts';
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

/** The same with the accounts, if there are several: `campaign <code>Welcome</code> on 60 accounts: …`. */
export function markdownTarget(group: ChangeGroup, { accounts }: MarkdownView): string {
  const { changes } = group;
  const own = accountsOf(group);
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

/** Where a group is: its accounts are in its target, or it has only one. */
export function onAccount(group: ChangeGroup): string {
  const [account = '', ...others] = accountsOf(group);
  return others.length > 0 ? '' : ` on ${markdownName(account)}`;
}

/** What is done with what, and where. */
export function markdownHead(group: ChangeGroup, view: MarkdownView): string {
  const { mark, label } = wordOf(view.title, group.shared);
  return `**${mark} ${label}** ${markdownTarget(group, view)}${onAccount(group)}`;
}

/** A group as an item of a section. `diff` is the number of the diff with its fields. */
export function markdownItem(group: ChangeGroup, diff: number | null, view: MarkdownView): readonly string[] {
  const { shared } = group;
  const zone = zoneOf(group.changes, view.zones);
  const prose = (text: string): string => markdownProse(timesInProse(text, zone));
  const notes = [
    ...shared.reasons.slice(0, REASONS_MAX).map(prose),
    ...(shared.steps.length === 0 || view.title === 'drift'
      ? []
      : [`${stepsLabel(shared)}: ${markdownProse(stepsText(shared.steps))}`]),
    ...(shared.undo === '' || view.title === 'drift' ? [] : [`${undoLabel(shared)}: ${prose(shared.undo)}`]),
    ...diffWords(diff),
  ];
  const flag = attentionFlag(shared);
  return [
    `- ${markdownHead(group, view)}${flag === '' ? '' : `: **${flag}**`}`,
    ...notes.map((note) => `  - ${note}`),
  ];
}

/** A group as a table row: mark and action, resource, meaning, undo. */
export function markdownRow(group: ChangeGroup, diff: number | null, view: MarkdownView): string {
  const { shared } = group;
  const { mark, label } = wordOf(view.title, shared);
  const zone = zoneOf(group.changes, view.zones);
  const prose = (text: string): string => markdownProse(timesInProse(text, zone));
  const isPlan = view.title === 'plan';
  const flag = isPlan ? attentionFlag(shared) : '';
  const reasons = [...(isPlan ? [] : lastApplied(group)), ...reasonsOf(shared, isPlan)];
  const why = [...reasons.slice(0, REASONS_MAX).map(prose), ...diffWords(diff)].join('<br>');
  const cells = [
    `${mark} ${label}`,
    markdownTarget(group, view),
    [flag === '' ? '' : `**${flag}**`, why].filter((part) => part !== '').join('<br>'),
    ...(isPlan ? [prose(shared.undo)] : []),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** How many fields of a group differ. */
export function fieldCount({ shared, varying }: ChangeGroup): number {
  return shared.fields.length + shared.dropped.length + varying.length;
}

/** The lines of a diff below its fields: what differs by account, and what is dropped. */
export function otherDiffLines(group: ChangeGroup, view: MarkdownView): readonly Visible[] {
  const zone = zoneOf(group.changes, view.zones);
  return [
    ...differenceLines(group, { accounts: view.accounts, zone }).map(({ text, below }) =>
      below ? shown`    ${text}` : shown`  ${text}`,
    ),
    ...droppedDiffLines(group.shared, zone),
  ];
}

/** The field differences of a group in a closed details block. Empty if there are none. */
export function markdownFields(group: ChangeGroup, view: MarkdownView): readonly string[] {
  const fields = fieldCount(group);
  if (fields === 0) return [];
  const { shared } = group;
  const style = { declaredOnly: shared.action === 'create', zone: zoneOf(group.changes, view.zones) };
  const lines = [
    ...shared.fields.flatMap((field) => fieldDiffLines(field, style).lines),
    ...otherDiffLines(group, view),
  ];
  const { mark, label } = wordOf(view.title, shared);
  const title = `${mark} ${label} ${markdownTarget(group, view)}: ${count(fields, 'field')}`;
  return [`<details><summary>${title}</summary>`, '', ...markdownFence('diff', lines), '', '</details>', ''];
}

function diffWords(diff: number | null): readonly string[] {
  return diff === null ? [] : [`diff ${diff}`];
}

function attentionFlag(change: Change): string {
  const flags = [
    isIrreversible(change) ? 'cannot be undone' : '',
    change.action === 'blocked' ? needsText(change) : '',
    goesLive(change) ?? '',
  ];
  return flags.filter((flag) => flag !== '').join(', ');
}
