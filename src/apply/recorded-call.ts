import type { Operation } from '../api/catalogue.ts';
import type { Exchange } from '../api/exchange.ts';
import type { BeforeSend } from '../api/request.ts';
import { elapsedMs, momentOf, type Moment } from '../domain/elapsed.ts';
import { startsSending } from '../domain/status.ts';
import type { Conclusion, Intent } from '../ledger/ledger.ts';
import { FRESH_MS, LedgerError } from '../ledger/ledger-errors.ts';
import { isSentAtOnce, planningCommand } from '../domain/creating-command.ts';
import { contentDigest } from '../domain/media.ts';
import type { PlannedWrite } from '../ledger/stops.ts';
import type { FreshReading } from '../requests/fresh-reading.ts';
import { sendRecorded } from '../requests/send-recorded.ts';
import type { StepResult } from './call-result.ts';
import { LookBeforeSend } from './look-before-send.ts';
import type { StepContext } from './step-context.ts';

/** The subject of a call, without the address of its change. */
export type CallIntent = Omit<Intent, 'account' | 'account_id' | 'kind' | 'name'>;

export interface CallToRecord<Reply> {
  readonly operation: Operation;
  readonly intent: CallIntent;
  /** Sends what has passed the bounds of its call: a request that cannot be built leaves no intent. */
  readonly send: (beforeSend: BeforeSend) => Promise<Exchange<Reply>>;
  /** Why it must not be sent after all, asked before the intent and right before the send; null to go on. */
  readonly beforeSend?: () => string | null;
  /** Asks `beforeSend` before every repeat. Without it, a repeat is stopped only if no earlier copy can have been executed. */
  readonly withholdRepeats?: boolean;
  /** Why a request of which nothing was heard must not be repeated any more; null to go on. */
  readonly endRepeats?: () => string | null;
  /** Looks at the object before the intent, and again before a copy that leaves long after that: why it must not be sent. */
  readonly lookFirst?: (mayBeDone: boolean) => Promise<Failed | null>;
  /** What the intent goes by, for one that a later reading changes. */
  readonly goesBy?: FreshReading<CallIntent>;
  /** What the ledger keeps of the answer. */
  readonly remember?: (reply: Reply) => Partial<Conclusion>;
  /** What the ledger keeps of a refusal. */
  readonly rememberRefusal?: (
    refused: Extract<Exchange<Reply>, { readonly kind: 'refused' }>,
  ) => Partial<Conclusion>;
  /** Looks again when the exchange does not tell the end; says how it is to be taken. */
  readonly confirm?: (exchange: Exchange<Reply>) => Promise<Exchange<Reply>>;
}

type Failed = Extract<StepResult, { readonly kind: 'failed' }>;

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
  return context.queue.run(call.operation, async () => {
    const reason =
      (await context.ledger.stopAgainst(writeOf(context, call.intent))) ?? call.beforeSend?.() ?? null;
    if (reason !== null) return notBegun({ kind: 'failed', message: reason, denied: false });
    if (mayStop(context)) return notBegun(STOPPED);
    const look = new LookBeforeSend(call.lookFirst, context.clock);
    const seen = await look.now(false);
    if (seen !== null) return notBegun(seen);
    try {
      return await intendAndSend(context, call, look);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return notBegun({ kind: 'failed', message: `Not sent, because ${error.message}`, denied: false });
    }
  });
}

/** The call as a stop by a person during this run can forbid it. */
function writeOf({ account, change, declared }: StepContext, intent: CallIntent): PlannedWrite {
  const { kind, name } = change.address;
  return {
    accountId: account.accountId,
    kind,
    name,
    liveId: intent.live_id,
    starts: intent.call === 'create' || startsSending(intent.target),
    recalls: intent.call === 'unsend',
    group: [change, ...change.steps].flatMap(({ live_id: id }) => (id === null ? [] : [id])),
    content: intent.content ?? (declared === null ? null : contentDigest(declared.content)),
    planning: isSentAtOnce(declared) ? planningCommand(declared) : undefined,
  };
}

const STOPPED = { kind: 'stopped', message: 'interrupted before it was sent' } as const;

function notBegun(result: StepResult): { kind: 'not_begun'; result: StepResult } {
  return { kind: 'not_begun', result };
}

/** A change that has begun is finished; only one that has not begun may be skipped. */
function mayStop({ stop, begun }: StepContext): boolean {
  return stop.aborted && !begun;
}

/** Throws `LedgerError` when an intent cannot be written: its request was not sent then. */
async function intendAndSend<Reply>(
  context: StepContext,
  call: CallToRecord<Reply>,
  object: LookBeforeSend<Failed>,
): Promise<Recorded<Reply>> {
  const { ledger, clock } = context;
  const { goesBy } = call;
  let since: Moment | null = null;
  let isStopped = false;
  const noteAge = () => {
    if (since === null || elapsedMs(clock, since) <= FRESH_MS) return;
    context.listIsOld = true;
    since = null;
  };
  const { exchange } = await sendRecorded<Reply>(ledger, {
    intend: () => {
      since = null;
      return ledger.intend({ ...intentBase(context), ...(goesBy?.forRecord() ?? call.intent) });
    },
    send: (beforeSend) =>
      call.send(async (earlier) => {
        const said = await beforeSend(earlier);
        // Waiting for the first slot is normal and does not make the list stale.
        if (said === null) since ??= momentOf(clock);
        return said;
      }),
    reasonNotTo: async (_, unconfirmed) => {
      const stopped = await ledger.stopAgainst(writeOf(context, call.intent));
      if (stopped !== null) return stopped;
      const reason = !unconfirmed || call.withholdRepeats === true ? (call.beforeSend?.() ?? null) : null;
      const over = unconfirmed ? call.endRepeats?.() : mayStop(context) ? STOPPED.message : null;
      // A repeat, or a first copy that could not leave for long: the look at its object looks for others, too.
      noteAge();
      return reason ?? over ?? object.due(unconfirmed);
    },
    goesBy: goesBy?.withoutFailure(),
    confirm: async (ended) => {
      const seen = (await call.confirm?.(ended)) ?? ended;
      isStopped = await ledger.stoppedMeanwhile(writeOf(context, call.intent));
      return seen;
    },
    keep: (ended) => ({
      live_id: call.intent.live_id,
      ...(isStopped ? { by_hand: true } : {}),
      ...kept(call, ended),
    }),
  });
  noteAge();
  const isLeft = exchange.kind === 'not_sent' && exchange.withheld && mayStop(context);
  return isLeft ? notBegun(STOPPED) : exchange;
}

function kept<Reply>(call: CallToRecord<Reply>, ended: Exchange<Reply>): Partial<Conclusion> {
  if (ended.kind === 'done') return call.remember?.(ended.reply) ?? {};
  return ended.kind === 'refused' ? (call.rememberRefusal?.(ended) ?? {}) : {};
}

function intentBase({
  change,
  account,
}: StepContext): Pick<Intent, 'account' | 'account_id' | 'kind' | 'name'> {
  const { account: alias, kind, name } = change.address;
  return { account: alias, account_id: account.accountId, kind, name };
}
