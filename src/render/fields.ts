import stringWidth from 'string-width';
import { drawLine, span, type TextStyle } from './spans.ts';
import { visible } from './visible.ts';

/** A name and what it stands for. */
export type Field = readonly [label: string, value: string];

const GAP = 2;

/** One field a line, values below each other; long ones go on where they began. */
export function drawFields(fields: readonly Field[], style: TextStyle, indent = 0): readonly string[] {
  const labelWidth = Math.max(0, ...fields.map(([label]) => stringWidth(label))) + GAP;
  return fields.flatMap(([label, value]) => {
    const filling = ' '.repeat(labelWidth - stringWidth(label));
    return drawLine([span(label, 'dim'), span(filling + visible(value))], style, indent, labelWidth);
  });
}
