import { serviceTime, type Run } from '../engine/run.ts';
import type { RequestRow } from '../state/shapes.ts';

/** Whether a request on record is younger than that by one of the clocks. */
export function isYoungerThan(run: Run, { sent_at: sentAt }: RequestRow, ms: number): boolean {
  return Math.min(run.clock.now(), serviceTime(run).earliestMs) - sentAt < ms;
}

/** A request on record, for JSON. */
export function describeRequest(row: RequestRow): object {
  const { entry, operation, account, name: subject, who, outcome } = row;
  return {
    entry,
    operation,
    account,
    subject,
    sent_at: sentText(row),
    who,
    outcome,
    details: parseAsked(row),
  };
}

/** When it left, in UTC, by the clock of its sender. */
export function sentText({ sent_at: ms }: RequestRow): string {
  return Math.abs(ms) <= LATEST_MS ? new Date(ms).toISOString() : 'an unknown time';
}

/** A `Date` has no later time. */
const LATEST_MS = 8.64e15;

/** What a request on record keeps of what was asked; empty if it cannot be read. */
export function parseAsked({ asked }: Pick<RequestRow, 'asked'>): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(asked);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
