import stringWidth from 'string-width';
import type { ApplyReport, Outcome, OutcomeKind, ReviewedChange } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { blanks, joined, paragraphs, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { drawStep, nextSteps, type Again } from './next-steps.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, span, type TextStyle, type Tone } from './spans.ts';
import { timesInProse } from './time-words.ts';
import { CHANGE_WORDS } from './wording.ts';
import { NO_ZONES, zoneOf, type Zones } from './zones.ts';

interface OutcomeWord {
  readonly mark: string;
  readonly label: string;
  readonly counted: string;
  readonly tone: Tone;
  /** Outcomes that need a person are shown last. */
  readonly loud: boolean;
}

const OUTCOME_WORDS = {
  applied: { mark: '✓', label: 'applied', counted: 'applied', tone: 'good', loud: false },
  adopted: { mark: '=', label: 'adopted', counted: 'adopted', tone: 'good', loud: false },
  unchanged: { mark: '·', label: 'unchanged', counted: 'unchanged', tone: 'dim', loud: false },
  missed: { mark: '!', label: 'missed', counted: 'missed', tone: 'warn', loud: false },
  not_attempted: { mark: '-', label: 'not sent', counted: 'not attempted', tone: 'warn', loud: false },
  failed: { mark: '✗', label: 'FAILED', counted: 'failed', tone: 'loud', loud: true },
  unknown: { mark: '?', label: 'UNKNOWN', counted: 'unknown', tone: 'loud', loud: true },
  blocked: { mark: '!', label: 'blocked', counted: 'blocked', tone: 'warn', loud: false },
} as const satisfies Record<OutcomeKind | 'blocked', OutcomeWord>;

type Word = keyof typeof OUTCOME_WORDS;

/** Order of the table. Outcomes that need a person are last. */
const ORDER: readonly Word[] = [
  'applied',
  'adopted',
  'missed',
  'not_attempted',
  'blocked',
  'failed',
  'unknown',
];

/** A blocked change was not attempted either, and needs a person. */
function wordOf({ outcome, action }: Outcome): Word {
  return outcome === 'not_attempted' && action === 'blocked' ? 'blocked' : outcome;
}

const ADDRESS_COLUMNS_MAX = 160;
const MESSAGE_COLUMNS_MAX = 2_000;

/** Limit of aligned columns. A longer address or id only shifts its own line. */
const ALIGNED_COLUMNS_MAX = 48;

const GAP = blanks(2);
const MESSAGE_INDENT = 4;

/** How to draw a report. `zones` has the declared time zones, by address; other times are in UTC. */
export interface ReportStyle extends TextStyle {
  readonly zones?: Zones;
}

/**
 * The result of each change on one aligned line. Unchanged ones are only counted. A failed or unknown outcome has its
 * message on its own lines. Then the counts, and what to do next, with the commands of `again`. Ends with a line
 * break.
 */
export function renderApplyText(
  report: ApplyReport,
  style: ReportStyle,
  again: Again | null = null,
): Visible {
  const listed = ORDER.flatMap((kind) => report.outcomes.filter((one) => wordOf(one) === kind));
  const widths = alignedWidths(listed.map(outcomeCells), style);
  const draw = (loud: boolean): readonly Visible[] =>
    listed
      .filter((outcome) => OUTCOME_WORDS[wordOf(outcome)].loud === loud)
      .flatMap((outcome) => drawOutcome(outcome, widths, style));
  const last = drawLine([span(outcomeCount(report.outcomes), 'strong')], style, 0, 0);
  const next = again === null ? [] : nextSteps(report, again).flatMap((step) => drawStep(step, style));
  const done = (report.already_done ?? []).flatMap((one) => drawDone(one, style));
  return paragraphs([draw(false), draw(true), done, [...last, ...next]]);
}

/** A reviewed change that was done before this run. */
function drawDone({ action, address }: ReviewedChange, style: TextStyle): readonly Visible[] {
  const what = action === null ? shown`` : joined([visible(CHANGE_WORDS[action].label), GAP], '');
  const name = shortenMiddle(visible(formatAddress(address)), ADDRESS_COLUMNS_MAX);
  const head = span(shown`= already done`, 'dim');
  return drawLine([head, span(joined([GAP, what, name], ''))], style, 0, MESSAGE_INDENT);
}

/** Mark with outcome, action, address and id. */
function outcomeCells(told: Outcome): readonly Visible[] {
  const { outcome, action, address, live_id } = told;
  const { mark, label } = OUTCOME_WORDS[wordOf(told)];
  return [
    shown`${mark} ${label}`,
    // What would have been done, had its time not passed.
    visible(CHANGE_WORDS[outcome === 'missed' ? 'create' : action].label),
    shortenMiddle(visible(formatAddress(address)), ADDRESS_COLUMNS_MAX),
    visible(live_id ?? '-'),
  ];
}

/** The widest cell of each column. The column of addresses leaves space for the id on the same line. */
function alignedWidths(rows: readonly (readonly Visible[])[], style: TextStyle): readonly number[] {
  const widest = (index: number, atMost: number) =>
    rows
      .map((row) => stringWidth(row[index] ?? ''))
      .filter((columns) => columns <= atMost)
      .reduce((most, columns) => Math.max(most, columns), 0);
  const [head, action, id] = [0, 1, 3].map((index) => widest(index, ALIGNED_COLUMNS_MAX));
  const others = (head ?? 0) + (action ?? 0) + (id ?? 0) + 3 * GAP.length;
  const address = widest(2, Math.min(ALIGNED_COLUMNS_MAX, style.width - others));
  return [head ?? 0, action ?? 0, address, id ?? 0];
}

function drawOutcome(outcome: Outcome, widths: readonly number[], style: ReportStyle): readonly Visible[] {
  const { tone, loud } = OUTCOME_WORDS[wordOf(outcome)];
  const cells = outcomeCells(outcome).map((cell, index) => {
    return joined([cell, blanks((widths[index] ?? 0) - stringWidth(cell)), GAP], '');
  });
  const [head = shown``, ...rest] = cells;
  const zone = zoneOf([outcome], style.zones ?? NO_ZONES);
  const said = visibleProse(timesInProse(outcome.message, zone));
  const message = span(shortenMiddle(said, MESSAGE_COLUMNS_MAX));
  const row = [span(head, tone), span(joined(rest, ''))];
  if (!loud) return drawLine([...row, message], style, 0, MESSAGE_INDENT);
  return [...drawLine(row, style, 0, MESSAGE_INDENT), ...drawLine([message], style, MESSAGE_INDENT, 0)];
}

/** `2 applied, 1 failed; 12 unchanged.` */
function outcomeCount(outcomes: readonly Outcome[]): Visible {
  const counted = (kind: Word): string => {
    const number = outcomes.filter((one) => wordOf(one) === kind).length;
    return number === 0 ? '' : `${number} ${OUTCOME_WORDS[kind].counted}`;
  };
  const changed = ORDER.map(counted)
    .filter((part) => part !== '')
    .join(', ');
  const unchanged = counted('unchanged');
  if (changed === '') return shown`No changes${unchanged === '' ? '' : `: ${unchanged}`}.`;
  return shown`${changed}${unchanged === '' ? '' : `; ${unchanged}`}.`;
}
