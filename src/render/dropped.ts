import type { Change, Dropped } from '../domain/change.ts';
import { compactJson } from './json.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, span, type TextStyle } from './spans.ts';
import { visible } from '../domain/visible.ts';

/** What nobody knows may be long; JSON has the whole. */
const VALUE_COLUMNS_MAX = 200;

/** `rules.unsend_delay_sec: 3600 → not set (not in the file)`. */
export function drawDropped({ dropped }: Change, style: TextStyle, indent: number): readonly string[] {
  return dropped.flatMap((one) =>
    drawLine(
      [
        span(`${visible(one.path)}: `),
        span(valueOf(one), 'removed'),
        span(' → '),
        span('not set (not in the file)', 'warn'),
      ],
      style,
      indent,
    ),
  );
}

/** The same as lines of a `diff` block. */
export function droppedDiffLines({ dropped }: Change): readonly string[] {
  return dropped.map((one) => `- ${visible(one.path)}: ${valueOf(one)} (not in the file)`);
}

function valueOf({ live }: Dropped): string {
  return shortenMiddle(visible(compactJson(live)), VALUE_COLUMNS_MAX);
}
