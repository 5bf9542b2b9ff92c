import { drawLine, span, type TextStyle, type Tone } from './spans.ts';
import { visibleProse } from '../domain/visible.ts';

type Status = 'ok' | 'warn' | 'fail' | 'skip';

interface CheckView {
  readonly name: string;
  readonly status: Status;
  readonly message: string;
  readonly hint: string | null;
}

const TONES = { ok: 'good', warn: 'warn', fail: 'bad', skip: 'dim' } as const satisfies Record<Status, Tone>;

/** Columns of the longest status and the space behind it. */
const STATUS_COLUMNS = 5;

/** One check a line, with what to do below it, and a count at the end. Ends with a line break. */
export function renderChecks(
  checks: readonly CheckView[],
  summary: Readonly<Record<Status, number>>,
  style: TextStyle,
): string {
  const lines = checks.flatMap(({ name, status, message, hint }) => [
    ...drawLine(
      [
        span(status.padEnd(STATUS_COLUMNS), TONES[status]),
        span(visibleProse(name), 'strong'),
        span(`: ${visibleProse(message)}`),
      ],
      style,
      0,
      STATUS_COLUMNS,
    ),
    ...(hint === null ? [] : drawLine([span(`-> ${visibleProse(hint)}`)], style, STATUS_COLUMNS, 3)),
  ]);
  return `${[...lines, '', countLine(summary)].join('\n')}\n`;
}

function countLine({ ok, warn, fail, skip }: Readonly<Record<Status, number>>): string {
  const parts = [
    `${ok} fine`,
    ...(warn === 0 ? [] : [`${warn} to look at`]),
    ...(fail === 0 ? [] : [`${fail} wrong`]),
    ...(skip === 0 ? [] : [`${skip} not checked`]),
  ];
  return `${parts.join(', ')}.`;
}
