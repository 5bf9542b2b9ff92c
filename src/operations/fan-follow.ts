import type { Reply } from '../api/catalogue.ts';
import type { Problem } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { Act } from '../ledger/acts.ts';
import { LedgerError } from '../ledger/ledger-errors.ts';
import { ageInThisRun, ageFromLedger } from './age.ts';
import { conclusion } from '../requests/conclusion.ts';
import type { FanPlace, FanPorts } from './fan-acts.ts';
import { waitOut } from '../requests/settle-window.ts';
import { recordedAct, unlessStopped, type Acted, whyNotCarriedOut } from './recorded-act.ts';
import { ensureAgesKnown } from '../live/hear-clock.ts';

const FOLLOW = 'fans.follow';

export type FanSubscription = Reply<typeof FOLLOW>;

export type Followed =
  /** `repeated`: an answer before this one was lost, or could not be read. */
  | { readonly kind: 'following'; readonly subscription: FanSubscription; readonly repeated: boolean }
  /** A success was heard, and no answer said of what. */
  | { readonly kind: 'accepted' }
  /** An answer that says that the account does not follow the fan. */
  | { readonly kind: 'denied'; readonly subscription: FanSubscription }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'unknown'; readonly problem: Problem };

/** What the ledger says of earlier requests for the same fan. */
export interface EarlierFollows {
  /** Those that are unconfirmed. */
  readonly open: readonly Act[];
  /** Whether a line cannot be read: it may be about another one. */
  readonly mayHideOne: boolean;
}

/**
 * Makes the account follow the fan. Following a fan again changes nothing, so a repeat is harmless once the first
 * request can no longer succeed: two first-time follows never run in parallel, and at most one is charged (LOST-12).
 *
 * | first \ second                | says what it is | says nothing | no, or not heard |
 * |-------------------------------|-----------------|--------------|------------------|
 * | heard, with its subscription  | not sent        |              |                  |
 * | heard, its body unreadable    | following       | accepted     | accepted         |
 * | not heard                     | following       | accepted     | unknown          |
 * | did not act                   | not sent        |              |                  |
 *
 * Herald waits out the windows of earlier requests first. The answer to this one resolves them.
 */
export async function followFan(
  ports: FanPorts,
  place: FanPlace,
  { open, mayHideOne }: EarlierFollows,
): Promise<Followed> {
  if (open.length > 0) await ensureAgesKnown(ports.client);
  const agesMs = open.map((act) => ageFromLedger(ports, act.unconfirmed ?? act, act.entry));
  // Of a request that cannot be read nothing is known: it may have left just now.
  const youngestMs = mayHideOne ? 0 : Math.min(...agesMs);
  if (!(await waitOut(ports, youngestMs))) return { kind: 'interrupted' };
  const first = await followOnce(ports, place);
  const followed = await conclude(ports, place, first);
  if (followed.kind === 'following' || followed.kind === 'accepted')
    for (const { entry } of open) await ports.ledger.conclude(entry, ADOPTED);
  return followed;
}

async function conclude(
  ports: FanPorts,
  place: FanPlace,
  { entry, exchange: first }: Acted<typeof FOLLOW>,
): Promise<Followed> {
  if (first.kind !== 'done' && first.kind !== 'unknown') return whyNotCarriedOut(first);
  if (first.kind === 'done' && says(first.reply)) return understood(first.reply, false);
  const settled = await waitOut(ports, ageInThisRun(ports, entry, first.sentAtMs));
  const second = settled ? await followOnRecord(ports, place) : null;
  if (second?.kind === 'done') {
    await ports.ledger.conclude(entry, second.reply.subscribed === false ? NOT_FOLLOWED : ADOPTED);
    return says(second.reply) ? understood(second.reply, true) : { kind: 'accepted' };
  }
  if (first.kind === 'done') return { kind: 'accepted' };
  return { kind: 'unknown', problem: first.problem };
}

const ADOPTED = conclusion('adopted', 'a later answer shows the subscription');

const NOT_FOLLOWED = conclusion('refused', 'a later answer says subscribed: false');

/** Null if the second act could not be recorded, so nothing was sent; the first stays unconfirmed. */
async function followOnRecord(ports: FanPorts, place: FanPlace): Promise<Exchange<FanSubscription> | null> {
  try {
    return (await followOnce(ports, place)).exchange;
  } catch (error) {
    if (error instanceof LedgerError) return null;
    throw error;
  }
}

function followOnce(ports: FanPorts, { account, fanId }: FanPlace): Promise<Acted<typeof FOLLOW>> {
  const act = {
    operation: FOLLOW,
    account: account.alias,
    account_id: account.accountId,
    subject: `fan ${fanId}`,
    details: { fan_id: fanId },
  } as const;
  return recordedAct(ports, FOLLOW, () => act, {
    input: { params: { account_id: account.accountId, fan_id: fanId } },
    remember: ({ subscribed }) =>
      subscribed === false ? { outcome: 'refused', message: 'answered subscribed: false' } : {},
    beforeSend: unlessStopped(ports.stop),
  });
}

function says({ subscribed }: FanSubscription): boolean {
  return typeof subscribed === 'boolean';
}

function understood(subscription: FanSubscription, repeated: boolean): Followed {
  if (subscription.subscribed === false) return { kind: 'denied', subscription };
  return { kind: 'following', subscription, repeated };
}
