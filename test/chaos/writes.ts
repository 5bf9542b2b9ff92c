import * as z from 'zod';
import type { Kind } from '../../src/domain/resource.ts';
import { findRoute } from '../../src/simulator/routing.ts';
import type { Content } from './declare.ts';

/** A request that changes something, understood. */
export type Write =
  | {
      readonly kind: 'create';
      readonly accountId: string;
      readonly of: Kind;
      /** Empty where it has none. */
      readonly name: string;
      readonly content: Content;
    }
  | {
      readonly kind: 'status';
      readonly accountId: string;
      readonly of: Kind;
      readonly id: string;
      /** As it is asked for; a recall asks for `unsend`. */
      readonly status: string;
    }
  | { readonly kind: 'upload'; readonly accountId: string }
  | { readonly kind: 'payout'; readonly accountId: string; readonly cents: number }
  | { readonly kind: 'chat'; readonly accountId: string; readonly chat: string; readonly text: string }
  | { readonly kind: 'follow' | 'label'; readonly accountId: string; readonly fan: string }
  | { readonly kind: 'other' };

const createShape = z.looseObject({
  name: z.string().nullish(),
  messages: z.array(
    z.looseObject({
      text: z.string().nullable().optional(),
      attachments: z.array(z.looseObject({ id: z.string() })).optional(),
    }),
  ),
});
const statusShape = z.looseObject({ status: z.string() });
const payoutShape = z.looseObject({ withdrawal_amount: z.number() });
const chatShape = z.looseObject({ text: z.string().nullish() });

/** What a request asks for; `shaOf` knows which bytes a media of an account has. */
export function understand(
  method: string,
  path: string,
  body: string,
  shaOf: (accountId: string, mediaId: string) => string | null,
): Write {
  const route = findRoute(method, path);
  if (route === undefined) return { kind: 'other' };
  const { operation, params } = route;
  const accountId = params['account_id'] ?? accountWith(params['platform_account_id'] ?? '');
  const [list, call] = operation.split('.');
  if (list === 'campaigns' || list === 'broadcasts') {
    const of: Kind = list === 'campaigns' ? 'campaign' : 'broadcast';
    if (call === 'create') return { kind: 'create', accountId, of, ...createOf(body, accountId, shaOf) };
    const status = call === 'unsend' ? 'unsend' : statusShape.parse(JSON.parse(body)).status;
    return { kind: 'status', accountId, of, id: params['campaign_id'] ?? '', status };
  }
  if (list === 'vault') return { kind: 'upload', accountId };
  if (list === 'payouts') {
    const cents = Math.round(payoutShape.parse(JSON.parse(body)).withdrawal_amount * 100);
    return { kind: 'payout', accountId, cents };
  }
  if (operation === 'chat.send') {
    const text = chatShape.parse(JSON.parse(body)).text ?? '';
    return { kind: 'chat', accountId, chat: params['chat_id'] ?? '', text };
  }
  const fan = params['fan_id'] ?? '';
  if (operation === 'fans.follow') return { kind: 'follow', accountId, fan };
  return operation === 'fans.label' ? { kind: 'label', accountId, fan } : { kind: 'other' };
}

function createOf(
  body: string,
  accountId: string,
  shaOf: (accountId: string, mediaId: string) => string | null,
): { readonly name: string; readonly content: Content } {
  const { name, messages } = createShape.parse(JSON.parse(body));
  const [message] = messages;
  const [shown] = message?.attachments ?? [];
  const sha256 = shown === undefined ? null : (shaOf(accountId, shown.id) ?? `unknown media ${shown.id}`);
  return { name: name ?? '', content: { text: message?.text ?? '', sha256 } };
}

/** The simulator gives each account the platform's id that is its own behind a nine. */
function accountWith(platformAccountId: string): string {
  return platformAccountId.slice(1);
}
