import { LedgerError } from './ledger.ts';

/** Another run may have the lock by now, so nothing more may be sent. */
export class LockLostError extends LedgerError {
  override readonly name = 'LockLostError';
}
