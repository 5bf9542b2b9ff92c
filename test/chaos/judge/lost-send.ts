import { isDeclaredAs, isRunning, sameContent } from '../declare.ts';
import { groupOf } from '../live.ts';
import { isDeceived, isTooEarlyByAll } from './deceived.ts';
import type { Facts } from './facts.ts';

/** A create that comes later than five minutes before its hour is refused by Herald, less what clocks differ by. */
const LEAD_MS = 5 * 60_000 - 1_000;
/** A request may take so long to leave after its check. */
const LEAVES_WITHIN_MS = 8_000;

/** A stop of what waits, for a new version that can no longer be created in time, only loses what was to go out. */
export function losesTheSend({ chaos, sent, live, isCrowded, isDisturbed }: Facts): string[] {
  const { write, process, sentMs } = sent;
  if (write.kind !== 'status' || write.status !== 'paused' || process.task.wish !== null) return [];
  const old = live.find((one) => one.kind === write.of && one.id === write.id);
  if (old?.status !== 'scheduled' || isCrowded || isDisturbed) return [];
  if (isDeceived(chaos, process.actor) || isTooEarlyByAll(chaos, process.actor)) return [];
  const wanted = process.task.declared.find((one) => isDeclaredAs(one, old));
  if (wanted === undefined || wanted.hourMs === null || !isRunning(wanted.target)) return [];
  const isOnlyOne = live.filter((one) => groupOf(one) === groupOf(old) && isRunning(one.status)).length === 1;
  const leftMs = wanted.hourMs - sentMs;
  if (!isOnlyOne || sameContent(old.content, wanted.content) || leftMs >= LEAD_MS - LEAVES_WITHIN_MS)
    return [];
  return [
    `${groupOf(old)} was stopped ${Math.round(leftMs / 1000)} s before its hour, too late for another version`,
  ];
}
