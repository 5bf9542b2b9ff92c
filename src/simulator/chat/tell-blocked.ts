import type { AccountState } from '../state.ts';
import type { TimerOf } from '../timers.ts';
import { emitEvent } from '../webhooks/emit.ts';
import type { World } from '../world.ts';

/**
 * Sends the event of a message that the guard stopped (EVENT-5). `user_id` is null, because a key wrote it. A mode
 * decides whether the event has the `send_id` (EVENT-3).
 */
export function sendBlockedEvent(
  world: World,
  account: AccountState,
  { id, chat_id, key }: TimerOf<'chat_blocked'>,
): void {
  emitEvent(world, account, 'firewall.message_guard.violation.svc_api', {
    user_id: null,
    svc_api_token_id: BigInt(key),
    ...(world.modes.webhookSendId === 'present' ? { send_id: id } : {}),
    chat_id,
  });
}
