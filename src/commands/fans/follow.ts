import { describeFan, followFan, type FanPlace, type FanSubscription } from '../../acts/fans.ts';
import { openService, sayService } from '../../cli/accounts.ts';
import { sendItems, type ActItem } from '../../cli/act-run.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { fanFlags, fanWord, placeFans, readFans } from '../../cli/fan-list.ts';
import { lockTimeoutFlag, yesFlag } from '../../cli/flags.ts';
import { warningLine } from '../../cli/notice.ts';
import { requireAnswer, requireYes, typedQuestion } from '../../cli/question.ts';
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
  words: { fan: fanWord },
  flags: { ...fanFlags, yes: yesFlag, lockTimeout: lockTimeoutFlag },
  needs: 'nothing',
  run: async (context, given) => {
    const fans = await readFans(context, given, []);
    requireAnswer(context, given.yes, COST);
    const service = await openService(context);
    const placed = await placeFans(service, fans);
    const at = sayService(context, service);
    const items = placed.map(({ place }) => followItem(context, place, at));
    const wanted = String(items.length);
    const text = shown`${COST}; the service does not show the price in advance. Follow these ${wanted} fans at ${at}?`;
    const question = given.yes ? null : typedQuestion(text, `follow ${wanted} fans`, wanted);
    return sendItems(context, service, { command: 'fans follow', items, question });
  },
});

function followItem(context: Context, place: FanPlace, at: string): ActItem {
  const { account, fanId } = place;
  const about = { account: account.alias, account_id: account.accountId, fan_id: fanId };
  const text = shown`${COST}; the service does not show the price in advance. Follow ${describeFan(place)} at ${at}?`;
  const ask = () => requireYes(context, typedQuestion(text, 'follow'), 'Nothing was sent.');
  return {
    account,
    title: describeFan(place),
    about,
    send: async (run, isAgreed) => {
      const { subscription, isRepeated, unrecorded } = await followFan(run, place, isAgreed ? null : ask);
      if (subscription === null)
        context.output.fail(
          warningLine('unclear-answer', shown`The service accepted the request, but returned no details.`),
        );
      const item = {
        ...about,
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
}

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
