import { describeProblem } from '../../api/errors.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { visibleProse } from '../../domain/visible.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { unfinishedIn } from '../../ledger/unfinished.ts';
import type { NotDone } from '../../operations/raw-call/raw-call.ts';
import type { Service } from '../accounts.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { errorLine } from '../notice.ts';

/** A call that was answered, and that the answer does not confirm. The answer is printed all the same. */
export interface Unconfirmed {
  readonly exitCode: ExitCode;
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
}

/** What the ledger has about an answer with a 2xx status that is not a success. */
export async function unconfirmedBy(
  context: Context,
  service: Service,
  operation: string,
  { outcome, message, entry }: NotDone & { readonly entry: string },
): Promise<Unconfirmed> {
  if (outcome === 'refused')
    return {
      exitCode: EXIT.failed,
      code: 'not-done',
      message: `The service answered, and did not do it (${message}). ${operation} is recorded as refused.`,
      next: 'Its answer is on standard output. Check on the service what is true before you send the call again.',
    };
  return {
    exitCode: EXIT.unknown,
    code: 'unknown-outcome',
    message: `The service answered, and the answer does not say whether it did it (${message}). ${operation} is recorded as unconfirmed.`,
    next: `It may have succeeded. ${await adviceFor(context, service, entry)}`,
  };
}

/** Prints what speaks against the answer, after the answer. Returns the exit code. */
export function tellUnconfirmed(
  { output }: Context,
  { exitCode, code, message, next }: Unconfirmed,
): ExitCode {
  output.fail(errorLine(code, visibleProse(`${message} ${next}`)));
  return exitCode;
}

/** The error for a call without an answer. */
export async function unknownOutcome(
  context: Context,
  service: Service,
  { problem }: Extract<Exchange<unknown>, { kind: 'unknown' }>,
  entry: string,
): Promise<CommandError> {
  const hint = `It may have succeeded. ${await adviceFor(context, service, entry)}`;
  return new CommandError('unknown-outcome', describeProblem(problem), hint, EXIT.unknown, problem);
}

async function adviceFor(
  { state, clock }: Context,
  { client, settings }: Service,
  entry: string,
): Promise<string> {
  const known = await new LedgerReader(state.ledger, client.address).read();
  const settleMs = settings.service.settleSec * 1000;
  const unfinished = unfinishedIn(known, { nowMs: clock.now(), settleMs }).find((one) => one.entry === entry);
  return unfinished?.advice ?? 'Read the state before trying again.';
}
