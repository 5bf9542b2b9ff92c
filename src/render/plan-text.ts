import type { Plan } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import { paragraphs, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { FindingList } from './diagnostics.ts';
import { drawField } from './difference.ts';
import { countChanges, listAttention, makeEntries, type Entry, type Note, type PlanView } from './entries.ts';
import { drawLine, span, type TextStyle, type Tone, shortenMiddle } from './spans.ts';
import { summarisePlan, type Summary } from './summary.ts';
import { NO_ZONES } from './values.ts';
import { describeService } from './wording.ts';

export interface PlanTextStyle extends TextStyle, PlanView {
  /** Set if the result of an apply follows. Only the result then says that nothing changes. */
  readonly isBeforeResult?: boolean;
  /** Set if people agreed to the plan before. Of its changes, only those are shown that are blocked. */
  readonly isAgreed?: boolean;
}

/**
 * A plan for the terminal: the service, what cannot be undone, what goes to fans, what is blocked, the other changes, and findings. At
 * the end again what a person must see, and the counts. Ends with a line break.
 */
export function renderPlanText(plan: Plan, style: PlanTextStyle): Visible {
  const entries = makeEntries(plan, style);
  const summary = summarisePlan(plan, style.title, style.limits);
  const isShown = ({ group }: Entry) => style.isAgreed !== true || group.shared.action === 'blocked';
  const sections = groupBy(entries.filter(isShown), ({ section }) => section);
  return paragraphs([
    drawService(plan.service, style),
    drawRefusal(summary, style),
    ...[...sections].map(([title, own]) => [
      ...drawLine([span(shown`${visible(title)} (${countChanges(own)})`, 'strong')], style),
      ...own.flatMap((entry) => drawEntry(entry, style)),
    ]),
    new FindingList(plan.diagnostics).drawWords(style, style.zones ?? NO_ZONES),
    drawLastLines(summary, entries, style),
  ]);
}

/** `Service: https://api.example (from herald.yaml)`. */
export function drawService(service: ServiceIdentity, style: TextStyle): readonly Visible[] {
  return drawLine([span(shown`Service: `), span(visible(describeService(service)), 'strong')], style);
}

/** A refused plan says so first, and again in its last line if no result follows. */
function drawRefusal({ refusal }: Summary, style: PlanTextStyle): readonly Visible[] {
  return refusal === '' ? [] : drawLine([span(visibleProse(refusal), 'loud')], style, 0, 0);
}

/** The last lines, which a person must see. */
function drawLastLines(
  summary: Summary,
  entries: readonly Entry[],
  style: PlanTextStyle,
): readonly Visible[] {
  const { total, isQuiet, refusal, steps } = summary;
  const draw = (tone: Tone) => drawLine([span(visible(total), tone)], style, 0, 0);
  const isBeforeResult = style.isBeforeResult === true;
  if (refusal !== '') return [...draw('plain'), ...(isBeforeResult ? [] : drawRefusal(summary, style))];
  return [
    ...(style.title === 'plan' ? drawAttention(entries, style) : []),
    ...(isBeforeResult && isQuiet ? [] : draw('strong')),
    ...steps.flatMap((step) => step.draw(style)),
  ];
}

/** Names per line of attention. The changes themselves are shown above. */
const NAMES_MAX = 5;
const ATTENTION_NAME_COLUMNS = 60;

/** `! 3 blocked: campaign "Summer" (71) on alice (needs --allow resume), campaign "Winter" on 2 accounts: alice, bob`. */
function drawAttention(entries: readonly Entry[], style: TextStyle): readonly Visible[] {
  return listAttention(entries).flatMap(({ words, tone, number, entries: found }) => {
    const named = found.slice(0, NAMES_MAX);
    const more = number - countChanges(named);
    const names = named.flatMap((entry, index) => [
      ...(index === 0 ? [] : [span(shown`; `)]),
      span(entry.brief.toText(ATTENTION_NAME_COLUMNS), 'plain', true),
    ]);
    const rest = more === 0 ? [] : [span(shown` and ${more} more`)];
    return drawLine(
      [span(shown`${tone === 'loud' ? '!' : '*'} ${number} ${words}: `, tone), ...names, ...rest],
      style,
    );
  });
}

const HEAD_INDENT = 2;
const BODY_INDENT = 6;
const PROSE_COLUMNS_MAX = 1_000;

/** Action, resource and accounts on one line, then reasons, differences, steps and undo. */
function drawEntry(entry: Entry, style: PlanTextStyle): readonly Visible[] {
  const { group, word, target, badges, reasons, fields, byAccount, after } = entry;
  const labelled = style.title === 'drift' && group.shared.action !== 'create';
  const head = [
    span(shown`${word.mark} ${word.label}`, word.tone),
    span(shown` `),
    ...target.toSpans(),
    ...badges.flatMap(({ text, tone }) => [span(shown`  `), span(shown`[${text}]`, tone, true)]),
  ];
  const drawNote = ({ label, text }: Note) => {
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
