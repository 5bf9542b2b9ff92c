import { page, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { drawLine, span, type TextStyle, type Tone } from './spans.ts';

type Status = 'ok' | 'warn' | 'fail' | 'skip';

interface CheckView {
  readonly name: string;
  readonly status: Status;
  readonly message: string;
  readonly hint: string | null;
}

const TONES = { ok: 'good', warn: 'warn', fail: 'bad', skip: 'dim' } as const satisfies Record<Status, Tone>;

/** Columns of the longest status and a space. */
const STATUS_COLUMNS = 5;

/** One line per check, with its hint below, and a count at the end. Ends with a line break. */
export function renderChecks(
  checks: readonly CheckView[],
  summary: Readonly<Record<Status, number>>,
  style: TextStyle,
): Visible {
  const lines = checks.flatMap(({ name, status, message, hint }) => [
    ...drawLine(
      [
        span(visible(status.padEnd(STATUS_COLUMNS)), TONES[status]),
        span(visibleProse(name), 'strong'),
        span(shown`: ${visibleProse(message)}`),
      ],
      style,
      0,
      STATUS_COLUMNS,
    ),
    ...(hint === null ? [] : drawLine([span(shown`-> ${visibleProse(hint)}`)], style, STATUS_COLUMNS, 3)),
  ]);
  return page([...lines, shown``, countLine(summary)]);
}

function countLine({ ok, warn, fail, skip }: Readonly<Record<Status, number>>): Visible {
  const parts = [
    `${ok} fine`,
    ...(warn === 0 ? [] : [`${warn} with warnings`]),
    ...(fail === 0 ? [] : [`${fail} wrong`]),
    ...(skip === 0 ? [] : [`${skip} not checked`]),
  ];
  return shown`${parts.join(', ')}.`;
}
