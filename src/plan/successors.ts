import type { AccountId } from '../domain/ids.ts';
import { objectKey, type Knowledge } from '../domain/knowledge.ts';
import type { Kind } from '../domain/resource.ts';

/** One live object of a list. */
interface Place {
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly live: { readonly id: string };
}

/**
 * Keys of the objects and of all that replaced them, one after the other, under whatever name and also where the list
 * does not show it.
 */
export function withSuccessors(
  objects: readonly Place[],
  knowledge: Pick<Knowledge, 'objects'>,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { accountId, kind, live } of objects) {
    let id: string | null = live.id;
    // Joined ledgers may lead in a circle.
    while (id !== null && !keys.has(objectKey(accountId, kind, id))) {
      const key: string = objectKey(accountId, kind, id);
      keys.add(key);
      id = knowledge.objects.get(key)?.supersededBy ?? null;
    }
  }
  return keys;
}
