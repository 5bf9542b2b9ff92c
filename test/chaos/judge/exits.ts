import type { ApplyReport } from '../../../src/domain/change.ts';

/** The exit codes that are true of a report, as the table of exit codes has it. */
export function exitsOf(
  { summary, outcomes }: ApplyReport,
  {
    interrupted,
    isUnrecorded,
    hasLostLock,
  }: { readonly interrupted: boolean; readonly isUnrecorded: boolean; readonly hasLostLock: boolean },
): readonly number[] {
  const { unknown, failed, not_attempted: left } = summary;
  const blocked = outcomes.filter(
    ({ action, outcome }) => action === 'blocked' && outcome === 'not_attempted',
  );
  if (unknown > 0) return [3];
  if (interrupted && left > blocked.length) return [130];
  if (failed > 0 || isUnrecorded || (hasLostLock && left > blocked.length)) return [1, 4];
  return blocked.length > 0 ? [5] : [0];
}
