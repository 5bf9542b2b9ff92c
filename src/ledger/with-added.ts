import { objectKey, type KnowledgeOn, type KnownObject } from '../domain/knowledge.ts';
import { ObjectsWith } from '../domain/objects-on-record.ts';
import { effectsOf, type Effect } from './effects.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import type { Field } from './object-fields.ts';
import type { SaidAt } from './object-times.ts';
import { reduceLedger, update } from './reduce.ts';
import type { Reduced } from './reduced.ts';
import { withUncertainStops } from './uncertain-stops.ts';
import { saidIn, wordIn } from './word-times.ts';

/**
 * What would be known if these lines stood at the end of the ledger: ends of entries that are open, and sights. None
 * of them is older than the last line of the ledger, but what one says may be: a stop by an apply counts from when it was
 * announced, and a person may have stopped the object since.
 */
export function knowledgeWith(reading: Reduced, added: readonly LedgerLine[]): KnowledgeOn<'record'> {
  const { knowledge, lines, stops } = reading;
  if (added.length === 0) return knowledge;
  const isOpen = new Set(knowledge.open.map(({ entry }) => entry));
  const all = [...lines.filter((line) => 'entry' in line && isOpen.has(line.entry)), ...added];
  const intents = new Map<string, IntentLine>();
  for (const line of all) if (line.type === 'intent') intents.set(line.entry, line);
  const changed = new Map<string, KnownObject>();
  const stopped = new Map<string, SaidAt>();
  for (const line of added) {
    const word = wordIn(line, 'entry' in line ? intents.get(line.entry) : undefined, saidIn(line, 0));
    for (const effect of effectsOf(line, intents)) {
      const key = objectKey(effect.accountId, effect.kind, effect.id);
      const known = changed.get(key) ?? knowledge.objects.get(key);
      if (known !== undefined) changed.set(key, known);
      const parts = partsThatHold(effect, word, (field) => reading.saidAt(key, field));
      update(changed, { ...effect, parts });
      if ('pausedFor' in parts) stopped.set(key, word);
    }
  }
  const objects = new ObjectsWith(knowledge.objects, changed);
  const { open, creators } = reduceLedger(all);
  return withUncertainStops({
    knowledge: { ...knowledge, objects, open, creators: new Set([...knowledge.creators, ...creators]) },
    stops,
    lines: all,
    saidAt: (key, field) =>
      (field === 'pausedFor' ? stopped.get(key) : undefined) ?? reading.saidAt(key, field),
  });
}

/** What an effect says of the fields on which the ledger has no later word. */
function partsThatHold(
  { parts }: Effect,
  { ms }: SaidAt,
  saidAt: (field: Field) => SaidAt | null,
): Partial<KnownObject> {
  return Object.fromEntries(
    Object.entries(parts).filter(([field]) => (saidAt(field as Field)?.ms ?? ms) <= ms),
  );
}
