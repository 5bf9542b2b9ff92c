import type { Files } from '../domain/ports.ts';
import { objectKey, type Knowledge, type KnownObject } from '../domain/knowledge.ts';
import { ObjectsWith } from '../domain/objects-on-record.ts';
import { loadDeclared, type LoadOptions } from '../workspace/load.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Draft } from './draft.ts';
import type { LiveObject } from './file-edits.ts';

/** Files of the draft that `files:` does not include, so their resources are not declared. */
export async function filesNotRead(
  files: Files,
  options: LoadOptions,
  { resourceFiles }: Draft,
): Promise<readonly string[]> {
  if (resourceFiles.length === 0) return [];
  const loaded = await loadDeclared(files, options);
  const read = new Set(loaded.kind === 'loaded' ? loaded.workspace.files : []);
  return resourceFiles.filter((path) => !read.has(path));
}

/**
 * Records which live objects are declared now, so that later changes of them do not need `--allow adopt`. Do not call
 * it for files that are not included: owned, unmanaged objects may be pruned.
 */
export async function adopt(
  ledger: Ledger,
  knowledge: Knowledge,
  { importables, refreshed }: Draft,
): Promise<void> {
  const imported = importables.map((one) => ({ ...one, changed: false }));
  for (const { account, accountId, kind, name, liveId, changed } of [...imported, ...refreshed]) {
    const known = knowledge.objects.get(objectKey(accountId, kind, liveId));
    if (known?.ours === true && known.name === name && !changed) continue;
    // Keep that a person stopped it, and forget what was sent once (decision 6).
    const stopped = known?.pausedFor === 'by_hand';
    if (stopped && !(known.ours && changed)) continue;
    const seen = { account, account_id: accountId, kind, name, live_id: liveId };
    await ledger.sawAsDeclared({ ...seen, ...(changed ? { changed } : {}), ...(stopped ? { stopped } : {}) });
  }
}

/** The knowledge after the ledger has recorded that someone else changed these. */
export function withChanges(knowledge: Knowledge, refreshed: readonly LiveObject[]): Knowledge {
  const changed = new Map<string, KnownObject>();
  for (const { accountId, kind, liveId, changed: isChanged } of refreshed) {
    const key = objectKey(accountId, kind, liveId);
    const known = changed.get(key) ?? knowledge.objects.get(key);
    if (isChanged && known !== undefined)
      changed.set(key, { ...known, contentDigest: null, hiddenDigest: null, listIds: null, media: null });
  }
  return { ...knowledge, objects: new ObjectsWith(knowledge.objects, changed) };
}
