import { InvalidCallError, ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import { LockHeldError } from '../domain/lease.ts';
import { RefusedPathError } from '../domain/ports.ts';
import { StateError } from '../domain/state-error.ts';
import { LedgerError, LockLostError } from '../ledger/ledger-errors.ts';
import { UnresolvedAccountsError } from '../live/accounts.ts';
import { MovedAccountsError } from '../live/moved-accounts.ts';
import { UnknownTargetError } from '../live/unknown-target.ts';

/** Reasons for the engine to stop. Each is an error code of the JSON output. */
export type ReconcileCode =
  | 'open-entry'
  | 'not-found'
  | 'account-without-alias'
  | 'files-exist'
  | 'held-back'
  | 'import-disturbs'
  | 'import-not-loadable'
  | 'stale-plan';

/** Thrown if the engine stops. The message has the reason, `hint` the next step. */
export class ReconcileError extends Error {
  override readonly name = 'ReconcileError';
  readonly code: ReconcileCode;
  readonly hint: string;
  /** Details for programs, or null. */
  readonly details: unknown;
  constructor(code: ReconcileCode, message: string, hint: string, details: unknown = null) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}

const EXPECTED = [
  ReconcileError,
  ServiceError,
  InvalidCallError,
  IncompleteScanError,
  UnresolvedAccountsError,
  MovedAccountsError,
  UnknownTargetError,
  RefusedPathError,
  LockLostError,
  LockHeldError,
  LedgerError,
  StateError,
];

/** True for errors that a correct program can meet: the service, the files or the system refused something. */
export function isExpected(error: unknown): boolean {
  return EXPECTED.some((kind) => error instanceof kind) || isSystemError(error);
}

/** True for errors of the operating system: a full disk, a missing right, a used port. */
export function isSystemError(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
