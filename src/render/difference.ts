import stringWidth from 'string-width';
import type { FieldDifference } from '../domain/change.ts';
import { shown, type Visible, visible, visibleLines } from '../domain/visible.ts';
import { compactJson } from './json.ts';
import { diffLines, type DiffLine } from './line-diff.ts';
import type { Zone } from './time-words.ts';
import { valueWords } from './value-words.ts';

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

/** Words up to this many columns, old and new together, are shown on one line. */
const SHORT_PAIR_COLUMNS = 60;

/** How to show a difference. */
export interface DifferenceStyle {
  /** Nothing is live yet, so an absent old value is not shown. */
  readonly declaredOnly: boolean;
  /** The zone for times. */
  readonly zone: Zone;
}

/** Chooses between `old → new` and a difference by lines and words. */
export function viewDifference(
  field: FieldDifference,
  { declaredOnly, zone }: DifferenceStyle,
): DifferenceView {
  const path = visible(field.path);
  const isNew = isAbsent(field.old);
  const words = wordsOf(field, zone);
  const [old, wanted] = [words?.old ?? showValue(field.old), words?.new ?? showValue(field.new)];
  const isHidden = declaredOnly && isNew;
  const isOneLine =
    words === null
      ? isShort(field.old) && isShort(field.new)
      : isShortPair(isHidden ? '' : words.old, words.new, isHidden);
  if (isOneLine) return { kind: 'values', path, old: isHidden ? null : visible(old), new: visible(wanted) };
  const [oldLines, newLines] =
    words === null
      ? [linesOf(field.old), linesOf(field.new)]
      : [visibleLines(words.old), visibleLines(words.new)];
  return { kind: 'lines', path, lines: diffLines(isHidden ? [] : oldLines, newLines) };
}

/** A value of a field on one line. */
export function valueText(path: string, value: unknown, zone: Zone): Visible {
  return isAbsent(value) ? NONE : visible(valueWords(path, value, zone) ?? compactJson(value));
}

/** Both values in words, or null if words do not exist or say the same of both. */
function wordsOf(field: FieldDifference, zone: Zone): { readonly old: string; readonly new: string } | null {
  const [old, wanted] = [field.old, field.new].map((value) => {
    return isAbsent(value) ? NONE : valueWords(field.path, value, zone);
  });
  if (old == null || wanted == null || old === wanted) return null;
  return { old, new: wanted };
}

function isShortPair(old: string, wanted: string, isAlone: boolean): boolean {
  if (old.includes('\n') || wanted.includes('\n')) return false;
  return isAlone || stringWidth(visible(old)) + stringWidth(visible(wanted)) <= SHORT_PAIR_COLUMNS;
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
