import type { Outcome } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { ReconcileError } from './errors.ts';

/** Any other error than `ReconcileError`, of an apply that had stopped something before it. `cause` says why it ended. */
export class AfterStopsError extends Error {
  override readonly name = 'AfterStopsError';
  override readonly cause: unknown;
  /** What was sent, with its outcome. */
  readonly stops: readonly Outcome[];
  constructor(cause: unknown, stops: readonly Outcome[]) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.cause = cause;
    this.stops = stops;
    if (cause instanceof Error && cause.stack !== undefined) this.stack = cause.stack;
  }
}

/** The error of an apply, which also says what the apply had stopped before it. */
export function afterStops(error: unknown, stops: readonly Outcome[]): unknown {
  if (!(error instanceof ReconcileError)) return new AfterStopsError(error, stops);
  const { code, message, hint, details } = error;
  return new ReconcileError(code, messageAfter(message, stops), hint, { cause: details, stops });
}

/** The message of the error: what it says of all changes is true of the rest. */
export function messageAfter(message: string, stops: readonly Outcome[]): string {
  const told = stops.map(
    ({ action, address, live_id: id, outcome }) =>
      `${action} ${formatAddress(address)} (${id ?? '-'}): ${outcome}`,
  );
  return `${ofTheRest(message)} Before that, this run sent: ${told.join('; ')}.`;
}

export function ofTheRest(text: string): string {
  return text.replaceAll(/\b([Nn])othing was (?=changed|sent)/g, '$1othing else was ');
}
