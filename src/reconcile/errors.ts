import { InvalidCallError, ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import { LockHeldError } from '../domain/lease.ts';
import { RefusedPathError } from '../domain/ports.ts';
import { LedgerError } from '../ledger/ledger.ts';
import { LockLostError } from '../ledger/lock-lost-error.ts';
import { UnresolvedAccountsError } from '../live/accounts.ts';
import { MovedAccountsError } from '../live/moved-accounts.ts';
import { UnknownTargetError } from '../live/targets.ts';

/** Why the engine refuses to go on. Each is an error code of the JSON output. */
export type ReconcileCode =
  | 'open-entry'
  | 'not-found'
  | 'account-without-alias'
  | 'files-exist'
  | 'held-back'
  | 'import-disturbs'
  | 'import-not-loadable'
  | 'stale-plan';

/** The engine refuses to go on. The message says what it found, `hint` what to do next. */
export class ReconcileError extends Error {
  override readonly name = 'ReconcileError';
  readonly code: ReconcileCode;
  readonly hint: string;
  /** What a program may want to know about it; null for nothing. */
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
];

/** Whether this can happen to a correct program: the service, the files or the system refused something. */
export function isExpected(error: unknown): boolean {
  return EXPECTED.some((kind) => error instanceof kind) || isSystemError(error);
}

/** What the operating system refused: a full disk, a missing right, a taken port. */
export function isSystemError(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
