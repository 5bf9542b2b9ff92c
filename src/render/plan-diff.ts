import type { ChangeKind } from '../domain/change.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import { assumeVisible, page, shown, type Visible, visible } from '../domain/visible.ts';
import { fieldDiffLines } from './field-markdown.ts';
import { drawField } from './field-text.ts';
import { markdownFence, markdownName, markdownProse } from './markdown-escape.ts';
import { drawLine, span, type Tone, type TextStyle } from './spans.ts';
import { timeWords } from './time-words.ts';
import { CHANGE_WORDS, count } from './wording.ts';

/** One change of a plan, for a reader. */
interface SideView {
  readonly action: ChangeKind;
  readonly live_id: string | null;
}

interface DifferenceView {
  readonly address: Address;
  readonly before: SideView | null;
  readonly after: SideView | null;
  readonly fields: readonly { readonly path: string; readonly old: unknown; readonly new: unknown }[];
}

interface MadeView {
  readonly file: string | null;
  readonly planned_at: string | null;
  readonly commit: string | null;
  readonly who: string | null;
}

/** The difference of two plans, as far as renderers need it. */
export interface PlanDiffView {
  readonly before: MadeView;
  readonly after: MadeView;
  readonly same: number;
  readonly differences: readonly DifferenceView[];
}

const FIELD_STYLE = { declaredOnly: false, zone: null } as const;

/** The difference of two plans as text. Ends with a line break. */
export function renderPlanDiffText(diff: PlanDiffView, style: TextStyle): Visible {
  return page([
    ...madeLines('from', diff.before, style),
    ...madeLines('to  ', diff.after, style),
    ...diff.differences.flatMap((one) => drawDifference(one, style)),
    visible(totalOf(diff)),
  ]);
}

/** The differences alone, each with its fields. */
export function drawDifference(one: DifferenceView, style: TextStyle): readonly Visible[] {
  const { mark, tone, words } = headOf(one);
  const name = visible(formatAddress(one.address));
  return [
    ...drawLine([span(shown`${mark} `, tone), span(name, 'strong'), span(shown`: ${visible(words)}`)], style),
    ...one.fields.flatMap((field) => drawField(field, style, { indent: 4, ...FIELD_STYLE })),
  ];
}

/** The difference of two plans as Markdown. Ends with a line break. */
export function renderPlanDiffMarkdown(diff: PlanDiffView): Visible {
  const items = diff.differences.flatMap((one) => {
    const { mark, words } = headOf(one);
    const lines = one.fields.flatMap((field) => fieldDiffLines(field, FIELD_STYLE));
    const head = `**${mark}** ${markdownName(formatAddress(one.address))}: ${markdownProse(words)}`;
    return [head, '', ...(lines.length === 0 ? [] : [...markdownFence('diff', lines), ''])];
  });
  const made = [diff.before, diff.after].map((one) => markdownProse(madeWords(one)));
  const text = [`From ${made[0] ?? ''} to ${made[1] ?? ''}: ${totalOf(diff)}`, '', ...items].join('\n');
  return assumeVisible(`${text.trimEnd()}\n`);
}

function madeLines(label: string, made: MadeView, style: TextStyle): readonly Visible[] {
  return drawLine([span(shown`${label} `, 'dim'), span(visible(madeWords(made)))], style);
}

const COMMIT_LENGTH = 12;

/** `plan.json, Mon 1 Jun 2026 12:00 UTC by mia at 1a2b3c4d5e6f`. */
function madeWords({ file, planned_at: at, commit, who }: MadeView): string {
  const when = at === null ? '' : `, ${timeWords(at, null)}`;
  const by = who === null ? '' : ` by ${who}`;
  return `${file ?? 'now'}${when}${by}${commit === null ? '' : ` at ${commit.slice(0, COMMIT_LENGTH)}`}`;
}

interface Head {
  readonly mark: string;
  readonly tone: Tone;
  readonly words: string;
}

function headOf({ before, after, fields }: DifferenceView): Head {
  if (before === null)
    return { mark: '+', tone: 'good', words: `only the second plan has it (${sideWords(after)})` };
  if (after === null)
    return { mark: '-', tone: 'bad', words: `only the first plan has it (${sideWords(before)})` };
  const [was, is] = [sideWords(before), sideWords(after)];
  const what = was === is ? was : `${was} in the first plan, ${is} in the second`;
  const hidden = fields.length === 0 ? '. They differ in what plans do not show, such as a live text' : '';
  return { mark: '~', tone: 'warn', words: `${what}${hidden}` };
}

function sideWords(side: SideView | null): string {
  if (side === null) return '';
  return `${CHANGE_WORDS[side.action].label}${side.live_id === null ? '' : ` ${side.live_id}`}`;
}

function totalOf({ differences, same }: PlanDiffView): string {
  const equal = `${count(same, 'change is', 'changes are')} the same in both.`;
  return differences.length === 0
    ? `No difference: ${equal}`
    : `${count(differences.length, 'change differs', 'changes differ')}; ${equal}`;
}
