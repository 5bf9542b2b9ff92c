import type { StoredEvent } from '../domain/event-store.ts';

const SECONDS = /^\d{10}(?:\.\d+)?$/;
const MILLISECONDS = /^\d{13}$/;

/** The event's own time, or else when it was received. */
export function timeOfEvent({ time, received_at }: StoredEvent): number {
  if (time !== null && SECONDS.test(time)) return Number(time) * 1000;
  if (time !== null && MILLISECONDS.test(time)) return Number(time);
  const ownMs = Date.parse(time ?? '');
  return Number.isNaN(ownMs) ? Date.parse(received_at) : ownMs;
}
