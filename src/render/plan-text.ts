import type { Plan } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { type Kind, KIND_ROWS } from '../domain/resource.ts';
import { paragraphs, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { drawGroup, nameSpans } from './change-text.ts';
import { drawFindings } from './diagnostics.ts';
import { accountsIn, accountsOf, groupChanges, type ChangeGroup } from './groups/change-groups.ts';
import type { GroupView } from './group-words.ts';
import { drawStep, driftSteps } from './next-steps.ts';
import { attention } from './plan-attention.ts';
import { drawService } from './service-line.ts';
import { drawLine, span, type TextStyle, type Tone } from './spans.ts';
import { countLine, isListed, isPrunable, isQuiet, notCarriedOut, refusedLine } from './summary.ts';
import { CHANGE_WORDS, wordOf, type PlanTitle } from './wording.ts';
import { NO_ZONES, zoneOf, type Zones } from './zones.ts';

/** Limits for unmanaged objects per account and kind, and for their names. The list is only a hint. */
const UNMANAGED_MAX = 10;
const UNMANAGED_NAME_COLUMNS = 60;
/** Limit for objects that a prune would stop. A person should read all of them. */
const PRUNABLE_MAX = 200;

/** How to draw a plan. */
export interface PlanTextStyle extends TextStyle {
  readonly title: PlanTitle;
  /** Shows each change on its own. Otherwise changes that do the same are one entry. */
  readonly expand?: boolean;
  /** Declared time zones, by address. Times of other resources are in UTC. */
  readonly zones?: Zones;
  /** Set if the result of an apply follows. Only the result then says that nothing changes. */
  readonly isBeforeResult?: boolean;
}

/**
 * A plan for the terminal: the service, changes that do the same on several accounts, the other changes by account,
 * and findings. At the end: what cannot be undone, what is blocked, what goes live immediately, and the counts. Ends
 * with a line break.
 */
export function renderPlanText(plan: Plan, style: PlanTextStyle): Visible {
  const { expand = false, zones = NO_ZONES } = style;
  const accounts = accountsIn(plan.changes);
  const drawn = plan.changes.filter((change) => isListed(change) || change.action === 'unmanaged');
  const groups = groupChanges(drawn, { expand });
  const sectionStyle = { ...style, accounts, zones, drawnSlots: new Map<string, Visible>() };
  const sections = [
    drawService(plan.service, style),
    refusal(plan, style),
    ...sectionsOf(groups).map((section) => drawSection(section, sectionStyle)),
    drawFindings(plan.diagnostics, style, zones),
    lastLines(plan, groups, style),
  ];
  return paragraphs(sections);
}

/** A refused plan says so first, and again in its last line. */
function refusal(plan: Plan, style: PlanTextStyle): readonly Visible[] {
  const words = style.title === 'plan' ? visibleProse(refusedLine(plan)) : shown``;
  return words === '' ? [] : drawLine([span(words, 'loud')], style, 0, 0);
}

/** The last lines, which a person must see. A refused plan has other counts, because nothing of it happens. */
function lastLines(plan: Plan, groups: readonly ChangeGroup[], style: PlanTextStyle): readonly Visible[] {
  const isPlan = style.title === 'plan';
  const refused = refusal(plan, style);
  const draw = (text: string, tone: Tone): readonly Visible[] =>
    drawLine([span(visible(text), tone)], style, 0, 0);
  if (refused.length > 0) {
    const counts = notCarriedOut(plan);
    return [...(counts === '' ? [] : draw(counts, 'plain')), ...refused];
  }
  return [
    ...(isPlan ? attention(groups).flatMap((line) => drawLine(line, style)) : []),
    ...(style.isBeforeResult === true && isQuiet(plan) ? [] : draw(countLine(plan, style.title), 'strong')),
    ...(isPlan ? [] : driftSteps(plan).flatMap((step) => drawStep(step, style))),
  ];
}

interface Section {
  /** Null for groups on several accounts. */
  readonly account: string | null;
  readonly kind: Kind;
  readonly groups: readonly ChangeGroup[];
}

type SectionStyle = PlanTextStyle & Pick<GroupView, 'accounts' | 'drawnSlots'> & { readonly zones: Zones };

/** Groups on several accounts first, by kind; then the others by account and kind. */
function sectionsOf(groups: readonly ChangeGroup[]): readonly Section[] {
  const accountOf = (group: ChangeGroup): string | null => {
    const [account = '', ...others] = accountsOf(group);
    return others.length === 0 ? account : null;
  };
  const found = groupBy(groups, (group) => canonical([accountOf(group), group.shared.address.kind]));
  const sections = [...found.values()].flatMap((members): readonly Section[] => {
    const [first] = members;
    if (first === undefined) return [];
    return [{ account: accountOf(first), kind: first.shared.address.kind, groups: members }];
  });
  return sections.toSorted((left, right) => {
    if ((left.account === null) !== (right.account === null)) return left.account === null ? -1 : 1;
    return compareText(left.account ?? '', right.account ?? '') || compareText(left.kind, right.kind);
  });
}

function drawSection({ account, kind, groups }: Section, style: SectionStyle): readonly Visible[] {
  const { title, zones } = style;
  const listed = groups.filter(({ shared }) => isListed(shared));
  const unmanaged = groups.filter(({ shared }) => !isListed(shared));
  const labels = listed.map(({ shared }) => wordOf(title, shared).label.length);
  const labelColumns = Math.max(CHANGE_WORDS.activate.label.length, ...labels);
  const heading = shown`${account ?? 'several accounts'} · ${KIND_ROWS[kind].plural}`;
  return [
    ...drawLine([span(heading, 'strong')], style),
    ...listed.flatMap((group) =>
      drawGroup(group, style, { ...style, labelColumns, zone: zoneOf(group.changes, zones) }),
    ),
    ...drawUnmanaged(unmanaged, style),
  ];
}

function drawUnmanaged(groups: readonly ChangeGroup[], style: SectionStyle): readonly Visible[] {
  return [
    ...drawNames(
      'unmanaged, created by Herald; --allow prune stops them:',
      groups.filter(({ shared }) => isPrunable(shared)),
      PRUNABLE_MAX,
      style,
    ),
    ...drawNames(
      'unmanaged:',
      groups.filter(({ shared }) => !isPrunable(shared)),
      UNMANAGED_MAX,
      style,
    ),
  ];
}

function drawNames(
  title: string,
  groups: readonly ChangeGroup[],
  atMost: number,
  style: SectionStyle,
): readonly Visible[] {
  if (groups.length === 0) return [];
  const { mark } = CHANGE_WORDS.unmanaged;
  const more = groups.length - atMost;
  return [
    ...drawLine([span(shown`${mark} ${title}`, 'dim')], style, 2),
    ...groups
      .slice(0, atMost)
      .flatMap((group) => drawLine(nameSpans(group, style.accounts, UNMANAGED_NAME_COLUMNS), style, 4)),
    ...(more > 0 ? drawLine([span(shown`… and ${more} more`, 'dim')], style, 4) : []),
  ];
}
