import { objectKey, type KnowledgeOn, type KnownObject } from '../domain/knowledge.ts';
import { ObjectsWith } from '../domain/objects-on-record.ts';
import { effectsOf } from './effects.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import { reduceLedger, update } from './reduce.ts';
import type { Reduced } from './reduced.ts';

/**
 * What would be known if these lines stood at the end of the ledger: ends of entries that are open, and sights. None
 * of them is older than the last line of the ledger.
 */
export function knowledgeWith(
  { knowledge, lines }: Reduced,
  added: readonly LedgerLine[],
): KnowledgeOn<'record'> {
  if (added.length === 0) return knowledge;
  const isOpen = new Set(knowledge.open.map(({ entry }) => entry));
  const all = [...lines.filter((line) => 'entry' in line && isOpen.has(line.entry)), ...added];
  const intents = new Map<string, IntentLine>();
  for (const line of all) if (line.type === 'intent') intents.set(line.entry, line);
  const changed = new Map<string, KnownObject>();
  for (const line of added)
    for (const effect of effectsOf(line, intents)) {
      const key = objectKey(effect.accountId, effect.kind, effect.id);
      const known = changed.get(key) ?? knowledge.objects.get(key);
      if (known !== undefined) changed.set(key, known);
      update(changed, effect);
    }
  const objects = new ObjectsWith(knowledge.objects, changed);
  const { open, creators } = reduceLedger(all);
  return { ...knowledge, objects, open, creators: new Set([...knowledge.creators, ...creators]) };
}
