import type { Plan } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { serviceWords, type ServiceIdentity } from '../domain/service-identity.ts';
import { paragraphs, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { drawFindings } from './diagnostics.ts';
import { drawField } from './difference.ts';
import {
  describeTarget,
  listAttention,
  makeEntry,
  toSpans,
  toText,
  type Entry,
  type EntryView,
} from './entries.ts';
import { accountsIn, groupChanges, type ChangeGroup } from './groups.ts';
import { drawStep, driftSteps } from './next-steps.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, span, whole, type Span, type TextStyle, type Tone } from './spans.ts';
import { countAll, countNotApplied, describeRefusal, isListed, isPrunable, isQuiet } from './summary.ts';
import { NO_ZONES, type Zones } from './values.ts';
import { CHANGE_WORDS, type PlanTitle } from './wording.ts';

/** How to draw a plan. */
export interface PlanTextStyle extends TextStyle {
  readonly title: PlanTitle;
  /** Shows each change on its own. Otherwise changes that do the same are one entry. */
  readonly expand?: boolean;
  /** Declared time zones, by address. Times of other resources are in UTC. */
  readonly zones?: Zones;
  /** Values of the variables, by account, if the plan does not have them. */
  readonly variables?: Plan['variables'];
  /** Set if the result of an apply follows. Only the result then says that nothing changes. */
  readonly isBeforeResult?: boolean;
  /** Set if people agreed to the plan before. Of its changes, only those are shown that are blocked. */
  readonly isAgreed?: boolean;
}

type SectionStyle = PlanTextStyle & EntryView;

/**
 * A plan for the terminal: the service, changes that do the same on several accounts, the other changes by account,
 * and findings. At the end: what cannot be undone, what is blocked, what goes live immediately, and the counts. Ends
 * with a line break.
 */
export function renderPlanText(plan: Plan, style: PlanTextStyle): Visible {
  const { expand = false, zones = NO_ZONES, isAgreed = false, variables = plan.variables } = style;
  const drawn = plan.changes.filter((change) => isListed(change) || change.action === 'unmanaged');
  const groups = groupChanges(drawn, { expand, variables });
  const listed = isAgreed ? groups.filter(({ shared }) => shared.action === 'blocked') : groups;
  const sectionStyle = { ...style, accounts: accountsIn(plan.changes), zones };
  return paragraphs([
    drawService(plan.service, style),
    drawRefusal(plan, style),
    ...[...splitSections(listed)].map((section) => drawSection(section, sectionStyle)),
    drawFindings(plan.diagnostics, style, zones),
    drawLastLines(plan, groups, style),
  ]);
}

/** `Service: https://api.example (from herald.yaml)`. */
export function drawService(service: ServiceIdentity, style: TextStyle): readonly Visible[] {
  return drawLine([span(shown`Service: `), span(visible(serviceWords(service)), 'strong')], style);
}

/** A refused plan says so first, and again in its last line. */
function drawRefusal(plan: Plan, style: PlanTextStyle): readonly Visible[] {
  const words = style.title === 'plan' ? visibleProse(describeRefusal(plan)) : shown``;
  return words === '' ? [] : drawLine([span(words, 'loud')], style, 0, 0);
}

/** The last lines, which a person must see. A refused plan has other counts, because nothing of it happens. */
function drawLastLines(plan: Plan, groups: readonly ChangeGroup[], style: PlanTextStyle): readonly Visible[] {
  const isPlan = style.title === 'plan';
  const refused = drawRefusal(plan, style);
  const draw = (text: string, tone: Tone) =>
    text === '' ? [] : drawLine([span(visible(text), tone)], style, 0, 0);
  if (refused.length > 0) return [...draw(countNotApplied(plan), 'plain'), ...refused];
  return [
    ...(isPlan ? drawAttention(groups, style) : []),
    ...(style.isBeforeResult === true && isQuiet(plan) ? [] : draw(countAll(plan, style.title), 'strong')),
    ...(isPlan ? [] : driftSteps(plan).flatMap((step) => drawStep(step, style))),
  ];
}

/** Names per line of attention. The changes themselves are shown above. */
const NAMES_MAX = 5;
const ATTENTION_NAME_COLUMNS = 60;

/** `! 3 blocked: alice/campaign/Summer (--allow resume), campaign "Winter" on 2 accounts`. */
function drawAttention(groups: readonly ChangeGroup[], style: TextStyle): readonly Visible[] {
  return listAttention(groups).flatMap(({ mark, words, tone, groups: found }) => {
    const count = (some: typeof found) => some.reduce((sum, { group }) => sum + group.changes.length, 0);
    const named = found.slice(0, NAMES_MAX);
    const more = count(found) - count(named);
    const names = named.flatMap(({ target }, index) => [
      ...(index === 0 ? [] : [span(shown`, `)]),
      whole(toText(target, ATTENTION_NAME_COLUMNS)),
    ]);
    const rest = more === 0 ? [] : [span(shown` and ${more} more`)];
    return drawLine([span(shown`${mark}${count(found)} ${words}: `, tone), ...names, ...rest], style);
  });
}

/** Groups below one heading. They are sorted: on several accounts first, by kind; then the others by account and kind. */
function splitSections(groups: readonly ChangeGroup[]): ReadonlyMap<string, readonly ChangeGroup[]> {
  return groupBy(groups, ({ changes }) => {
    const [account = '', ...others] = accountsIn(changes);
    return `${others.length === 0 ? account : 'several accounts'} · ${KIND_ROWS[changes[0].address.kind].plural}`;
  });
}

function drawSection(
  [heading, groups]: readonly [string, readonly ChangeGroup[]],
  style: SectionStyle,
): readonly Visible[] {
  const entries = groups.filter(({ shared }) => isListed(shared)).map((group) => makeEntry(group, style));
  const labelColumns = Math.max(
    CHANGE_WORDS.activate.label.length,
    ...entries.map(({ word }) => word.label.length),
  );
  return [
    ...drawLine([span(visible(heading), 'strong')], style),
    ...entries.flatMap((entry) => drawEntry(entry, labelColumns, style)),
    ...drawUnmanaged(groups, style),
  ];
}

const HEAD_INDENT = 2;
const BODY_INDENT = 6;
const PROSE_COLUMNS_MAX = 1_000;

/** Action, resource and accounts on one line, then reasons, differences, steps and undo. */
function drawEntry(entry: Entry, labelColumns: number, style: SectionStyle): readonly Visible[] {
  const { group, word, badges, reasons, fields, byAccount, after } = entry;
  const labelled = style.title === 'drift' && group.shared.action !== 'create';
  const head: readonly Span[] = [
    span(shown`${word.mark} ${word.label.padEnd(labelColumns)}`, word.tone),
    span(shown` `),
    ...toSpans(describeTarget(group, style)),
    ...badges.flatMap(({ text, tone }) => [span(shown`  `), whole(shown`[${text}]`, tone)]),
  ];
  const drawNote = ({ label, text }: Entry['after'][number]) => {
    const prose = shortenMiddle(visibleProse(text), PROSE_COLUMNS_MAX);
    return drawLine([span(visible(label), 'dim'), span(prose)], style, BODY_INDENT);
  };
  return [
    ...drawLine(head, style, HEAD_INDENT, BODY_INDENT - HEAD_INDENT),
    ...reasons.flatMap(drawNote),
    ...fields.flatMap((field) => drawField(field, style, { indent: BODY_INDENT, labelled })),
    ...byAccount.flatMap((line) => drawLine([span(line)], style, BODY_INDENT)),
    ...after.flatMap(drawNote),
  ];
}

/**
 * Unmanaged objects per account and kind. Of those that a prune would stop, a person should read all; the others are
 * only a hint.
 */
const UNMANAGED = [
  { isMeant: true, title: 'unmanaged, created by Herald; --allow prune stops them:', max: 200 },
  { isMeant: false, title: 'unmanaged:', max: 10 },
] as const;
const UNMANAGED_NAME_COLUMNS = 60;

function drawUnmanaged(groups: readonly ChangeGroup[], style: SectionStyle): readonly Visible[] {
  return UNMANAGED.flatMap(({ isMeant, title, max }) => {
    const found = groups.filter(({ shared }) => !isListed(shared) && isPrunable(shared) === isMeant);
    const more = found.length - max;
    if (found.length === 0) return [];
    return [
      ...drawLine([span(shown`${CHANGE_WORDS.unmanaged.mark} ${title}`, 'dim')], style, 2),
      ...found
        .slice(0, max)
        .flatMap((group) =>
          drawLine(toSpans(describeTarget(group, style), UNMANAGED_NAME_COLUMNS), style, 4),
        ),
      ...(more > 0 ? drawLine([span(shown`… and ${more} more`, 'dim')], style, 4) : []),
    ];
  });
}
