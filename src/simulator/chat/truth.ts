import type { Cause } from '../cause.ts';
import { isoTime } from '../records.ts';
import type { World } from '../world.ts';
import type { Chats } from './state.ts';

/** The true state of an account's chats, for tests. */
export interface ChatTruth {
  /** Every committed send of the API by chat, oldest first. More sends than requested is a double send. */
  readonly sends: Readonly<Record<string, readonly SentMessage[]>>;
  readonly labels: Chats['labels'];
  /** Every subscription that was started, oldest first. Each was charged. */
  readonly follows: readonly {
    readonly at: string;
    readonly fan_id: string;
    readonly price: number;
    readonly cause: Cause;
  }[];
}

interface SentMessage {
  readonly at: string;
  readonly send_id: string;
  readonly text: string | null;
  readonly price: number;
  readonly locked_text: boolean;
  readonly media: readonly { readonly id: string; readonly type: string; readonly is_paid: boolean }[];
  /** Stopped by the message guard. */
  readonly blocked: boolean;
  readonly cause: Cause;
}

/** By account id. */
export function chatTruth(world: World): Record<string, ChatTruth> {
  return Object.fromEntries(
    Object.entries(world.accounts).map(([id, { chats }]) => [
      id,
      { sends: sendsOf(chats), labels: chats.labels, follows: followsOf(chats) },
    ]),
  );
}

function sendsOf({ chats }: Chats): Record<string, SentMessage[]> {
  const sends: Record<string, SentMessage[]> = {};
  for (const [chatId, { written }] of Object.entries(chats)) {
    const own = written.flatMap((message) => {
      const { send_id, text, price, lockedText, media, writtenMs, blocked, cause } = message;
      if (send_id === null) return [];
      return [
        { at: isoTime(writtenMs), send_id, text, price, locked_text: lockedText, media, blocked, cause },
      ];
    });
    if (own.length > 0) sends[chatId] = own;
  }
  return sends;
}

function followsOf({ follows }: Chats): ChatTruth['follows'] {
  return follows.map(({ subscribedMs, fan_id, price, cause }) => ({
    at: isoTime(subscribedMs),
    fan_id,
    price,
    cause,
  }));
}
