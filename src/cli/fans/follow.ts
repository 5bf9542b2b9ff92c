import { describeProblem, ServiceError } from '../../api/errors.ts';
import type { Context } from '../context.ts';
import type { FanId } from '../../domain/ids.ts';
import { shown, visible } from '../../domain/visible.ts';
import { instantText as sentText } from '../../ledger/instant-text.ts';
import { earlierActs } from '../../operations/fan-acts.ts';
import { followFan, type FanSubscription, type Followed } from '../../operations/fan-follow.ts';
import { instantText, moneyText } from '../../render/cells.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, interruptedError } from '../failure.ts';
import { typedQuestion } from '../question.ts';
import { agreeTo, fanWords, withFan, type FanFlags, type FanRun } from './run.ts';
import { warningLine } from '../notice.ts';

const COST = 'Following a fan may cost money';

/** `herald fans follow`: follows a fan. Charged at most once, also after a lost answer. */
export async function fansFollowCommand(context: Context, fanId: FanId, flags: FanFlags): Promise<number> {
  return withFan(context, fanId, flags, COST, async (run) => {
    const open = earlierActs(run.lines, 'fans.follow', run.place).filter(
      ({ outcome }) => outcome === 'unknown',
    );
    for (const { sentAtMs, who } of open)
      context.output.say(
        shown`Unconfirmed: an earlier request of ${sentText(sentAtMs)} by ${who} may have succeeded. Following the same fan again costs nothing.`,
      );
    const text = shown`${COST}; the service does not show the price in advance. Follow ${fanWords(run.place)} at ${run.at}?`;
    await agreeTo(run, flags, typedQuestion(text, 'follow'));
    return report(run, await followFan(run.ports, run.place, { open, mayHideOne: run.damaged }));
  });
}

function report(run: FanRun, followed: Followed): number {
  const fan = fanWords(run.place);
  switch (followed.kind) {
    case 'following':
      print(run, followed.subscription, followed.repeated);
      return EXIT.done;
    case 'accepted':
      run.context.output.fail(
        warningLine('unclear-answer', shown`The service accepted the request, but returned no details.`),
      );
      print(run, null, true);
      return EXIT.done;
    case 'denied':
      throw new CommandError(
        'not-following',
        `The service answered that ${fan} is not followed (subscribed: false).`,
        'Check the fan on the service.',
        EXIT.failed,
        { subscription: followed.subscription },
      );
    case 'failed':
      throw new ServiceError(followed.problem);
    case 'interrupted':
      throw interruptedError();
    case 'unknown':
      throw new CommandError(
        'unknown-outcome',
        `Unconfirmed: ${fan} may be followed now, and paid for (${describeProblem(followed.problem)}).`,
        'Run the command again. The service does not charge for the same fan twice.',
        EXIT.unknown,
        followed.problem,
      );
  }
}

function print(
  { context, place, format }: FanRun,
  subscription: FanSubscription | null,
  repeated: boolean,
): void {
  if (format === 'text') {
    const words = subscription === null ? 'details unknown' : subscriptionWords(subscription);
    context.output.result(shown`following ${fanWords(place)}: ${words}\n`);
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
