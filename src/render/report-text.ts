import type { ApplyReport, Outcome, ReviewedChange } from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { paragraphs, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { Phrase } from './entries.ts';
import { accountsIn, replaceAccount } from './groups.ts';
import { allowSteps, NextStep } from './summary.ts';
import { drawLine, span, type TextStyle, shortenMiddle } from './spans.ts';
import { NO_ZONES, findZone, formatTimesIn, type Zones } from './values.ts';
import { findWord, nameOutcome, OUTCOME_WORDS } from './wording.ts';

type OutcomeName = keyof typeof OUTCOME_WORDS;

/** Where nothing was to do: without a message, these are only counted. */
const QUIET: readonly OutcomeName[] = ['unchanged', 'unmanaged'];

const ORDER = (Object.keys(OUTCOME_WORDS) as OutcomeName[]).filter((one) => !QUIET.includes(one));

const ADDRESS_COLUMNS_MAX = 160;
const MESSAGE_COLUMNS_MAX = 2_000;
const MESSAGE_INDENT = 4;

/** How to draw a report. `zones` has the declared time zones, by address; other times are in UTC. */
interface ReportStyle extends TextStyle {
  readonly zones?: Zones;
}

export interface NextCommands {
  /** `herald apply`, or `herald plan --out FILE` for those who review first. */
  readonly command: string;
  /** That command with the flags of this run. */
  readonly same: string;
}

/** Equal outcomes, mostly one. */
type Row = readonly [Outcome, ...Outcome[]];

/** From this many accounts on, equal outcomes are one line without their ids, which JSON has. */
const EQUAL_MIN = 6;

/**
 * A line for each outcome; equal ones of many accounts are one. Unchanged ones without a message are only counted. A failed or
 * unknown outcome has its message on its own lines. Then the counts, and what to do next, with the commands of `again`. Ends with a
 * line break.
 */
export function renderApplyText(
  report: ApplyReport,
  style: ReportStyle,
  again: NextCommands | null = null,
): Visible {
  const { outcomes, already_done: done = [] } = report;
  const accounts = accountsIn(outcomes);
  const tells = ({ message }: Outcome, kind: OutcomeName) => message !== '' || !QUIET.includes(kind);
  const rows = [...QUIET, ...ORDER].flatMap((kind) =>
    listRows(outcomes.filter((one) => nameOutcome(one) === kind && tells(one, kind))),
  );
  const draw = (loud: boolean): readonly Visible[] =>
    rows
      .filter(([first]) => OUTCOME_WORDS[nameOutcome(first)].loud === loud)
      .flatMap((row) => drawRow(row, accounts, style));
  const last = drawLine([span(visible(countOutcomes(report)), 'strong')], style, 0, 0);
  const next = again === null ? [] : nextSteps(report, again).flatMap((step) => step.draw(style));
  return paragraphs([
    draw(false),
    draw(true),
    done.flatMap((one) => drawDone(one, style)),
    [...last, ...next],
  ]);
}

/** What an apply left to do. Empty if nothing is left. The messages say what stands in the way of each change. */
function nextSteps({ outcomes }: ApplyReport, { command, same }: NextCommands): readonly NextStep[] {
  const isDone = ({ outcome }: Outcome) => ['applied', 'adopted', 'unchanged'].includes(outcome);
  // A blocked change that an allowance lets through has a command of its own.
  const left = outcomes.filter((one) => !isDone(one) && (one.needs ?? []).length === 0);
  const words = left.some(({ outcome }) => outcome === 'unknown')
    ? 'Do not repeat an unknown change by hand. To find out what happened, and to finish it:'
    : 'Do what the messages say. Then, to go on:';
  return [...(left.length === 0 ? [] : [new NextStep(words, same)]), ...allowSteps(outcomes, command)];
}

/** Outcomes of one name that say the same, where they are many; every other one on its own. */
function listRows(outcomes: readonly Outcome[]): readonly Row[] {
  const equal = groupBy(outcomes, ({ action, address, message }) =>
    canonical([action, address.kind, address.name, replaceAccount(message, address)]),
  );
  return [...equal.values()].flatMap((same): readonly Row[] =>
    same.length < EQUAL_MIN ? same.map((one): Row => [one]) : [same],
  );
}

/** `✓ applied create campaign "Welcome" (4711) on alice`, and its message. */
function drawRow(row: Row, accounts: readonly string[], style: ReportStyle): readonly Visible[] {
  const [outcome, ...others] = row;
  const { mark, label, tone, loud } = OUTCOME_WORDS[nameOutcome(outcome)];
  const verb = findWord('plan', outcome).label;
  const words = others.length === 0 ? outcome.message : replaceAccount(outcome.message, outcome.address);
  const text = formatTimesIn(words, findZone([outcome], style.zones ?? NO_ZONES));
  const message = span(shortenMiddle(visibleProse(text), MESSAGE_COLUMNS_MAX));
  const head = [
    span(shown`${mark} ${label}`, tone),
    // What was missed or blocked has no other action.
    span(visible(verb === label ? ' ' : ` ${verb} `)),
    ...Phrase.nameTarget(row, accounts).toSpans(),
  ];
  if (!loud) return drawLine([...head, span(shown`  `), message], style, 0, MESSAGE_INDENT);
  return [...drawLine(head, style, 0, MESSAGE_INDENT), ...drawLine([message], style, MESSAGE_INDENT, 0)];
}

/** A reviewed change that was done before this run. */
function drawDone({ action, address }: ReviewedChange, style: TextStyle): readonly Visible[] {
  const what = action === null ? '' : `${findWord('plan', { action, address }).label} `;
  const name = shortenMiddle(visible(formatAddress(address)), ADDRESS_COLUMNS_MAX);
  return drawLine(
    [span(shown`= already done `, 'dim'), span(shown`${what}${name}`)],
    style,
    0,
    MESSAGE_INDENT,
  );
}

/** `2 applied, 1 failed; 12 unchanged, 2 unmanaged.` */
export function countOutcomes({ outcomes, already_done: done = [] }: ApplyReport): string {
  const numbers = groupBy(outcomes, nameOutcome);
  const counted = (kind: OutcomeName): readonly string[] => {
    const number = numbers.get(kind)?.length ?? 0;
    return number === 0 ? [] : [`${number} ${OUTCOME_WORDS[kind].counted}`];
  };
  const before = done.length === 0 ? [] : [`${done.length} already done`];
  const changed = [...ORDER.flatMap(counted), ...before].join(', ');
  const quiet = QUIET.flatMap(counted).join(', ');
  if (changed === '') return `No changes${quiet === '' ? '' : `: ${quiet}`}.`;
  return `${changed}${quiet === '' ? '' : `; ${quiet}`}.`;
}
