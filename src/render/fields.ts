import { blanks, joined, shown, type Visible, visible } from '../domain/visible.ts';
import stringWidth from 'string-width';
import { drawLine, span, type TextStyle } from './spans.ts';

/** A label and its value. */
export type Field = readonly [label: string, value: string];

const GAP = 2;

/**
 * One field per line, with aligned values. If labels take more than half of the width, each value follows its own
 * label.
 */
export function drawFields(all: readonly Field[], style: TextStyle, indent = 0): readonly Visible[] {
  const fields = all.map(([label, value]) => [visible(label), visible(value)] as const);
  const labelWidth = Math.max(0, ...fields.map(([label]) => stringWidth(label))) + GAP;
  const isAligned = 2 * labelWidth <= style.width;
  return fields.flatMap(([label, value]) => {
    const filling = isAligned ? blanks(labelWidth - stringWidth(label)) : shown`: `;
    const hang = isAligned ? labelWidth : GAP;
    return drawLine([span(label, 'dim'), span(joined([filling, value], ''))], style, indent, hang);
  });
}
