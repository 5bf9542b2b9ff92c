import { ServiceError } from '../../api/errors.ts';
import { followFan, type Followed, type FanSubscription } from '../../acts/follows.ts';
import { describeFan } from '../../acts/labels.ts';
import type { FanId } from '../../domain/ids.ts';
import { shown, visible } from '../../domain/visible.ts';
import { instantText, moneyText } from '../../render/cells.ts';
import { renderJson } from '../../render/json.ts';
import { exitOfDone } from '../act-run.ts';
import type { Context } from '../context.ts';
import { warningLine } from '../notice.ts';
import { typedQuestion } from '../question.ts';
import { asking, withFan, type FanFlags, type FanRun } from './run.ts';

const COST = 'Following a fan may cost money';

/** `herald fans follow`: follows a fan. Charged at most once, also after a lost answer. */
export async function fansFollowCommand(context: Context, typed: FanId, flags: FanFlags): Promise<number> {
  return withFan(context, { typed, flags, reason: COST, command: 'fans follow' }, async (fan) => {
    const { run, place, at } = fan;
    const text = shown`${COST}; the service does not show the price in advance. Follow ${describeFan(place)} at ${at}?`;
    return report(fan, await followFan(run, place, asking(fan, flags, typedQuestion(text, 'follow'))));
  });
}

function report(fan: FanRun, followed: Followed): number {
  if (followed.kind === 'failed') throw new ServiceError(followed.problem);
  const { subscription, isRepeated, unrecorded } = followed;
  if (subscription === null)
    fan.context.output.fail(
      warningLine('unclear-answer', shown`The service accepted the request, but returned no details.`),
    );
  print(fan, subscription, isRepeated);
  return exitOfDone(fan.context, unrecorded);
}

function print(
  { context, place, format }: FanRun,
  subscription: FanSubscription | null,
  repeated: boolean,
): void {
  if (format === 'text') {
    const words = subscription === null ? 'details unknown' : subscriptionWords(subscription);
    context.output.result(shown`following ${describeFan(place)}: ${words}\n`);
    return;
  }
  const { account, fanId } = place;
  const item = {
    account: account.alias,
    account_id: account.accountId,
    fan_id: fanId,
    subscribed: subscription?.subscribed ?? null,
    subscribed_at: subscription?.subscribed_at ?? null,
    expires_at: subscription?.expires_at ?? null,
    auto_renew_enabled: subscription?.auto_renew_enabled ?? null,
    price_gross: subscription?.price_gross ?? null,
    repeated,
  };
  context.output.result(renderJson({ schema: 'herald/item/1', item }));
}

/** Null means no end. A price of 0 or null means free (CHAT-12). */
function subscriptionWords(subscription: FanSubscription): string {
  const {
    subscribed_at: since,
    expires_at: until,
    auto_renew_enabled: renews,
    price_gross: price,
  } = subscription;
  const parts = [
    price == null || price === 0 ? 'free' : `${moneyText(price)} USD`,
    since == null ? null : `since ${instantText(since)}`,
    until == null ? 'without an end' : `until ${instantText(until)}`,
    renews === true ? 'renews by itself' : null,
  ];
  return visible(parts.filter((part) => part !== null).join(', '));
}
