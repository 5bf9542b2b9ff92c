import type { Rewrite } from './call.ts';
import { BY_SERVICE } from './cause.ts';
import { recordCommit } from './records.ts';
import type { Broadcast, Campaign } from './state.ts';
import { setTimer, type TimerOf } from './timers.ts';
import type { World } from './world.ts';

/** Lets the service change the text of what was created, after a while. */
export function rewriteLater(
  world: World,
  kind: 'campaign' | 'broadcast',
  { account_id, id }: { readonly account_id: string; readonly id: string },
  { rewrite }: { readonly rewrite: Rewrite | null },
): void {
  if (rewrite === null) return;
  const { after_sec, from, to } = rewrite;
  setTimer(world, world.nowMs + after_sec * 1000, {
    kind: 'late_rewrite',
    of: kind,
    account_id,
    id,
    from,
    to,
  });
}

/** The time has come. */
export function rewriteTexts(
  world: World,
  { live }: Campaign | Broadcast,
  { of, from, to }: TimerOf<'late_rewrite'>,
): void {
  for (const message of live.messages) message.text = message.text?.replaceAll(from, to) ?? null;
  recordCommit(world, BY_SERVICE, of, 'edit', live);
}
