import type { Client } from '../../api/client.ts';
import type { Context } from '../context.ts';
import type { Act } from '../../ledger/acts.ts';
import { instantText } from '../../ledger/instant-text.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Policy } from '../../domain/policy.ts';
import type { ChatPlace } from '../../operations/chat-tail.ts';
import { quoted, visible } from '../../domain/visible.ts';

/** The state of one `chat send`. */
export interface ChatRun {
  readonly context: Context;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly policy: Policy;
  readonly place: ChatPlace;
  /** Name of the service, for the question. */
  readonly at: string;
  readonly format: 'text' | 'json';
}

/** `chat 101001 of alice (account 101)` */
export function placeWords({ account: { alias, accountId }, chatId }: ChatPlace): string {
  const account = alias === accountId ? `account ${accountId}` : `${alias} (account ${accountId})`;
  return visible(`chat ${chatId} of ${account}`);
}

/** An unconfirmed earlier send, as a sentence. */
export function sendWords({ sentAtMs, who, details, entry }: Act): string {
  const beginning = details['beginning'];
  const what = typeof beginning === 'string' && beginning !== '' ? quoted(beginning) : 'media';
  return `Sent at ${instantText(sentAtMs)} by ${visible(who)}: ${what} (entry ${visible(entry)}).`;
}

/** The same for JSON. */
export function actDetails({
  entry,
  operation,
  account,
  subject,
  sentAtMs,
  who,
  outcome,
  details,
}: Act): object {
  const sent_at = instantText(sentAtMs);
  return { entry, operation, account, subject, sent_at, who, outcome, details };
}

export const LOOK_FIRST =
  'Check the chat. A message may appear minutes later, or the message guard may drop it silently. To send it after that, add --acknowledge. The same message within five minutes also needs --allow-similar.';
