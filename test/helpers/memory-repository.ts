import type { Repository } from '../../src/domain/ports.ts';
import { memoryFiles, type FileTree } from '../workspace/memory-files.ts';
import { memoryBytes } from './memory-bytes.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';

/** A commit of a test, oldest first in the list. */
export interface MemoryCommit {
  readonly id: string;
  readonly parents?: readonly string[];
  readonly files: FileTree;
  /** Paths at which it has a link or a submodule. */
  readonly links?: readonly string[];
}

/** A history in memory. The last commit is checked out. It is the tip of main as well, if no other one is named. */
export function memoryRepository(commits: readonly MemoryCommit[], tip?: string): Repository {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const find = (revision: string): MemoryCommit => {
    const found = revision === 'HEAD' ? commits.at(-1) : byId.get(revision);
    if (found === undefined)
      throw new HeraldError('git-commit-missing', `Commit ${revision} is missing.`, 'Fetch it.');
    return found;
  };
  const historyOf = (revision: string): ReadonlySet<string> => {
    const history = new Set([find(revision).id]);
    // A set also goes over what is added meanwhile.
    for (const id of history) for (const parent of find(id).parents ?? []) history.add(parent);
    return history;
  };
  return {
    folder: '',
    commitOf: async (revision) =>
      revision === 'HEAD' ? find('HEAD').id : byId.has(revision) ? revision : null,
    parentsOf: async (revision) => find(revision).parents ?? [],
    fetchCommit: async (commit) => void find(commit),
    remoteTip: async (branch) => ({ branch: branch ?? 'main', commit: tip ?? find('HEAD').id }),
    mergeBase: async (left, right) => {
      const [ours, theirs] = [historyOf(left), historyOf(right)];
      return commits.findLast(({ id }) => ours.has(id) && theirs.has(id))?.id ?? null;
    },
    isAncestor: async (older, newer) => historyOf(newer).has(find(older).id),
    commitsSince: async (older, newer, max) => {
      const known = historyOf(older);
      const found: string[] = [];
      let at: string | undefined = find(newer).id;
      while (at !== undefined && !known.has(at) && found.length < max) {
        found.push(at);
        at = find(at).parents?.[0];
      }
      return found;
    },
    fileAt: async (commit, path) => {
      const { files, links = [] } = find(commit);
      if (links.includes(path)) return { kind: 'irregular' };
      const text = files[path];
      return typeof text === 'string' ? { kind: 'regular', text } : { kind: 'absent' };
    },
    treeOf: async (commit) => ({
      files: memoryFiles(find(commit).files),
      bytes: memoryBytes(),
    }),
  };
}
