import { laterOf, sendTimeOf, type SendTime } from './ages.ts';
import type { ActLine, LedgerLine, OutcomeLine } from './lines.ts';
import { inOrderOfTime, sentAtServiceMs } from './order.ts';
import type { AccountId } from '../domain/ids.ts';

/** An imperative request as the ledger knows it. */
export interface Act extends SendTime {
  readonly entry: string;
  /** The catalogue's name of the call. */
  readonly operation: string;
  readonly account: string;
  readonly accountId: AccountId;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** When the last copy without an answer was sent. It may be executed late. Null if there is none. */
  readonly unconfirmed: SendTime | null;
  readonly run: string;
  /** The simulator that got the request. Missing for the service itself, and if it is not known. */
  readonly origin: string | undefined;
  readonly who: string;
  /** `unknown` if no outcome is recorded: the answer was lost, or the process died. */
  readonly outcome: OutcomeLine['outcome'];
  /** What it made, where the answer or a later look named it: an invoice, a send, a media. */
  readonly liveId: string | null;
  readonly message: string;
  /** The upload that the service could not use, where it ended like that. */
  readonly unprocessable?: string;
  /** A person has looked at it and taken the decision. */
  readonly acknowledged: boolean;
}

/** The imperative requests on record, oldest first. Lines merged from two branches may stand twice and in any order. */
export function actsOf(lines: readonly LedgerLine[]): readonly Act[] {
  const acts = new Map<string, Act>();
  for (const line of lines) if (line.type === 'act') acts.set(line.entry, begun(line));
  for (const line of inOrderOfTime(lines)) {
    if (line.type !== 'outcome' && line.type !== 'acknowledged') continue;
    const act = acts.get(line.entry);
    if (act !== undefined) acts.set(line.entry, { ...act, ...later(act, line) });
  }
  return [...acts.values()].toSorted((left, right) => sentAtServiceMs(left) - sentAtServiceMs(right));
}

function begun(line: ActLine): Act {
  return {
    entry: line.entry,
    operation: line.operation,
    account: line.account,
    accountId: line.account_id,
    subject: line.subject,
    details: line.details,
    ...sendTimeOf(line),
    unconfirmed: sendTimeOf(line),
    run: line.run,
    origin: line.origin,
    who: line.who,
    outcome: 'unknown',
    liveId: null,
    message: '',
    acknowledged: false,
  };
}

/** A known outcome is never replaced by a line with an unknown one. */
function later(act: Act, line: Extract<LedgerLine, { type: 'outcome' | 'acknowledged' }>): Partial<Act> {
  if (line.type === 'acknowledged') return { acknowledged: true, message: line.because ?? act.message };
  const { skew_ms } = line;
  const sent = line.sent_at_ms === null ? act : sendTimeOf({ sent_at_ms: line.sent_at_ms, skew_ms });
  const unconfirmed = line.unheard_ms === null ? null : sendTimeOf({ sent_at_ms: line.unheard_ms, skew_ms });
  if (line.outcome === 'unknown') {
    if (act.outcome !== 'unknown') return {};
    const { sentAtMs, skewMs } = laterOf(act, sent);
    return {
      sentAtMs,
      skewMs,
      unconfirmed: laterOf(act.unconfirmed ?? act, unconfirmed ?? { sentAtMs, skewMs }),
      message: line.message,
    };
  }
  return {
    sentAtMs: sent.sentAtMs,
    skewMs: sent.skewMs,
    unconfirmed,
    outcome: line.outcome,
    liveId: line.live_id ?? act.liveId,
    message: line.message,
    ...(line.unprocessable === undefined ? {} : { unprocessable: line.unprocessable }),
  };
}
