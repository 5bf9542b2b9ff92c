import type { CallName } from './catalogue.ts';
import type { Row } from './row.ts';
import type { PlatformAccountId } from '../domain/ids.ts';

/** A call that passed the catalogue's bounds and is ready to be sent. */
export interface BuiltCall {
  readonly operation: CallName;
  readonly row: Row;
  readonly url: string;
  /** JSON text; null where the row has no body. */
  readonly body: string | null;
  /** The platform account of payout rows, which share a bucket for each. */
  readonly platformAccountId: PlatformAccountId | null;
}
