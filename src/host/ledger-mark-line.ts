import type { LedgerMark } from '../domain/ledger-transfer.ts';
import { wholeObject } from '../domain/whole-object.ts';
import { lastWholeLine } from './byte-lines.ts';
import type { ReadFile } from './line-files.ts';

/** A mark as the line of a file: it stays with the ledger, whether git or a cache carries that. */
export interface MarkLine extends LedgerMark {
  /** Lines before it, without other marks. */
  readonly lines: number;
  /** Bytes before it. */
  readonly bytes: number;
}

/** Every mark begins like this. An earlier version of Herald cannot read such a line, so it creates nothing. */
const BEGIN = '{"mark":"';

/** The mark that this line is; null for a line of the ledger. */
export function markIn(line: string): MarkLine | null {
  if (!line.startsWith(BEGIN)) return null;
  const value = wholeObject(line) as Record<string, unknown> | null;
  if (value === null) return null;
  const text = (key: string) => String(value[key]);
  const number = (key: string) => Number(value[key] ?? 0);
  return {
    type: value['mark'] === 'moved' ? 'moved' : 'arriving',
    other: { name: text('place'), as: text('as') },
    at: text('at'),
    who: text('who'),
    lines: number('lines'),
    bytes: number('bytes'),
  };
}

export function markLine({ type, other, at, who, lines, bytes }: MarkLine): string {
  return JSON.stringify({ mark: type, v: 1, at, who, place: other.name, as: other.as, lines, bytes });
}

/** The mark that is the last line of a file, and where it begins; null where another line is the last. */
export async function markAtEnd(
  file: Pick<ReadFile, 'size' | 'bytesFrom'>,
): Promise<{ readonly mark: MarkLine; readonly start: number } | null> {
  const { text, start } = await lastWholeLine(file);
  const mark = markIn(text);
  return mark === null ? null : { mark, start };
}
