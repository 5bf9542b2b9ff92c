import { type FanSubscription, describeFan, followFan } from '../../acts/fans.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { type FanAct, fanFlags, fanWords, sendToFans } from '../../cli/fans.ts';
import { typedQuestion } from '../../cli/question.ts';
import { shown, visible } from '../../domain/visible.ts';
import { formatInstant } from '../../render/cells.ts';
import { formatAmount } from '../../render/values.ts';

const COST = 'Following a fan may cost money';

/** Follows fans. Each is charged at most once, also after a lost answer. */
export const follow = defineCommand({
  path: 'fans follow',
  about: 'follow a fan; may cost money, charged at most once',
  examples: [
    'herald fans follow 101001 --account alice',
    'herald fans follow --from-file fans.csv --account alice',
  ],
  words: fanWords,
  flags: fanFlags,
  needs: 'nothing',
  run: (context, given) =>
    sendToFans(context, given, {
      command: 'fans follow',
      reason: COST,
      columns: [],
      prepare: () => followOne,
      askForAll: (wanted, at) =>
        typedQuestion(askToFollow(`these ${wanted} fans`, at), `follow ${wanted} fans`, wanted),
    }),
});

function askToFollow(whom: string, at: string) {
  return shown`${COST}; the service does not show the price in advance. Follow ${whom} at ${at}?`;
}

const followOne: FanAct = {
  about: {},
  title: (fan) => fan,
  askForOne: (fan, at) => typedQuestion(askToFollow(fan, at), 'follow'),
  send: async (run, place) => {
    const { subscription, isRepeated, unrecorded } = await followFan(run, place);
    const item = {
      subscribed: subscription?.subscribed ?? null,
      subscribed_at: subscription?.subscribed_at ?? null,
      expires_at: subscription?.expires_at ?? null,
      auto_renew_enabled: subscription?.auto_renew_enabled ?? null,
      price_gross: subscription?.price_gross ?? null,
      repeated: isRepeated,
    };
    const details = subscription === null ? 'details unknown' : describeSubscription(subscription);
    return { item, text: shown`following ${describeFan(place)}: ${details}\n`, unrecorded };
  },
};

/** Null means no end. A price of 0 or null means free (CHAT-12). */
function describeSubscription(subscription: FanSubscription): string {
  const { subscribed_at: since, expires_at: until, auto_renew_enabled: renews, price_gross } = subscription;
  const parts = [
    price_gross == null || price_gross === 0 ? 'free' : `${formatAmount(price_gross)} USD`,
    ...(since == null ? [] : [`since ${formatInstant(since)}`]),
    until == null ? 'without an end' : `until ${formatInstant(until)}`,
    ...(renews === true ? ['renews by itself'] : []),
  ];
  return visible(parts.join(', '));
}
