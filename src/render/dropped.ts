import type { Change, Dropped } from '../domain/change.ts';
import { shown, type Visible, visible } from '../domain/visible.ts';
import { compactJson } from './json.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, span, type TextStyle } from './spans.ts';

/** Unknown values may be long. JSON has the whole value. */
const VALUE_COLUMNS_MAX = 200;

/** `rules.unsend_delay_sec: 3600 → not set (not in the file)`. */
export function drawDropped({ dropped }: Change, style: TextStyle, indent: number): readonly Visible[] {
  return dropped.flatMap((one) =>
    drawLine(
      [
        span(shown`${one.path}: `),
        span(valueOf(one), 'removed'),
        span(shown` → `),
        span(shown`not set (not in the file)`, 'warn'),
      ],
      style,
      indent,
    ),
  );
}

/** The same, as lines of a `diff` block. */
export function droppedDiffLines({ dropped }: Change): readonly Visible[] {
  return dropped.map((one) => shown`- ${one.path}: ${valueOf(one)} (not in the file)`);
}

function valueOf({ live }: Dropped): Visible {
  return shortenMiddle(visible(compactJson(live)), VALUE_COLUMNS_MAX);
}
