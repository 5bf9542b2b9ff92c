import type { Change, Queued, StepKind } from '../domain/change.ts';
import type { CampaignReply } from '../domain/replies.ts';
import type { Observed } from '../domain/resource.ts';

/** What of a campaign is still queued; null for nothing, or where the service does not show it (CONTENT-26). */
export function queuedOf(live: CampaignReply): Queued | null {
  const targeted = live.targeted_sends_count;
  const sent = live.first_message_stats?.sent_messages_count;
  if (!Number.isInteger(targeted) || !Number.isInteger(sent)) return null;
  if (targeted == null || sent == null || targeted <= sent) return null;
  return { live_id: live.id, about: targeted - sent, targeted, sent };
}

/** `about 120 sends are still queued (500 targeted, 380 sent)`. */
export function queuedWords({ about, targeted, sent }: Queued): string {
  const sends = about === 1 ? '1 send is' : `${about} sends are`;
  return `about ${sends} still queued (${targeted} targeted, ${sent} sent)`;
}

/** A change that stops campaigns tells what they have still queued, and what becomes of it. */
export function sayQueued(change: Change, observedOf: (id: string) => Observed | undefined): Change {
  if (change.address.kind !== 'campaign') return change;
  const queued = [...stopped(change)].flatMap(([id, clears]) => {
    const object = observedOf(id);
    const found = object?.kind === 'campaign' ? queuedOf(object.live) : null;
    return found === null ? [] : [{ found, words: `${id}: ${queuedWords(found)}. ${FATES[clears]}` }];
  });
  if (queued.length === 0) return change;
  return {
    ...change,
    reasons: [...change.reasons, ...queued.map(({ words }) => words)],
    queued: queued.map(({ found }) => found),
  };
}

const FATES = {
  cleared: 'The queue is cleared.',
  kept: 'Do not count on them: the campaign keeps them while it is paused, and the service clears them when it archives it after 7 days.',
  allowed: 'They wait or are lost after that.',
} as const;

/** What happens to the queue of each campaign that a step stops. An archive comes after the pause. */
const STOPS: Partial<Record<StepKind, 'cleared' | 'kept'>> = {
  pause: 'kept',
  archive: 'cleared',
  recall: 'cleared',
};

function stopped({ action, steps, live_id: liveId, needs }: Change): ReadonlyMap<string, keyof typeof FATES> {
  const fates = new Map<string, keyof typeof FATES>();
  for (const { kind, live_id: id } of steps) {
    const fate = STOPS[kind];
    if (fate !== undefined && id !== null) fates.set(id, fate);
  }
  if (liveId === null || fates.has(liveId)) return fates;
  // The create of a replace is still owed: its old version is paused already.
  if (action === 'replace') fates.set(liveId, 'kept');
  if (action === 'blocked' && needs.length > 0) fates.set(liveId, 'allowed');
  return fates;
}
