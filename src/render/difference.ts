import stringWidth from 'string-width';
import type { FieldDifference } from '../domain/change.ts';
import { shown, type Visible, visible, visibleLines } from '../domain/visible.ts';
import { compactJson } from './json.ts';
import { diffLines, type DiffLine } from './line-diff.ts';

/** The best view of one field's difference, for all formats. All texts are safe to print. */
type DifferenceView =
  | { readonly kind: 'values'; readonly path: Visible; readonly old: Visible | null; readonly new: Visible }
  | { readonly kind: 'lines'; readonly path: Visible; readonly lines: readonly DiffLine[] };

/** Text for null: absent, or not readable. */
const NONE = shown`(none)`;

/** Values up to this many columns are shown on one line. */
const SHORT_COLUMNS = 48;

/** Longer texts are not measured. */
const SHORT_UNITS = SHORT_COLUMNS * 8;

/**
 * Chooses between `old → new` and a difference by lines and words. `declaredOnly`: nothing is live yet, so an absent
 * old value is not shown.
 */
export function viewDifference(field: FieldDifference, declaredOnly: boolean): DifferenceView {
  const path = visible(field.path);
  const isNew = isAbsent(field.old);
  if (isShort(field.old) && isShort(field.new)) {
    const old = declaredOnly && isNew ? null : showValue(field.old);
    return { kind: 'values', path, old, new: showValue(field.new) };
  }
  const oldLines = isNew && declaredOnly ? [] : linesOf(field.old);
  return { kind: 'lines', path, lines: diffLines(oldLines, linesOf(field.new)) };
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') {
    return (
      value.length <= SHORT_UNITS && !value.includes('\n') && stringWidth(visible(value)) <= SHORT_COLUMNS
    );
  }
  const text = showValue(value);
  return text.length <= SHORT_UNITS && stringWidth(text) <= SHORT_COLUMNS;
}

function showValue(value: unknown): Visible {
  return isAbsent(value) ? NONE : visible(compactJson(value));
}

/** Texts are compared directly, all other values as compact JSON. */
function linesOf(value: unknown): readonly Visible[] {
  return typeof value === 'string' ? visibleLines(value) : [showValue(value)];
}
