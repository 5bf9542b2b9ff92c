import { blanks, joined, shown, type Visible, visible } from '../domain/visible.ts';
import stringWidth from 'string-width';
import { drawLine, span, type TextStyle } from './spans.ts';

/** A name and what it stands for. */
export type Field = readonly [label: string, value: string];

const GAP = 2;

/**
 * One field a line, values below each other; long ones go on where they began. Where the labels would take more than
 * half of the width, each value begins right behind its own.
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
