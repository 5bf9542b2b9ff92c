import type { Change } from '../domain/change.ts';
import { needsText, stepsLabel, stepsText, undoLabel } from './change-text.ts';
import { droppedDiffLines } from './dropped.ts';
import { fieldDiffLines } from './field-markdown.ts';
import { markdownFence, markdownName, markdownProse } from './markdown-escape.ts';
import { goesLive, isIrreversible } from './summary.ts';
import { count, WORDS } from './wording.ts';

/** Limit of reasons per change in a comment. */
const REASONS_MAX = 10;

/** `campaign <code>Welcome series</code> (4711)`, safe in a table and in a list. */
export function markdownResource({ address, live_id }: Change): string {
  const id = live_id === null ? '' : ` (${markdownProse(live_id)})`;
  return `${address.kind} ${markdownName(address.name)}${id}`;
}

/** A change as an item of a section. `diff` is the number of the diff with its fields. */
export function markdownItem(change: Change, diff: number | null): readonly string[] {
  const { mark, label } = WORDS.plan[change.action];
  const head = `**${mark} ${label}** ${markdownResource(change)} on ${markdownName(change.address.account)}`;
  const notes = [
    ...change.reasons.slice(0, REASONS_MAX).map(markdownProse),
    ...(change.steps.length === 0
      ? []
      : [`${stepsLabel(change)}: ${markdownProse(stepsText(change.steps))}`]),
    ...(change.undo === '' ? [] : [`${undoLabel(change)}: ${markdownProse(change.undo)}`]),
    ...diffWords(diff),
  ];
  const flag = attentionFlag(change);
  return [`- ${head}${flag === '' ? '' : `: **${flag}**`}`, ...notes.map((note) => `  - ${note}`)];
}

/** A change as a table row: mark and action, resource, meaning, undo. */
export function markdownRow(change: Change, diff: number | null): string {
  const { mark, label } = WORDS.plan[change.action];
  const flag = attentionFlag(change);
  const why = [...change.reasons.slice(0, REASONS_MAX).map(markdownProse), ...diffWords(diff)].join('<br>');
  const cells = [
    `${mark} ${label}`,
    markdownResource(change),
    [flag === '' ? '' : `**${flag}**`, why].filter((part) => part !== '').join('<br>'),
    markdownProse(change.undo),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The field differences of a change in a closed details block. Empty if there are none. */
export function markdownFields(change: Change): readonly string[] {
  const fields = change.fields.length + change.dropped.length;
  if (fields === 0) return [];
  const lines = [
    ...change.fields.flatMap((field) => fieldDiffLines(field, change.action === 'create').lines),
    ...droppedDiffLines(change),
  ];
  const { mark, label } = WORDS.plan[change.action];
  const title = `${mark} ${label} ${markdownResource(change)}: ${count(fields, 'field')}`;
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
