import { describeProblem, type Problem } from '../api/errors.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { visible } from '../domain/visible.ts';
import { serviceTime, type Run } from '../engine/run.ts';
import type { OpenRequest, RequestRow } from '../state/shapes.ts';

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
    sent_at: formatSentAt(row),
    who,
    outcome,
    details: parseAsked(row),
  };
}

/** When it left, in UTC, by the clock of its sender. */
export function formatSentAt({ sent_at: ms }: RequestRow): string {
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

/** What people read about an act without an answer. */
export interface ActWords<Found = unknown> {
  /** What the request does, behind "the request to": `send a message to chat 101 of alice`. */
  readonly what: string;
  /** What to do about one that is unconfirmed, with a command. */
  readonly next: string;
  /** Lines of what is known of an earlier one, as `text: "Hello"`. */
  readonly describe?: (request: OpenRequest, found: Found | null) => readonly string[];
}

/** The error for a request that may have been carried out. `facts`: lines of what is known. */
export function makeUnknown(
  { what, next }: Pick<ActWords, 'what' | 'next'>,
  { entry, problem }: { readonly entry: string | null; readonly problem: Problem | null },
  { facts = [], ...details }: { readonly facts?: readonly string[] } & Readonly<Record<string, unknown>> = {},
): HeraldError {
  const answer = problem === null ? [] : [`answer: ${describeProblem(problem)}`];
  return new HeraldError(
    'unknown-outcome',
    `Unconfirmed: the request to ${what} may have been carried out.`,
    next,
    {
      details: { facts: [...answer, ...facts], entry, problem, ...details },
    },
  );
}

/** `fan 101001 of alice (account 101)` */
export function describePlace(what: string, { alias, accountId }: ResolvedAccount): string {
  const account = alias === accountId ? `account ${accountId}` : `${alias} (account ${accountId})`;
  return visible(`${what} of ${account}`);
}
