import type { Diagnostic } from '../../domain/diagnostic.ts';
import { EVENTS_BEGIN, type EventStore } from '../../domain/event-store.ts';
import { VIOLATION_KIND, violationOf, type Violation } from '../../events/violations.ts';

/** The stored events about blocked messages. */
export interface Violations {
  /** Each once, oldest first. */
  readonly violations: readonly Violation[];
  /** Why some of them may be missing; null if none are. */
  readonly problem: Diagnostic | null;
}

/** Reads the events about blocked messages. It never rejects: the history is shown also without them. */
export async function readViolations(store: Pick<EventStore, 'read'>): Promise<Violations> {
  const found: Violation[] = [];
  let problem: string | null = null;
  try {
    await store.read(
      EVENTS_BEGIN,
      (event) => {
        const violation = violationOf(event);
        if (violation !== null) found.push(violation);
      },
      { kind: VIOLATION_KIND },
    );
  } catch (error) {
    problem = (error as Error).message;
  }
  return {
    violations: found.toSorted((left, right) => left.atMs - right.atMs),
    problem: problem === null ? null : notRead(problem),
  };
}

function notRead(why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'events-not-read',
    message: `Blocked messages may be missing, because the stored events cannot be read: ${why}`,
  };
}
