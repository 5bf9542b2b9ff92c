import { formatCommand } from '../../domain/command-line.ts';
import { givenRange } from '../instant-range.ts';
import { shown } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { count } from '../../render/wording.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { changingState } from './open.ts';
import { HeraldError, hasCode } from '../../domain/herald-error.ts';

/** Much longer than the time in which an ended request still matters, on any two clocks. */
const KEPT_MS = 7 * 86_400_000;

/** `herald state prune --before TIME`: deletes requests that ended before a time. Sends nothing. */
export async function statePruneCommand(context: Context, written: string): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const before = readBefore(written, context.clock.now());
  const deleted = await changingState(context, async (state) => {
    context.onChange?.();
    return state.prune(Date.parse(before));
  });
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item: { before, deleted } })
      : shown`Deleted ${count(deleted, 'request')} that ended before ${before}. What is known of objects stays.\n`,
  );
  return EXIT.done;
}

function readBefore(written: string, nowMs: number): string {
  const before = parseBefore(written, nowMs);
  if (nowMs - Date.parse(before) >= KEPT_MS) return before;
  throw new HeraldError(
    'bad-flag',
    `--before ${written} is less than a week ago. Requests that may still matter must stay in the state.`,
    `Use 7d or more: ${formatCommand('state', 'prune', '--before', '7d')}`,
  );
}

function parseBefore(written: string, nowMs: number): string {
  try {
    return givenRange({ from: written, to: undefined }, nowMs).from ?? '';
  } catch (error) {
    if (!hasCode(error, 'bad-flag')) throw error;
    const message = error.message.includes(' is empty')
      ? `--before ${written} is not before now.`
      : error.message.replace('--from', '--before');
    throw new HeraldError('bad-flag', message, formatCommand('state', 'prune', '--before', '180d'));
  }
}
