import { KIND_ROWS } from '../domain/kind.ts';
import type { Change, Plan } from '../domain/change.ts';
import type { Kind } from '../domain/resource.ts';
import { paragraphs, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { drawChange, nameSpans } from './change-text.ts';
import { drawFindings } from './diagnostics.ts';
import { attention } from './plan-attention.ts';
import { drawService } from './service-line.ts';
import { drawLine, span, type TextStyle, type Tone } from './spans.ts';
import {
  countLine,
  isListed,
  isPrunable,
  isQuiet,
  notCarriedOut,
  refusedLine,
  sortChanges,
} from './summary.ts';
import { CHANGE_WORDS, WORDS, type PlanTitle } from './wording.ts';

/** Limits for unmanaged objects per account and kind, and for their names. The list is only a hint. */
const UNMANAGED_MAX = 10;
const UNMANAGED_NAME_COLUMNS = 60;
/** Limit for objects that a prune would stop. A person should read all of them. */
const PRUNABLE_MAX = 200;

/**
 * A plan for the terminal: the service, changes by account and kind, and findings. At the end: what cannot be undone,
 * what is blocked, what goes live immediately, and the counts. Ends with a line break.
 */
export function renderPlanText(plan: Plan, style: TextStyle & { readonly title: PlanTitle }): Visible {
  const { title } = style;
  const changes = sortChanges(plan.changes);
  const sections = [
    drawService(plan.service, style),
    ...legend(plan, title),
    ...groups(changes).map((group) => drawGroup(group, style)),
    drawFindings(plan.diagnostics, style),
    lastLines(plan, changes, style),
  ];
  return paragraphs(sections);
}

/** The last lines, which a person must see. A refused plan has other counts, because nothing of it happens. */
function lastLines(
  plan: Plan,
  changes: readonly Change[],
  style: TextStyle & { readonly title: PlanTitle },
): readonly Visible[] {
  const isPlan = style.title === 'plan';
  const refused = isPlan ? visibleProse(refusedLine(plan)) : '';
  const draw = (text: string, tone: Tone): readonly Visible[] =>
    drawLine([span(visible(text), tone)], style, 0, 0);
  if (refused !== '') {
    const counts = notCarriedOut(plan);
    return [...(counts === '' ? [] : draw(counts, 'plain')), ...draw(refused, 'loud')];
  }
  return [
    ...(isPlan ? attention(changes).flatMap((line) => drawLine(line, style)) : []),
    ...draw(countLine(plan, style.title), 'strong'),
  ];
}

interface Group {
  readonly account: string;
  readonly kind: Kind;
  readonly changes: readonly Change[];
}

function legend({ changes }: Plan, title: PlanTitle): readonly (readonly Visible[])[] {
  const hasFields = changes.some((change) => isListed(change) && change.fields.length > 0);
  return title === 'drift' && !isQuiet(changes) && hasFields
    ? [[shown`Each difference shows: live → file.`]]
    : [];
}

/** Shown changes by account and kind. The input is sorted. */
function groups(changes: readonly Change[]): readonly Group[] {
  const drawn = changes.filter((change) => isListed(change) || change.action === 'unmanaged');
  const result: { account: string; kind: Kind; changes: Change[] }[] = [];
  for (const change of drawn) {
    const { account, kind } = change.address;
    const last = result.at(-1);
    if (last?.account === account && last.kind === kind) last.changes.push(change);
    else result.push({ account, kind, changes: [change] });
  }
  return result;
}

function drawGroup(group: Group, style: TextStyle & { readonly title: PlanTitle }): readonly Visible[] {
  const listed = group.changes.filter(isListed);
  const unmanaged = group.changes.filter((change) => !isListed(change));
  const labels = listed.map(({ action }) => WORDS[style.title][action].label.length);
  const labelColumns = Math.max(CHANGE_WORDS.activate.label.length, ...labels);
  return [
    ...drawLine([span(shown`${group.account} · ${KIND_ROWS[group.kind].plural}`, 'strong')], style),
    ...listed.flatMap((change) => drawChange(change, style, { title: style.title, labelColumns })),
    ...drawUnmanaged(unmanaged, style),
  ];
}

function drawUnmanaged(changes: readonly Change[], style: TextStyle): readonly Visible[] {
  return [
    ...drawNames(
      'unmanaged, created by Herald; --allow prune stops them:',
      changes.filter(isPrunable),
      PRUNABLE_MAX,
      style,
    ),
    ...drawNames(
      'unmanaged:',
      changes.filter((change) => !isPrunable(change)),
      UNMANAGED_MAX,
      style,
    ),
  ];
}

function drawNames(
  title: string,
  changes: readonly Change[],
  atMost: number,
  style: TextStyle,
): readonly Visible[] {
  if (changes.length === 0) return [];
  const { mark } = CHANGE_WORDS.unmanaged;
  const more = changes.length - atMost;
  return [
    ...drawLine([span(shown`${mark} ${title}`, 'dim')], style, 2),
    ...changes
      .slice(0, atMost)
      .flatMap((change) => drawLine(nameSpans(change, UNMANAGED_NAME_COLUMNS), style, 4)),
    ...(more > 0 ? drawLine([span(shown`… and ${more} more`, 'dim')], style, 4) : []),
  ];
}
