import type { Operation } from '../api/catalogue.ts';
import type { Exchange } from '../api/exchange.ts';
import type { DoFirst, Withhold } from '../api/request.ts';
import type { Clock } from '../domain/ports.ts';
import { ledgerOutcome, type StepResult } from './call-result.ts';
import { LedgerError, type Conclusion, type Intent } from '../ledger/ledger.ts';
import { FRESH_MS, type StepContext } from './step-context.ts';

/** What a call is about, beside the address of its change. */
type CallIntent = Omit<Intent, 'account' | 'account_id' | 'kind' | 'name'>;

export interface CallToRecord<Reply> {
  readonly operation: Operation;
  readonly intent: CallIntent;
  readonly send: (withhold: Withhold) => Promise<Exchange<Reply>>;
  /** Why it must not be sent after all, asked before the intent and right before the send; null to go on. */
  readonly withhold?: () => string | null;
  /** `withhold` stands before every repeat as well; else only what proves that nothing happened yet is taken back. */
  readonly withholdRepeats?: boolean;
  /** Asked before an intent that grew old is written anew: what it says now, or why nothing must be sent any more. */
  readonly renew?: () => Promise<CallIntent | string>;
  /** What the ledger keeps of the answer. */
  readonly remember?: (reply: Reply) => Partial<Conclusion>;
  /** What the ledger keeps of a refusal. */
  readonly rememberRefusal?: (
    refused: Extract<Exchange<Reply>, { readonly kind: 'refused' }>,
  ) => Partial<Conclusion>;
  /** Looks again when the exchange does not tell the end; says how it is to be taken. */
  readonly lookAgain?: (exchange: Exchange<Reply>) => Promise<Exchange<Reply>>;
}

/** How a recorded call ended: an exchange, or a reason for which nothing was sent. */
export type Recorded<Reply> = Exchange<Reply> | { readonly kind: 'not_begun'; readonly result: StepResult };

/**
 * Makes one call that changes something: waits its turn, writes down the intent, sends, writes down how it
 * ended. An answer that was not heard leaves the entry open.
 */
export function recordedCall<Reply>(
  context: StepContext,
  call: CallToRecord<Reply>,
): Promise<Recorded<Reply>> {
  return context.gates.pass(call.operation, async () => {
    const reason = call.withhold?.() ?? null;
    if (reason !== null) return notBegun({ kind: 'failed', message: reason, denied: false });
    if (mayStop(context)) return notBegun(STOPPED);
    try {
      return await intendAndSend(context, call);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return notBegun({ kind: 'failed', message: `Not sent, because ${error.message}`, denied: false });
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

/** An entry of the ledger, what it says, and when its requests left. */
interface Standing {
  readonly entry: string;
  readonly intent: CallIntent;
  readonly sends: number[];
}

/** More looks than these for one send are no use: the rate is so low that each of them is old before its turn. */
const LOOKS_MAX = 3;

/** What looking around before an intent is written anew came to; it serves as long as an intent does. */
class Look {
  readonly #renew: (() => Promise<CallIntent | string>) | undefined;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #seen: { readonly intent: CallIntent; readonly atMs: number } | null = null;
  #looks = 0;

  constructor(renew: (() => Promise<CallIntent | string>) | undefined, clock: Pick<Clock, 'monotonicMs'>) {
    this.#renew = renew;
    this.#clock = clock;
  }

  /** What is to be done before the next send; null when there is nothing to look at, or it was just looked at. */
  due(): DoFirst | null {
    const renew = this.#renew;
    if (renew === undefined || this.#looks >= LOOKS_MAX) return null;
    if (this.#seen !== null && this.#clock.monotonicMs() - this.#seen.atMs <= FRESH_MS) return null;
    return {
      first: async () => {
        this.#looks += 1;
        const intent = await renew();
        if (typeof intent === 'string') return intent;
        this.#seen = { intent, atMs: this.#clock.monotonicMs() };
        return null;
      },
    };
  }

  /** The intent as it is now, once: the next send looks for itself. */
  take(): CallIntent | null {
    const intent = this.#seen?.intent ?? null;
    this.#seen = null;
    this.#looks = 0;
    return intent;
  }
}

/** Throws `LedgerError` when an intent cannot be written: its request was not sent then. */
async function intendAndSend<Reply>(
  context: StepContext,
  call: CallToRecord<Reply>,
): Promise<Recorded<Reply>> {
  const { ledger, clock } = context;
  const intend = async (intent: CallIntent): Promise<Standing> => ({
    entry: await ledger.intend({ ...intentBase(context), ...intent }),
    intent,
    sends: [],
  });
  let standing = await intend(call.intent);
  const look = new Look(call.renew, clock);
  let sinceMs: number | null = null;
  // Only a create may be taken back after a first send: whatever made it wait proves that it was not carried out.
  const reasonNotTo = (): string | null => {
    if (standing.sends.length > 0 && call.intent.call !== 'create')
      return call.withholdRepeats === true ? (call.withhold?.() ?? null) : null;
    return call.withhold?.() ?? (mayStop(context) ? STOPPED.message : null);
  };
  const withhold: Withhold = async () => {
    const reason = reasonNotTo();
    if (reason !== null) return reason;
    const isNew = standing.sends.length === 0 || call.intent.call === 'create';
    if (isNew && ledger.ageMs(standing.entry) > FRESH_MS) {
      const due = look.due();
      if (due !== null) return due;
      await ledger.conclude(standing.entry, {
        ...NOTHING,
        live_id: call.intent.live_id,
        outcome: 'not_sent',
        message: 'another entry took its place',
      });
      const seen = look.take();
      if (seen !== null) sinceMs = null;
      standing = await intend(seen ?? standing.intent);
    } else if (standing.sends.length > 0) await ledger.leavesAgain(standing.entry);
    standing.sends.push(clock.now());
    sinceMs ??= clock.monotonicMs();
    return null;
  };
  const first = await call.send(withhold);
  const exchange = (await call.lookAgain?.(first)) ?? first;
  // To wait for a first turn belongs to the pace of every run.
  if (sinceMs !== null && clock.monotonicMs() - sinceMs > FRESH_MS) context.listIsOld = true;
  // Without an answer even the last copy may land later on, whatever a look at the object shows.
  const unheardMs = standing.sends.at(first.kind === 'unknown' ? -1 : -2) ?? null;
  await ledger.conclude(standing.entry, conclusionOf(call, exchange, unheardMs));
  const isLeft = exchange.kind === 'not_sent' && exchange.withheld && mayStop(context);
  return isLeft ? notBegun(STOPPED) : exchange;
}

const NOTHING = { created_by: null, list_ids: null, sent_at_ms: null } as const;

function conclusionOf<Reply>(
  call: CallToRecord<Reply>,
  exchange: Exchange<Reply>,
  unheardMs: number | null,
): Conclusion {
  return {
    ...NOTHING,
    live_id: call.intent.live_id,
    outcome: ledgerOutcome(exchange),
    message: exchange.kind === 'done' ? '' : exchange.problem.what,
    sent_at_ms: 'sentAtMs' in exchange ? exchange.sentAtMs : null,
    // An answer says nothing about the copies that were sent before it.
    unheard_ms: unheardMs,
    ...(exchange.kind === 'done' ? call.remember?.(exchange.reply) : {}),
    ...(exchange.kind === 'refused' ? call.rememberRefusal?.(exchange) : {}),
  };
}

function intentBase({
  change,
  account,
}: StepContext): Pick<Intent, 'account' | 'account_id' | 'kind' | 'name'> {
  const { account: alias, kind, name } = change.address;
  return { account: alias, account_id: account.accountId, kind, name };
}
