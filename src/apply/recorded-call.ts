import type { Operation } from '../api/catalogue.ts';
import type { Exchange } from '../api/exchange.ts';
import type { Withhold } from '../api/request.ts';
import { ledgerOutcome, type StepResult } from './call-result.ts';
import { LedgerError, type Conclusion, type Intent } from '../ledger/ledger.ts';
import type { StepContext } from './step-context.ts';

export interface CallToRecord<Reply> {
  readonly operation: Operation;
  readonly intent: Omit<Intent, 'account' | 'account_id' | 'kind' | 'name'>;
  readonly send: (withhold: Withhold) => Promise<Exchange<Reply>>;
  /** Why it must not be sent after all, asked before the intent and right before the send; null to go on. */
  readonly withhold?: () => string | null;
  /** What the ledger keeps of the answer. */
  readonly remember?: (reply: Reply) => Partial<Conclusion>;
  /** Looks again when the exchange does not tell the end; says how it is to be taken. */
  readonly lookAgain?: (exchange: Exchange<Reply>) => Promise<Exchange<Reply>>;
}

/** How a recorded call ended: an exchange, or a reason for which nothing was sent. */
export type Recorded<Reply> = Exchange<Reply> | { readonly kind: 'not_begun'; readonly result: StepResult };

/** An intent older than this when its request is about to leave is written anew: waits for a 429 take longer. */
const INTENT_FRESH_MS = 5_000;
const INTENTS_MAX = 100;

/**
 * Makes one call that changes something: waits its turn, writes down the intent, sends, writes down how it
 * ended. An answer that was not heard leaves the entry open.
 */
export function recordedCall<Reply>(
  context: StepContext,
  call: CallToRecord<Reply>,
): Promise<Recorded<Reply>> {
  return context.gates.pass(call.operation, async () => {
    for (let intents = 1; ; intents += 1) {
      const reason = call.withhold?.() ?? null;
      if (reason !== null) return notBegun({ kind: 'failed', message: reason, denied: false });
      if (mayStop(context)) return notBegun(STOPPED);
      const attempt = await attemptOnce(context, call, intents < INTENTS_MAX);
      if (attempt !== 'stale') return attempt;
    }
  });
}

const STOPPED = { kind: 'stopped', message: 'interrupted before it was sent' } as const;

function notBegun(result: StepResult): { kind: 'not_begun'; result: StepResult } {
  return { kind: 'not_begun', result };
}

/** A change of which something is done already is brought to its end; only one not begun may be left. */
function mayStop({ stop, begun }: StepContext): boolean {
  return stop.aborted && !begun;
}

async function attemptOnce<Reply>(
  context: StepContext,
  call: CallToRecord<Reply>,
  refresh: boolean,
): Promise<Recorded<Reply> | 'stale'> {
  const { ledger, clock } = context;
  let entry: string;
  try {
    entry = await ledger.intend({ ...intentBase(context), ...call.intent });
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return notBegun({ kind: 'failed', message: `Not sent, because ${error.message}`, denied: false });
  }
  const intendedMs = clock.monotonicMs();
  let stale = false;
  const sends: number[] = [];
  // Only a create may be taken back after a first send: whatever made it wait proves that it was not carried out.
  const withhold = (): string | null => {
    if (sends.length > 0 && call.intent.call !== 'create') {
      sends.push(clock.now());
      return null;
    }
    stale = refresh && clock.monotonicMs() - intendedMs > INTENT_FRESH_MS;
    const reason = call.withhold?.() ?? (mayStop(context) ? STOPPED.message : null);
    if (reason === null && !stale) sends.push(clock.now());
    return reason ?? (stale ? 'its intent was too old' : null);
  };
  const first = await call.send(withhold);
  const exchange = (await call.lookAgain?.(first)) ?? first;
  const reply = exchange.kind === 'done' ? (call.remember?.(exchange.reply) ?? {}) : {};
  await ledger.conclude(entry, {
    outcome: ledgerOutcome(exchange),
    live_id: call.intent.live_id,
    created_by: null,
    list_ids: null,
    message: exchange.kind === 'done' ? '' : exchange.problem.what,
    sent_at_ms: 'sentAtMs' in exchange ? exchange.sentAtMs : null,
    // An answer says nothing about the copies that were sent before it.
    unheard_ms: sends.at(exchange.kind === 'unknown' ? -1 : -2) ?? null,
    ...reply,
  });
  if (exchange.kind !== 'not_sent' || !exchange.withheld) return exchange;
  if (mayStop(context)) return notBegun(STOPPED);
  return stale && (call.withhold?.() ?? null) === null ? 'stale' : exchange;
}

function intentBase({
  change,
  account,
}: StepContext): Pick<Intent, 'account' | 'account_id' | 'kind' | 'name'> {
  const { account: alias, kind, name } = change.address;
  return { account: alias, account_id: account.accountId, kind, name };
}
