import type { Repository } from '../domain/git.ts';
import { declaredIn } from '../library/local-media.ts';
import { changedAddresses, type DeclaredFiles } from './changed-addresses.ts';
import type { ScopePorts } from './scope-changed.ts';

/**
 * The commit that is checked out, if it declares exactly what the files do. Null if it does not: then the files have changes
 * that are in no commit. Git itself could only compare the working tree with its filters, and Git runs those as programs.
 */
export async function checkedOutCommit(
  ports: ScopePorts,
  repository: Repository,
  files: DeclaredFiles,
): Promise<string | null> {
  const commit = await repository.commitOf('HEAD');
  if (commit === null) return null;
  const loaded = await declaredIn(await repository.treeOf(commit), ports);
  if (loaded.kind === 'invalid') return null;
  const changed = changedAddresses(loaded, files);
  return changed.kind === 'addresses' && changed.addresses.length === 0 ? commit : null;
}
