import { InvalidCallError, ServiceError } from '../api/errors.ts';
import { ActError } from '../acts/act.ts';
import { CiError } from '../ci/ci-error.ts';
import { CutOffError, IncompleteScanError } from '../api/pages/incomplete.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Plan } from '../domain/change.ts';
import type { ErrorCode } from '../domain/error-codes.ts';
import { NextStepError } from '../domain/next-step-error.ts';
import { LockHeldError } from '../domain/lease.ts';
import { PlanRefusedError } from '../engine/errors.ts';
import { ImportError } from '../import/errors.ts';
import { QuestionLeftError, RefusedPathError } from '../domain/ports.ts';
import { MovedAccountsError, UnknownTargetError, UnresolvedAccountsError } from '../live/accounts.ts';
import { ProviderError } from '../provider/error.ts';
import { InterruptedError, InvalidFilesError, SetupError } from '../library/errors.ts';
import { StalePlanError } from '../library/stale.ts';
import { refusedLine } from '../render/summary.ts';
import { durationWords } from '../render/unit-words.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError, interruptedError, type Failure } from './failure.ts';
import { systemFailure } from './system-failure.ts';

/** The message for a thrown value. Null for a bug, which is shown with its stack. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof CommandError) return error.failure;
  if (error instanceof QuestionLeftError || error instanceof InterruptedError)
    return interruptedError().failure;
  if (error instanceof StalePlanError) {
    const { code, message, hint, reasons } = error;
    return { ...failure(code, message, hint, { reasons }), exitCode: EXIT.blocked };
  }
  if (error instanceof PlanRefusedError) return planRefused(error.plan);
  if (error instanceof ImportError) return failure(error.code, error.message, error.hint, error.details);
  if (error instanceof ActError) {
    const { code, message, hint, details, end } = error;
    return { ...failure(code, message, hint, details), exitCode: EXIT[end] };
  }
  if (error instanceof CiError) {
    const { code, message, hint, how } = error;
    return { ...failure(code, message, hint), exitCode: how === 'refused' ? EXIT.blocked : EXIT.failed };
  }
  if (error instanceof SetupError) return failure(error.code, error.message, error.hint);
  if (error instanceof NextStepError)
    return failure(error.code, error.message, error.next, error instanceof ProviderError ? error.call : null);
  if (error instanceof InvalidFilesError)
    return failure(error.code, error.message, null, { diagnostics: error.diagnostics });
  return (
    serviceFailure(error) ?? workspaceFailure(error) ?? (isSystemError(error) ? systemFailure(error) : null)
  );
}

/** A policy denial, or too many changes, block the whole plan. */
function planRefused(plan: Plan): Failure {
  const diagnostics = plan.diagnostics.filter(({ severity }) => severity === 'error');
  const message = refusedLine(plan, 'Nothing was changed.');
  return { ...failure('held-back', message, null, { plan, diagnostics }), exitCode: EXIT.blocked };
}

/** True for errors of the operating system: a full disk, a missing right, a used port. */
function isSystemError(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** Errors of requests: answered by the service, or refused before they were sent. */
function serviceFailure(error: unknown): Failure | null {
  if (error instanceof ServiceError) {
    const { problem } = error;
    // The service has codes of its own.
    return { ...failure('service-error', error.message, problem.hint, problem), ...codeOf(problem) };
  }
  if (error instanceof InvalidCallError)
    return failure('invalid-call', error.message, null, { issues: error.issues });
  if (error instanceof CutOffError) return failure('incomplete-list', error.message, CUT_OFF_HINT);
  if (error instanceof IncompleteScanError)
    return failure('incomplete-list', error.message, 'Nothing was changed. Try again.');
  return null;
}

const CUT_OFF_HINT = 'The service has no way to read more. To read a part on purpose, use --limit.';

function codeOf({ code }: ServiceError['problem']): Partial<Failure> {
  return code === null ? {} : { code };
}

/** Errors in the named accounts, and in the files that all runs share. */
function workspaceFailure(error: unknown): Failure | null {
  if (error instanceof UnresolvedAccountsError)
    return failure('unresolved-accounts', error.message, null, { diagnostics: error.diagnostics });
  if (error instanceof MovedAccountsError) {
    const moved = error.moved.map(({ account, was, is }) => ({ account: account.alias, was, is }));
    return { ...failure('moved-account', error.message, error.hint, { moved }), exitCode: EXIT.blocked };
  }
  if (error instanceof UnknownTargetError)
    return failure('unknown-account', error.message, null, { problems: error.problems });
  if (error instanceof RefusedPathError)
    return failure(error.code, `${error.message}. Nothing was sent.`, OUTSIDE_HINT);
  if (error instanceof LockHeldError)
    return failure(
      'locked',
      `Another herald run is active: ${error.holder}.${waitedWords(error)}`,
      `Wait for it to finish, then run the command again. Or let Herald wait: --lock-timeout 10m. If that run is gone for good: ${formatCommand('state', 'unlock')}`,
    );
  return null;
}

function waitedWords({ waitedMs }: LockHeldError): string {
  return waitedMs === 0 ? '' : ` Herald waited for ${durationWords(Math.round(waitedMs / 1000))}.`;
}

const OUTSIDE_HINT =
  'Herald follows no link out of the workspace. Remove the link, or replace it by a file. If you trust its target, set HERALD_ALLOW_OUTSIDE=1.';

function failure(code: ErrorCode, message: string, hint: string | null, details: unknown = null): Failure {
  return { exitCode: EXIT.failed, code, message, hint, details };
}
