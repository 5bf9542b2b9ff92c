import { followFan } from '../../acts/fans.ts';
import type { Reply } from '../../api/catalogue.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { fanFlags, fanWords, sendToFans } from '../../cli/fans.ts';
import { shown, visible } from '../../domain/visible.ts';
import { cellText } from '../../render/values.ts';

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
      warning: 'Following a fan may cost money; the service does not show the price in advance.',
      columns: [],
      makeItem: (place, fan) => {
        const { findDone, send } = followFan(place);
        return {
          title: `Follow ${fan}`,
          about: { fan_id: place.fanId },
          findDone,
          send: async (run) => {
            const { reply, isRepeated, unrecorded } = await send(run);
            const item = {
              subscribed: reply.subscribed,
              subscribed_at: reply.subscribed_at ?? null,
              expires_at: reply.expires_at ?? null,
              auto_renew_enabled: reply.auto_renew_enabled ?? null,
              price_gross: reply.price_gross ?? null,
              repeated: isRepeated,
            };
            const text = shown`following ${fan}: ${describeSubscription(reply)}\n`;
            return { item, text, unrecorded };
          },
        };
      },
    }),
});

/** Null means no end. A price of 0 or null means free (CHAT-12). */
function describeSubscription({
  subscribed_at: since,
  expires_at: until,
  auto_renew_enabled: renews,
  price_gross,
}: Reply<'fans.follow'>): string {
  const price = cellText(price_gross, { path: 'price_gross', as: 'money', none: 'free', zero: 'free' });
  const parts = [
    price === 'free' ? price : `${price} USD`,
    ...(since == null ? [] : [`since ${cellText(since, { path: 'subscribed_at', as: 'instant' })}`]),
    until == null ? 'without an end' : `until ${cellText(until, { path: 'expires_at', as: 'instant' })}`,
    ...(renews === true ? ['renews by itself'] : []),
  ];
  return visible(parts.join(', '));
}
