import { digest } from '../domain/digest.ts';
import type { StoredEvent } from '../domain/event-store.ts';

const LENGTH = 10;

/** A short name of an event, for `events show`. */
export function eventRef({ key, received_at }: StoredEvent): string {
  return digest([key, received_at]).slice(0, LENGTH);
}
