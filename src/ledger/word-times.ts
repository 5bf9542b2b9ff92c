import { startsSending, targetStatusOf } from '../domain/status.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import type { LinePlace } from './object-times.ts';
import { inOrderOf, lineTime, writtenAtMs, type Written } from './order.ts';

/**
 * The line that tells from when the words of a line about an object count. A request may get its answer long after it was
 * decided, and a person may stop the object in between, in a ledger that is merged later. Such a stop counts.
 *
 * | the line                                              | its words count from    |
 * |-------------------------------------------------------|-------------------------|
 * | the end of a change of status by an apply             | when it was announced   |
 * | the end of a start by hand                            | when it was announced   |
 * | the end of a stop by hand, or of one that became that | when the end was written |
 * | every other line                                      | when it was written     |
 */
export function countsFrom(line: LedgerLine, intent: IntentLine | undefined): Written {
  if (line.type !== 'outcome' || intent?.call !== 'status' || line.by_hand === true) return line;
  return intent.purpose === 'by_hand' && !startsSending(targetStatusOf(intent.target)) ? line : intent;
}

/** When a line was written. */
export function saidIn(line: Written, place: number): LinePlace {
  const { ms, isByService } = lineTime(line);
  return { ms, place, isByService };
}

/** From when the words of a line about its object count. */
export function wordIn(line: LedgerLine, intent: IntentLine | undefined, said: LinePlace): LinePlace {
  const timed = countsFrom(line, intent);
  return timed === line ? said : saidIn(timed, said.place);
}

/** In the order in which their words count. */
export function inOrderOfWords(
  lines: readonly LedgerLine[],
  intents: Pick<ReadonlyMap<string, IntentLine>, 'get'>,
): readonly LedgerLine[] {
  return inOrderOf(lines, (line) =>
    writtenAtMs(countsFrom(line, 'entry' in line ? intents.get(line.entry) : undefined)),
  );
}
