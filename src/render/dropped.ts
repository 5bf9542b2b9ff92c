import type { Change, Dropped } from '../domain/change.ts';
import { shown, type Visible } from '../domain/visible.ts';
import { valueText } from './difference.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, span, type TextStyle } from './spans.ts';
import type { Zone } from './time-words.ts';

/** Unknown values may be long. JSON has the whole value. */
const VALUE_COLUMNS_MAX = 200;

/** `rules.unsend_delay_sec: 3600 → not set (not in the file)`. */
export function drawDropped(
  { dropped }: Change,
  style: TextStyle & { readonly indent: number; readonly zone: Zone },
): readonly Visible[] {
  return dropped.flatMap((one) =>
    drawLine(
      [
        span(shown`${one.path}: `),
        span(valueOf(one, style.zone), 'removed'),
        span(shown` → `),
        span(shown`not set (not in the file)`, 'warn'),
      ],
      style,
      style.indent,
    ),
  );
}

/** The same, as lines of a `diff` block. */
export function droppedDiffLines({ dropped }: Change, zone: Zone): readonly Visible[] {
  return dropped.map((one) => shown`- ${one.path}: ${valueOf(one, zone)} (not in the file)`);
}

function valueOf({ path, live }: Dropped, zone: Zone): Visible {
  return shortenMiddle(valueText(path, live, zone), VALUE_COLUMNS_MAX);
}
