import { InvalidCallError, ServiceError } from '../api/errors.ts';
import { CiError } from '../ci/ci-error.ts';
import { CutOffError, IncompleteScanError } from '../api/pages/incomplete.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { ErrorCode } from '../domain/error-codes.ts';
import { NextStepError } from '../domain/next-step-error.ts';
import { LockHeldError } from '../domain/lease.ts';
import { QuestionLeftError, RefusedPathError } from '../domain/ports.ts';
import { LedgerError, LockLostError, OthersRequestError } from '../ledger/ledger-errors.ts';
import { UnresolvedAccountsError } from '../live/accounts.ts';
import { MovedAccountsError } from '../live/moved-accounts.ts';
import { UnknownTargetError } from '../live/unknown-target.ts';
import { ProviderError } from '../provider/error.ts';
import { AfterStopsError, messageAfter, ofTheRest } from '../reconcile/after-stops.ts';
import { isSystemError, ReconcileError, type ReconcileCode } from '../reconcile/errors.ts';
import { InvalidFilesError, SetupError } from '../library/errors.ts';
import { durationWords } from '../render/unit-words.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CommandError, interruptedError, type Failure } from './failure.ts';
import { systemFailure } from './system-failure.ts';

/** The message for a thrown value. Null for a bug, which is shown with its stack. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof CommandError) return error.failure;
  if (error instanceof AfterStopsError) return failureAfterStops(error);
  if (error instanceof QuestionLeftError) return interruptedError().failure;
  if (error instanceof ReconcileError) {
    const { code, message, hint, details } = error;
    return { ...failure(code, message, hint, details), exitCode: RECONCILE_EXITS[code] };
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

/** The failure of a run, with what it had stopped before. */
function failureAfterStops({ cause, stops }: AfterStopsError): Failure | null {
  const failed = failureOf(cause);
  if (failed === null) return null;
  return {
    ...failed,
    exitCode: failed.exitCode === EXIT.failed ? EXIT.partly : failed.exitCode,
    message: messageAfter(failed.message, stops),
    hint: failed.hint === null ? null : ofTheRest(failed.hint),
    details: { cause: failed.details, stops },
  };
}

const RECONCILE_EXITS = {
  'open-entry': EXIT.unknown,
  'not-found': EXIT.failed,
  'account-without-alias': EXIT.failed,
  'files-exist': EXIT.failed,
  'held-back': EXIT.blocked,
  'import-disturbs': EXIT.failed,
  'import-not-loadable': EXIT.failed,
  'stale-plan': EXIT.blocked,
} as const satisfies Record<ReconcileCode, ExitCode>;

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
  if (error instanceof LockLostError)
    return {
      ...failure(
        'lease-lost',
        `Not sent, because this run lost the lease: ${error.message}.`,
        'Wait for the other run to finish, then run the command again.',
      ),
      exitCode: EXIT.partly,
    };
  if (error instanceof OthersRequestError)
    return {
      ...failure('ledger-changed', `Not sent, because ${error.message}.`, error.next),
      exitCode: EXIT.blocked,
    };
  if (error instanceof LedgerError)
    return failure('ledger-error', `Not sent, because ${error.message}.`, error.next);
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
