import type { QuietHours } from '../domain/policy.ts';
import type { Declared, DeclaredBroadcast } from '../domain/resource.ts';
import type { Breach } from './policy-case.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MIN = 24 * 60;

/** Zones move their clocks at quarters of an hour of UTC, so within one the minutes go on as they should. */
const STEP_MIN = 15;

/**
 * Broadcasts that would send in the quiet hours: at their schedule, in the hours after it, and when a later
 * message of the sequence is due. Campaigns follow their trigger and are not concerned.
 */
export function quietHours(resources: readonly Declared[], rule: QuietHours): readonly Breach[] {
  const clock = quietClock(rule);
  return resources.flatMap((resource) => (resource.kind === 'broadcast' ? judge(resource, rule, clock) : []));
}

function judge(resource: DeclaredBroadcast, rule: QuietHours, clock: QuietClock): readonly Breach[] {
  const { from, to, timezone } = rule;
  return dueTimes(resource).flatMap(({ atMs, path, what }) => {
    const quietMs = clock.firstQuietMs(atMs);
    if (quietMs === null) return [];
    const goesOn = quietMs === atMs ? '' : ` and may still be sending at ${clock.show(quietMs)}`;
    const message = `${what} at ${clock.show(atMs)}${goesOn} in ${timezone}, within policy.quiet_hours ${from} to ${to}.`;
    return [{ resource, path, message }];
  });
}

interface Due {
  readonly atMs: number;
  readonly path: readonly (string | number)[];
  readonly what: string;
}

/** Assumed: the delay of each message of a sequence counts from the one before (CONTENT-13). */
function dueTimes({ scheduledAtUtc, content }: DeclaredBroadcast): readonly Due[] {
  let atMs = Date.parse(scheduledAtUtc);
  return content.messages.flatMap(({ delay_sec: delaySec = 0 }, index) => {
    if (index === 0) return [{ atMs, path: ['scheduled_at'], what: 'it goes out' }];
    atMs += delaySec * 1000;
    // At once after the one before, it is the same send.
    return delaySec === 0
      ? []
      : [{ atMs, path: ['messages', index, 'delay_sec'], what: `messages[${index}] goes out` }];
  });
}

interface QuietClock {
  /** The first quiet moment of the hours that a send at this time may take; null when there is none. */
  firstQuietMs(atMs: number): number | null;
  /** `HH:MM` in the zone. */
  show(atMs: number): string;
}

function quietClock(rule: QuietHours): QuietClock {
  // Made once, because looking up a zone is slow.
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: rule.timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const show = (atMs: number) => format.format(new Date(atMs));
  const [from, to] = [minutesOf(rule.from), minutesOf(rule.to)];
  const known = new Map<number, number | null>();
  const look = (atMs: number): number | null => {
    const endMs = atMs + Math.max(rule.hoursAfter * HOUR_MS, 1);
    for (let stepMs = atMs; stepMs < endMs; stepMs = nextStepMs(stepMs)) {
      const untilMs = Math.min(nextStepMs(stepMs), endMs);
      const quietMs = stepMs + minutesUntilQuiet(minutesOf(show(stepMs)), from, to) * MINUTE_MS;
      if (quietMs < untilMs) return quietMs;
    }
    return null;
  };
  return {
    show,
    firstQuietMs: (atMs) => {
      // Many accounts share one schedule.
      const found = known.get(atMs);
      if (found !== undefined) return found;
      const quietMs = look(atMs);
      known.set(atMs, quietMs);
      return quietMs;
    },
  };
}

function nextStepMs(atMs: number): number {
  const stepMs = STEP_MIN * MINUTE_MS;
  return (Math.floor(atMs / stepMs) + 1) * stepMs;
}

/** 0 when it is quiet now. */
function minutesUntilQuiet(local: number, from: number, to: number): number {
  const crossesMidnight = from > to;
  const quiet = crossesMidnight ? local >= from || local < to : from <= local && local < to;
  return quiet ? 0 : (from - local + DAY_MIN) % DAY_MIN;
}

function minutesOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
