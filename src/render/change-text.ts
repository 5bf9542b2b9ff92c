import type { Change, Step } from '../domain/change.ts';
import { joined, quoted, shown, type Visible, visibleProse } from '../domain/visible.ts';
import { byteWords } from './byte-words.ts';
import { drawDropped } from './dropped.ts';
import { drawField } from './field-text.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, span, type Span, type TextStyle } from './spans.ts';
import { goesLive, isIrreversible, isWriting } from './summary.ts';
import { STEP_WORDS, WORDS, type PlanTitle } from './wording.ts';

interface ChangeTextOptions {
  readonly title: PlanTitle;
  /** Columns of the longest label, so that names are aligned. */
  readonly labelColumns: number;
}

/** Names have up to 512 units (CONTENT-2). The name of a live broadcast may be its whole text. */
const NAME_COLUMNS_MAX = 160;
const PROSE_COLUMNS_MAX = 1_000;

const HEAD_INDENT = 2;
const BODY_INDENT = 6;

/** One change: action and resource on one line, then reasons, differences, steps and undo. */
export function drawChange(change: Change, style: TextStyle, options: ChangeTextOptions): readonly Visible[] {
  const isPlan = options.title === 'plan';
  const declaredOnly = change.action === 'create';
  return [
    ...drawLine(headSpans(change, options), style, HEAD_INDENT, BODY_INDENT - HEAD_INDENT),
    ...reasonsOf(change, isPlan).flatMap((reason) => drawProse(shown``, reason, style)),
    ...change.fields.flatMap((field) => drawField(field, style, { indent: BODY_INDENT, declaredOnly })),
    ...drawDropped(change, style, BODY_INDENT),
    ...(isPlan ? drawSteps(change, style) : []),
    ...(isPlan && change.undo !== '' ? drawProse(shown`${undoLabel(change)}: `, change.undo, style) : []),
  ];
}

/** In a drift report the differences are the reason. How a replace would work does not matter there. */
function reasonsOf(change: Change, isPlan: boolean): readonly string[] {
  return isPlan || change.fields.length === 0 || change.action === 'blocked' ? change.reasons : [];
}

/** `"Welcome series" (4711)`: the name, and the id of the live object if there is one. */
export function nameSpans(change: Change, columns = NAME_COLUMNS_MAX): readonly Span[] {
  const name = span(shortenMiddle(quoted(change.address.name), columns), 'strong');
  return change.live_id === null ? [name] : [name, span(shown` (${change.live_id})`, 'dim')];
}

/** The label of the undo text: `undo`, or `no undo` before what is lost. */
export function undoLabel(change: Change): Visible {
  return isIrreversible(change) ? shown`no undo` : shown`undo`;
}

/** What a blocked change needs: an allowance, or a person's decision. */
export function needsText(change: Change): Visible {
  if (change.needs.length === 0) return shown`needs a decision`;
  return shown`needs ${change.needs.map((name) => `--allow ${name}`).join(' ')}`;
}

function headSpans(change: Change, { title, labelColumns }: ChangeTextOptions): readonly Span[] {
  const { mark, label, tone } = WORDS[title][change.action];
  const badges = title === 'plan' ? badgeSpans(change) : [];
  return [
    span(shown`${mark} ${label.padEnd(labelColumns)}`, tone),
    span(shown` `),
    ...nameSpans(change),
    ...badges.flatMap((badge) => [span(shown`  `), badge]),
  ];
}

/** Badges for what a person must see first. */
function badgeSpans(change: Change): readonly Span[] {
  const live = goesLive(change);
  return [
    ...(isIrreversible(change) ? [span(shown`[cannot be undone]`, 'loud')] : []),
    ...(change.action === 'blocked' ? [span(shown`[${needsText(change)}]`, 'loud')] : []),
    ...(live === null ? [] : [span(shown`[${live}]`, 'warn')]),
  ];
}

function drawSteps(change: Change, style: TextStyle): readonly Visible[] {
  if (change.steps.length === 0 || saysNoMore(change)) return [];
  return drawLine(
    [span(shown`${stepsLabel(change)}: `, 'dim'), span(stepsText(change.steps))],
    style,
    BODY_INDENT,
  );
}

/** True for a single step with the same name as the change. */
function saysNoMore({ action, live_id, steps }: Change): boolean {
  const [first, ...others] = steps;
  return others.length === 0 && first?.kind === action && first.live_id === live_id;
}

/** A blocked change may show its steps, but does not carry them out. */
export function stepsLabel(change: Change): Visible {
  return isWriting(change) ? shown`steps` : shown`once allowed`;
}

/** `upload media/hello.jpg (9.8 KiB, about 6 s) → pause 4711 → create → read back`. */
export function stepsText(steps: readonly Step[]): Visible {
  return joined(
    steps.map((step) => shown`${STEP_WORDS[step.kind]}${aboutOf(step)}`),
    ' → ',
  );
}

/** The object of a step, or its file with size and time. */
function aboutOf(step: Step): Visible {
  if (step.kind === 'upload')
    return shown` ${step.file} (${byteWords(step.size)}, about ${step.about_sec} s)`;
  return step.live_id === null ? shown`` : shown` ${step.live_id}`;
}

function drawProse(label: Visible, text: string, style: TextStyle): readonly Visible[] {
  const prose = shortenMiddle(visibleProse(text), PROSE_COLUMNS_MAX);
  return drawLine([span(label, 'dim'), span(prose)], style, BODY_INDENT);
}
