import { invalid } from './refusal.ts';
import type { World } from './world.ts';

const WALL_CLOCK = /^(\d{4}-\d{2}-\d{2}T\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?/;

/**
 * The time that a date means in its time zone mode. An offset in the value is ignored, and the hour must be whole.
 * Assumed: `utc` is the only mode (BROADCAST-4).
 */
export function readWallClock(world: World, value: string, mode: string | undefined, path: string): number {
  if (mode !== 'utc')
    throw invalid(world.modes, `${path}_timezone_mode must be "utc"`, `${path}_timezone_mode`);
  const [, hour, minutes, seconds] = WALL_CLOCK.exec(value) ?? [];
  const instant = Date.parse(`${hour}:00:00Z`);
  if (Number.isNaN(instant)) throw invalid(world.modes, `${path} is not a date and hour`, path);
  const isWhole = minutes === '00' && Number(seconds ?? 0) === 0;
  if (!isWhole && world.modes.scheduleMinutes === 'refuse')
    throw invalid(world.modes, `${path} must be a whole hour`, path);
  return instant;
}
