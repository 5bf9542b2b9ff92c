import type { Rewrite } from './call.ts';
import { BY_SERVICE } from './cause.ts';
import { recordCommit } from './records.ts';
import type { Broadcast, Campaign, LiveMessage } from './state.ts';
import { setTimer, type TimerOf } from './timers.ts';
import type { World } from './world.ts';

/** Lets the service change the text of a new object after a while; after 0 seconds, in the answer already. */
export function rewriteLater(
  world: World,
  kind: 'campaign' | 'broadcast',
  { account_id, id, messages }: (Campaign | Broadcast)['live'],
  { rewrite }: { readonly rewrite: Rewrite | null },
): void {
  if (rewrite === null) return;
  const { after_sec, from, to } = rewrite;
  if (after_sec === 0) return reword(messages, rewrite);
  setTimer(world, world.nowMs + after_sec * 1000, {
    kind: 'late_rewrite',
    of: kind,
    account_id,
    id,
    from,
    to,
  });
}

export function rewriteTexts(
  world: World,
  { live }: Campaign | Broadcast,
  { of, from, to }: TimerOf<'late_rewrite'>,
): void {
  reword(live.messages, { from, to });
  recordCommit(world, BY_SERVICE, of, 'edit', live);
}

function reword(messages: LiveMessage[], { from, to }: Pick<Rewrite, 'from' | 'to'>): void {
  for (const message of messages) message.text = message.text?.replaceAll(from, to) ?? null;
}
