import type { Change, FieldDifference } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { shown, visible, type Visible } from '../domain/visible.ts';
import { drawField } from './field-text.ts';
import { drawLine, span, type TextStyle } from './spans.ts';
import { CHANGE_WORDS } from './wording.ts';

interface NotAsReviewedView {
  readonly reviewed: Change;
  readonly fresh: Change;
  readonly fields: readonly FieldDifference[];
}

/** A change that is not as reviewed, with each field that differs. */
export function drawNotAsReviewed(
  { reviewed, fresh, fields }: NotAsReviewedView,
  style: TextStyle,
): readonly Visible[] {
  const name = visible(formatAddress(fresh.address));
  const [was, is] = [describeChange(reviewed), describeChange(fresh)];
  const what = was === is ? was : `${was} when reviewed, ${is} now`;
  const hidden = fields.length === 0 ? '. They differ in what plans do not show, such as a live text' : '';
  return [
    ...drawLine([span(shown`~ `, 'warn'), span(name, 'strong'), span(shown`: ${what}${hidden}`)], style),
    ...fields.flatMap((field) => drawField(field, style, { indent: 4, declaredOnly: false, zone: null })),
  ];
}

function describeChange({ action, live_id: id }: Change): string {
  return `${CHANGE_WORDS[action].label}${id === null ? '' : ` ${id}`}`;
}
