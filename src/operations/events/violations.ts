import type { Diagnostic } from '../../domain/diagnostic.ts';
import { EVENTS_BEGIN, type EventStore } from '../../domain/event-store.ts';
import { withoutRepeated } from '../../events/listed.ts';
import { VIOLATION_KIND, violationOf, type Violation } from '../../events/violations.ts';

/** The stored events about blocked messages. */
export interface Violations {
  /** Each once, oldest first. */
  readonly violations: readonly Violation[];
  /** Why some of them may be missing; null if none are. */
  readonly problem: Diagnostic | null;
}

/** Reads the events about blocked messages. It never rejects: the history is shown also without them. */
export async function readViolations(store: Pick<EventStore, 'name' | 'read'>): Promise<Violations> {
  const found: Violation[] = [];
  let problem: string | null = null;
  try {
    const { damaged } = await store.read(
      EVENTS_BEGIN,
      (event) => {
        const violation = violationOf(event);
        if (violation !== null) found.push(violation);
      },
      { kind: VIOLATION_KIND },
    );
    if (damaged > 0) problem = `${damaged} of their lines are damaged`;
  } catch (error) {
    problem = (error as Error).message;
  }
  const once = new Set(withoutRepeated(found.map(({ event }) => event)));
  return {
    violations: found
      .filter(({ event }) => once.has(event))
      .toSorted((left, right) => left.atMs - right.atMs),
    problem: problem === null ? null : notRead(store.name, problem),
  };
}

function notRead(name: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'events-not-read',
    message: `Blocked messages may be missing, because the events in ${name} cannot be read: ${why}. Repair them, or restore them from a backup.`,
  };
}
