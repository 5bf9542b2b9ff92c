import type { Change, FieldDifference } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { isTextDigest } from '../domain/text.ts';
import { page, shown, type Visible, visible } from '../domain/visible.ts';
import { drawField, viewField } from './difference.ts';
import { drawLine, span, type Span, type TextStyle } from './spans.ts';
import { formatTime } from './values.ts';
import { CHANGE_WORDS, count } from './wording.ts';

interface VersionView {
  readonly at: string;
  readonly who: string | null;
  readonly outcome: string;
  readonly live_id: string | null;
  readonly content_digest: string | null;
}

interface HistoryDiffView {
  readonly address: string;
  readonly from: VersionView;
  readonly to: VersionView;
  readonly fields: readonly FieldDifference[];
}

/** Two versions of one resource and their differences, word by word. Ends with a line break. */
export function renderHistoryDiff(
  { address, from, to, fields: found }: HistoryDiffView,
  style: TextStyle,
): Visible {
  const fields = found.map(withoutDigests);
  const hasDigests = found.some(({ old, new: current }) => isTextDigest(old) || isTextDigest(current));
  const lines = [
    ...drawLine([span(visible(address), 'strong')], style),
    ...drawLine([span(shown`from `, 'dim'), ...versionSpans(from)], style, 2),
    ...drawLine([span(shown`to   `, 'dim'), ...versionSpans(to)], style, 2),
    ...drawFields(fields, style),
    fields.length === 0
      ? shown`Both have the same content.`
      : shown`${count(fields.length, 'field differs', 'fields differ')}.`,
    ...(hasDigests
      ? [shown`Texts of messages are not stored, only their digests. Look at the files in git.`]
      : []),
  ];
  return page(lines);
}

const VERSION_LENGTH = 8;

function withoutDigests({ path, old, new: current }: FieldDifference): FieldDifference {
  const words = (value: unknown) =>
    isTextDigest(value)
      ? `(not stored, digest ${value.slice(value.indexOf(':') + 1).slice(0, VERSION_LENGTH)})`
      : value;
  return { path, old: words(old), new: words(current) };
}

/** `1a2b3c4d, Mon 1 Jun 2026 12:00 UTC by mia: done, 77` */
function versionSpans({ at, who, outcome, live_id, content_digest }: VersionView): readonly Span[] {
  const digest = content_digest === null ? '-' : content_digest.slice(0, VERSION_LENGTH);
  const by = who === null ? '' : ` by ${who}`;
  const id = live_id === null ? '' : `, ${live_id}`;
  return [span(shown`${digest}, ${formatTime(at, null) ?? at}${by}: ${outcome}${id}`)];
}

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
    ...drawFields(fields, style),
  ];
}

function describeChange({ action, live_id: id }: Change): string {
  return `${CHANGE_WORDS[action].label}${id === null ? '' : ` ${id}`}`;
}

function drawFields(fields: readonly FieldDifference[], style: TextStyle): readonly Visible[] {
  return fields.flatMap((field) =>
    drawField(viewField(field, { declaredOnly: false, zone: null }), style, { indent: 4 }),
  );
}
