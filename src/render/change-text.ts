import type { Change, Step } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { joined, quoted, shown, type Visible, visibleProse } from '../domain/visible.ts';
import { byteWords } from './byte-words.ts';
import { drawDropped } from './dropped.ts';
import { drawField } from './field-text.ts';
import { accountsIn, accountsOf, namesOf, type ChangeGroup } from './groups/change-groups.ts';
import { accountWords, differenceLines, type GroupView } from './group-words.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, span, whole, type Span, type TextStyle } from './spans.ts';
import { goesLive, isIrreversible, isWriting } from './summary.ts';
import { timesInProse } from './time-words.ts';
import { STEP_WORDS, wordOf, type PlanTitle } from './wording.ts';

interface ChangeTextOptions extends GroupView {
  readonly title: PlanTitle;
  /** Columns of the longest label, so that names are aligned. */
  readonly labelColumns: number;
}

/** Names have up to 512 units (CONTENT-2). The name of a live broadcast may be its whole text. */
const NAME_COLUMNS_MAX = 160;
const PROSE_COLUMNS_MAX = 1_000;

const HEAD_INDENT = 2;
const BODY_INDENT = 6;

/** One group: action, resource and accounts on one line, then reasons, differences, steps and undo. */
export function drawGroup(
  group: ChangeGroup,
  style: TextStyle,
  options: ChangeTextOptions,
): readonly Visible[] {
  const { shared } = group;
  const { zone } = options;
  const isPlan = options.title === 'plan';
  const declaredOnly = shared.action === 'create';
  const prose = (label: Visible, text: string) => drawProse(label, timesInProse(text, zone), style);
  return [
    ...drawLine(headSpans(group, options), style, HEAD_INDENT, BODY_INDENT - HEAD_INDENT),
    ...(isPlan ? [] : lastApplied(group).flatMap((words) => prose(shown``, words))),
    ...reasonsOf(shared, isPlan).flatMap((reason) => prose(shown``, reason)),
    ...shared.fields.flatMap((field) =>
      drawField(field, style, {
        indent: BODY_INDENT,
        declaredOnly,
        zone,
        labelled: !isPlan && !declaredOnly,
      }),
    ),
    ...differenceLines(group, options).flatMap(({ text, below }) =>
      drawLine([span(text)], style, BODY_INDENT + (below ? 2 : 0)),
    ),
    ...drawDropped(shared, { ...style, indent: BODY_INDENT, zone }),
    ...(isPlan ? drawSteps(shared, style) : []),
    ...(isPlan && shared.undo !== '' ? prose(shown`${undoLabel(shared)}: `, shared.undo) : []),
  ];
}

/** `Last applied by root at 2026-06-01T12:00:00.000Z.` Empty if the state does not know, and for several changes. */
export function lastApplied({ changes }: ChangeGroup): readonly string[] {
  const [{ last_applied: last }, ...others] = changes;
  return last === undefined || others.length > 0
    ? []
    : [`Last applied ${last.who === null ? '' : `by ${last.who} `}at ${last.at}.`];
}

/** In a drift report the differences are the reason. How a replace would work does not matter there. */
export function reasonsOf(change: Change, isPlan: boolean): readonly string[] {
  return isPlan || change.fields.length === 0 || change.action === 'blocked' ? change.reasons : [];
}

/** `"Welcome series" (4711)`, or `"Welcome series" on 60 accounts: acc00 … acc59`. */
export function nameSpans(
  group: ChangeGroup,
  accounts: readonly string[],
  columns = NAME_COLUMNS_MAX,
): readonly Span[] {
  const [name = '', ...others] = namesOf(group);
  const own = accountsOf(group);
  if (others.length > 0) return eachName(group, accounts, columns);
  const on = own.length === 1 ? [] : [span(onAccounts(own, accounts))];
  return [span(shortenMiddle(quoted(name), columns), 'strong'), ...idSpans(group.changes), ...on];
}

/** ` (4711)`, or ` (4711, 4712)` of several on one account. */
function idSpans(changes: readonly Change[]): readonly Span[] {
  if (new Set(changes.map(({ address }) => address.account)).size > 1) return [];
  const ids = changes.map(({ live_id: id }) => id).filter((id) => id !== null);
  return ids.length === 0 ? [] : [span(shown` (${ids.join(', ')})`, 'dim')];
}

/** ` on 60 accounts: acc00 … acc59`. */
function onAccounts(own: readonly string[], all: readonly string[]): Visible {
  return joined([shown` on ${own.length} accounts: `, accountWords(own, all)], '');
}

/** `2 campaigns: "Welcome" (1), "Hello" (2)`, each with its ids or its accounts. */
function eachName(group: ChangeGroup, accounts: readonly string[], columns: number): readonly Span[] {
  const { changes } = group;
  const byName = [...groupBy(changes, ({ address }) => address.name).values()];
  const own = accountsOf(group);
  const isOnAll = byName.every((same) => same.length === own.length);
  const names = byName.flatMap((same, index): readonly Span[] => [
    ...(index === 0 ? [] : [span(shown`, `)]),
    span(shortenMiddle(quoted(same[0]?.address.name ?? ''), columns), 'strong'),
    ...(own.length > 1 ? [] : idSpans(same)),
    ...(isOnAll ? [] : [span(shown` on `), span(accountWords(accountsIn(same), accounts))]),
  ]);
  const count = shown`${byName.length} ${KIND_ROWS[changes[0].address.kind].plural}: `;
  return [span(count), ...names, ...(isOnAll && own.length > 1 ? [span(onAccounts(own, accounts))] : [])];
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

function headSpans(
  group: ChangeGroup,
  { title, labelColumns, accounts }: ChangeTextOptions,
): readonly Span[] {
  const { mark, label, tone } = wordOf(title, group.shared);
  const badges = title === 'plan' ? badgeSpans(group.shared) : [];
  return [
    span(shown`${mark} ${label.padEnd(labelColumns)}`, tone),
    span(shown` `),
    ...nameSpans(group, accounts),
    ...badges.flatMap((badge) => [span(shown`  `), badge]),
  ];
}

/** Badges for what a person must see first. */
function badgeSpans(change: Change): readonly Span[] {
  const live = goesLive(change);
  return [
    ...(isIrreversible(change) ? [whole(shown`[cannot be undone]`, 'loud')] : []),
    ...(change.action === 'blocked' ? [whole(shown`[${needsText(change)}]`, 'loud')] : []),
    ...(live === null ? [] : [whole(shown`[${live}]`, 'warn')]),
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
  return others.length === 0 && first?.kind === action && (first.live_id ?? '') === (live_id ?? '');
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
  return step.live_id === null || step.live_id === '' ? shown`` : shown` ${step.live_id}`;
}

function drawProse(label: Visible, text: string, style: TextStyle): readonly Visible[] {
  const prose = shortenMiddle(visibleProse(text), PROSE_COLUMNS_MAX);
  return drawLine([span(label, 'dim'), span(prose)], style, BODY_INDENT);
}
