import stringWidth from 'string-width';
import type { ApplyReport, Outcome, ReviewedChange } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { blanks, joined, paragraphs, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { describeAccounts, toText } from './entries.ts';
import { replaceAccount } from './groups.ts';
import { drawStep, nextSteps, type Again } from './next-steps.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, span, type TextStyle } from './spans.ts';
import { NO_ZONES, findZone, formatTimesIn, type Zones } from './values.ts';
import { CHANGE_WORDS, nameOutcome, OUTCOME_WORDS } from './wording.ts';

/** Unchanged ones are only counted. */
const ORDER = (Object.keys(OUTCOME_WORDS) as (keyof typeof OUTCOME_WORDS)[]).filter(
  (one) => one !== 'unchanged',
);

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

/** Equal outcomes, mostly one. */
type Row = readonly [Outcome, ...Outcome[]];

/** From this many accounts on, equal outcomes are one line without their ids, which JSON has. */
const EQUAL_MIN = 6;

/**
 * The result of each change on one aligned line; equal ones of many accounts are one. Unchanged ones are only counted. A
 * failed or unknown outcome has its message on its own lines. Then the counts, and what to do next, with the commands of
 * `again`. Ends with a line break.
 */
export function renderApplyText(
  report: ApplyReport,
  style: ReportStyle,
  again: Again | null = null,
): Visible {
  const { outcomes } = report;
  const accounts = [...new Set(outcomes.map(({ address }) => address.account))].toSorted(compareText);
  const rows = ORDER.flatMap((kind) => listRows(outcomes.filter((one) => nameOutcome(one) === kind)));
  const drawn = rows.map((row) => ({ row, cells: listCells(row, accounts) }));
  const widths = alignedWidths(
    drawn.map(({ cells }) => cells),
    style,
  );
  const draw = (loud: boolean): readonly Visible[] =>
    drawn
      .filter(({ row: [first] }) => OUTCOME_WORDS[nameOutcome(first)].loud === loud)
      .flatMap(({ row, cells }) => drawOutcome(row, cells, widths, style));
  const last = drawLine([span(visible(countOutcomes(report)), 'strong')], style, 0, 0);
  const next = again === null ? [] : nextSteps(report, again).flatMap((step) => drawStep(step, style));
  const done = (report.already_done ?? []).flatMap((one) => drawDone(one, style));
  return paragraphs([draw(false), draw(true), done, [...last, ...next]]);
}

/** Outcomes of one name that say the same, where they are many; every other one on its own. */
function listRows(outcomes: readonly Outcome[]): readonly Row[] {
  const equal = groupBy(outcomes, ({ action, address, message }) =>
    canonical([action, address.kind, address.name, replaceAccount(message, address)]),
  );
  const key = new Map([...equal.values()].flatMap((same) => same.map((one) => [one, same] as const)));
  return outcomes.flatMap((outcome): readonly Row[] => {
    const [first, ...others] = key.get(outcome) ?? [];
    if (first === undefined || others.length + 1 < EQUAL_MIN) return [[outcome]];
    return first === outcome ? [[first, ...others]] : [];
  });
}

/** A reviewed change that was done before this run. */
function drawDone({ action, address }: ReviewedChange, style: TextStyle): readonly Visible[] {
  const what = action === null ? shown`` : joined([visible(CHANGE_WORDS[action].label), GAP], '');
  const name = shortenMiddle(visible(formatAddress(address)), ADDRESS_COLUMNS_MAX);
  const head = span(shown`= already done`, 'dim');
  return drawLine([head, span(joined([GAP, what, name], ''))], style, 0, MESSAGE_INDENT);
}

/** Mark with outcome, action, address and id. */
function listCells([first, ...others]: Row, accounts: readonly string[]): readonly Visible[] {
  const { action, address, live_id: id } = first;
  const { mark, label } = OUTCOME_WORDS[nameOutcome(first)];
  const verb = CHANGE_WORDS[action].label;
  const own = [first, ...others].map((one) => one.address.account).toSorted(compareText);
  const target =
    others.length === 0
      ? shortenMiddle(visible(formatAddress(address)), ADDRESS_COLUMNS_MAX)
      : toText([
          { as: 'text', text: `${address.kind} ` },
          { as: 'name', text: address.name },
          { as: 'text', text: ` on ${own.length} accounts: ` },
          ...describeAccounts(own, accounts),
        ]);
  // What was missed or blocked has no other action.
  return [
    shown`${mark} ${label}`,
    visible(verb === label ? '' : verb),
    target,
    visible(others.length === 0 ? (id ?? '-') : ''),
  ];
}

/** The widest cell of each column. The column of addresses leaves space for the id on the same line. */
function alignedWidths(rows: readonly (readonly Visible[])[], style: TextStyle): readonly number[] {
  const widest = (index: number, atMost: number) =>
    rows
      .map((row) => stringWidth(row[index] ?? ''))
      .filter((columns) => columns <= atMost)
      .reduce((most, columns) => Math.max(most, columns), 0);
  const [head = 0, action = 0, id = 0] = [0, 1, 3].map((index) => widest(index, ALIGNED_COLUMNS_MAX));
  const space = style.width - (head + action + id + 3 * GAP.length);
  return [head, action, widest(2, Math.min(ALIGNED_COLUMNS_MAX, space)), id];
}

function drawOutcome(
  [outcome, ...others]: Row,
  cells: readonly Visible[],
  widths: readonly number[],
  style: ReportStyle,
): readonly Visible[] {
  const { tone, loud } = OUTCOME_WORDS[nameOutcome(outcome)];
  const [head = shown``, ...rest] = cells.map((cell, index) =>
    widths[index] === 0 ? shown`` : joined([cell, blanks((widths[index] ?? 0) - stringWidth(cell)), GAP], ''),
  );
  const words = others.length === 0 ? outcome.message : replaceAccount(outcome.message, outcome.address);
  const text = formatTimesIn(words, findZone([outcome], style.zones ?? NO_ZONES));
  const message = span(shortenMiddle(visibleProse(text), MESSAGE_COLUMNS_MAX));
  const row = [span(head, tone), span(joined(rest, ''))];
  if (!loud) return drawLine([...row, message], style, 0, MESSAGE_INDENT);
  return [...drawLine(row, style, 0, MESSAGE_INDENT), ...drawLine([message], style, MESSAGE_INDENT, 0)];
}

/** `2 applied, 1 failed; 12 unchanged.` */
export function countOutcomes({ outcomes, already_done: done = [] }: ApplyReport): string {
  const numbers = groupBy(outcomes, nameOutcome);
  const counted = (kind: keyof typeof OUTCOME_WORDS): readonly string[] => {
    const number = numbers.get(kind)?.length ?? 0;
    return number === 0 ? [] : [`${number} ${OUTCOME_WORDS[kind].counted}`];
  };
  const before = done.length === 0 ? [] : [`${done.length} already done`];
  const changed = [...ORDER.flatMap(counted), ...before].join(', ') || 'No changes';
  return `${[changed, ...counted('unchanged')].join('; ')}.`;
}
