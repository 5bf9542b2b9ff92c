import type { Files } from '../../domain/ports.ts';
import { objectKey, type Knowledge } from '../../domain/knowledge.ts';
import { loadDeclared, type LoadOptions } from '../../workspace/load.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Draft } from './draft.ts';
import type { LiveObject } from './file-edits.ts';

/** The files of the draft that `files:` does not find: what they hold is not declared. */
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
 * Tells the ledger which live objects are declared now, so that later changes of them need no `--allow adopt`. Not to
 * be called for files that are not read: what is ours and in no file may be pruned.
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
    // That a person stopped it must not be forgotten for it, and what was sent once must (decision 6).
    const stopped = known?.pausedFor === 'by_hand';
    if (stopped && !(known.ours && changed)) continue;
    const seen = { account, account_id: accountId, kind, name, live_id: liveId };
    await ledger.sawAsDeclared({ ...seen, ...(changed ? { changed } : {}), ...(stopped ? { stopped } : {}) });
  }
}

/** What is known once the ledger has learned that somebody else changed these. */
export function withChanges(knowledge: Knowledge, refreshed: readonly LiveObject[]): Knowledge {
  const objects = new Map(knowledge.objects);
  for (const { accountId, kind, liveId, changed } of refreshed) {
    const key = objectKey(accountId, kind, liveId);
    const known = objects.get(key);
    if (changed && known !== undefined)
      objects.set(key, { ...known, contentDigest: null, hiddenDigest: null, listIds: null, media: null });
  }
  return { ...knowledge, objects };
}
