import { objectKey, type KnowledgeOn, type KnownObject } from '../domain/knowledge.ts';
import { ObjectsWith } from '../domain/objects-on-record.ts';
import { UNKNOWN_SKEW_MS } from './ages.ts';
import { knownInstant } from './instant-text.ts';
import type { IntentLine } from './lines.ts';
import { hasServiceTime, writtenAtMs } from './order.ts';
import type { Reduced } from './reduced.ts';

type Reading = Pick<Reduced, 'knowledge' | 'stops' | 'saidAt'>;

/**
 * What is known, with the stops by hand that may be later than the last word on their object. An apply undoes its own stops
 * by itself, so where the order is uncertain, the stop by a person counts: `--allow resume` is the way out.
 *
 * | the times of the stop by hand and of the last word  | the last word is a stop by an apply | counts           |
 * |------------------------------------------------------|-------------------------------------|------------------|
 * | both by the service's clock                          | later                               | the last word    |
 * | one of them by its writer's clock alone              | later by less than a day            | the stop by hand |
 * | one of them by its writer's clock alone              | later by a day or more              | the last word    |
 *
 * It says nothing of what runs: a stop matters only where something is stopped.
 */
export function withUncertainStops(reading: Reading): KnowledgeOn<'record'> {
  const { knowledge } = reading;
  const stopped = new Map<string, KnownObject>();
  for (const stop of uncertainStops(reading)) {
    const key = keyOf(stop);
    const known = knowledge.objects.get(key);
    if (known === undefined) continue;
    const pausedAtMs = stop.target === 'paused' ? knownInstant(stop.sent_at_ms) : null;
    stopped.set(key, { ...known, pausedFor: 'by_hand', pausedAtMs });
  }
  if (stopped.size === 0) return knowledge;
  return { ...knowledge, objects: new ObjectsWith(knowledge.objects, stopped) };
}

/** The stops by hand that may be later than the last word, so a compaction keeps them. */
export function uncertainStops({ knowledge, stops, saidAt }: Reading): readonly IntentLine[] {
  return stops.filter((stop) => {
    const said = saidAt(keyOf(stop), 'pausedFor');
    if (said === null || (said.isByService && hasServiceTime(stop))) return false;
    const purpose = knowledge.objects.get(keyOf(stop))?.pausedFor ?? null;
    if (purpose === null || purpose === 'by_hand') return false;
    return said.ms - writtenAtMs(stop) < UNKNOWN_SKEW_MS;
  });
}

function keyOf({ account_id: accountId, kind, live_id: liveId }: IntentLine): string {
  return objectKey(accountId, kind, liveId ?? '');
}
