import { objectKey, type KnowledgeOn, type KnownObject, type OpenEntry } from '../domain/knowledge.ts';
import { ObjectsWith } from '../domain/objects-on-record.ts';
import { stopsSending } from '../domain/status.ts';
import { sendTimeOf, surelySentBefore, UNKNOWN_SKEW_MS } from './ages.ts';
import { knownInstant } from './instant-text.ts';
import type { IntentLine } from './lines.ts';
import { hasServiceTime, isKnownLater, ORDER_ERROR_MS, writtenAtMs } from './order.ts';
import type { Reduced } from './reduced.ts';

type Reading = Pick<Reduced, 'knowledge' | 'stops' | 'saidAt'>;
type ReadingOfOpen = Reading & Pick<Reduced, 'lines'>;

/**
 * What is known, with the stops by hand that may be later than the last word on their object. An apply undoes its own stops
 * by itself, so where the order is uncertain, the stop by a person counts: `--allow resume` is the way out.
 *
 * | the times of the stop by hand and of the last word  | the last word is a stop by an apply | counts           |
 * |------------------------------------------------------|-------------------------------------|------------------|
 * | both by the service's clock                          | later by less than 6 s              | the stop by hand |
 * | both by the service's clock                          | later by 6 s or more                | the last word    |
 * | one of them by its writer's clock alone              | later by less than a day            | the stop by hand |
 * | one of them by its writer's clock alone              | later by a day or more              | the last word    |
 *
 * It says nothing of what runs: a stop matters only where something is stopped.
 *
 * An unconfirmed stop by an apply is later than a stop by hand only if it began later for certain. Otherwise a person
 * stopped the same object meanwhile, and it counts as theirs, too: its copy may be the last one that arrived.
 */
export function withUncertainStops(reading: ReadingOfOpen): KnowledgeOn<'record'> {
  const knowledge = withOpenStops(reading);
  const stopped = new Map<string, KnownObject>();
  for (const stop of uncertainStops(reading)) {
    const key = keyOf(stop);
    const known = knowledge.objects.get(key);
    if (known === undefined) continue;
    const pausedAtMs = stop.target === 'paused' ? knownInstant(stop.sent_at_ms) : null;
    const pause = stop.already === true ? {} : { pausedAtMs };
    stopped.set(key, { ...known, pausedFor: 'by_hand', ...pause });
  }
  if (stopped.size === 0) return knowledge;
  return { ...knowledge, objects: new ObjectsWith(knowledge.objects, stopped) };
}

function withOpenStops({ knowledge, stops, lines }: ReadingOfOpen): KnowledgeOn<'record'> {
  if (stops.length === 0 || knowledge.open.length === 0) return knowledge;
  const begins = new Map(lines.flatMap((line) => (line.type === 'intent' ? [[line.entry, line]] : [])));
  const open = knowledge.open.map((entry): OpenEntry => {
    const begin = begins.get(entry.entry);
    if (begin === undefined || entry.call !== 'status' || !stopsSending(entry.target)) return entry;
    const left = sendTimeOf(begin);
    const isMet = stops.some(
      (stop) =>
        keyOf(stop) === keyOf(begin) &&
        (isKnownLater(stop, begin) || !surelySentBefore(sendTimeOf(stop), left)),
    );
    return isMet ? { ...entry, purpose: 'by_hand' } : entry;
  });
  return { ...knowledge, open };
}

/** The stops by hand that may be later than the last word, so a compaction keeps them. */
export function uncertainStops({ knowledge, stops, saidAt }: Reading): readonly IntentLine[] {
  return stops.filter((stop) => {
    const said = saidAt(keyOf(stop), 'pausedFor');
    if (said === null) return false;
    const purpose = knowledge.objects.get(keyOf(stop))?.pausedFor ?? null;
    if (purpose === null || purpose === 'by_hand') return false;
    const laterMs = said.ms - writtenAtMs(stop);
    if (!said.isByService || !hasServiceTime(stop)) return laterMs < UNKNOWN_SKEW_MS;
    // A stop that is later and has no last word was not carried out.
    return laterMs >= 0 && laterMs < ORDER_ERROR_MS;
  });
}

function keyOf({ account_id: accountId, kind, live_id: liveId }: IntentLine): string {
  return objectKey(accountId, kind, liveId ?? '');
}
