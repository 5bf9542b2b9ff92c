import { LockHeldError, type Files } from '../../src/domain/ports.ts';
import { memoryFiles, textOfContent } from '../workspace/memory-files.ts';

/** What happens to one write of a file. */
export type WriteFate = 'done' | 'frozen' | Error;

/** A workspace's files in memory, with the means to let a write fail or a process die in the middle of it. */
export interface MemoryWorkspace extends Files {
  /** Text by path, to be read and changed by the test. */
  readonly tree: Record<string, string>;
  /** Paths in the order in which they were written. */
  readonly written: string[];
  /** Decides about each write before it happens; `frozen` never comes back, as in a process that was killed. */
  onWrite: (path: string, text: string) => WriteFate;
  /** Why the lock is not the run's any more; null unless the test says so. */
  lostLock: (path: string) => string | null;
  /** What the death of the process that holds them does to its locks. */
  dropLocks(): void;
}

export function memoryWorkspace(tree: Record<string, string>): MemoryWorkspace {
  const locks = new Set<string>();
  const write = async (path: string, text: string, next: string) => {
    const fate = workspace.onWrite(path, text);
    if (fate === 'frozen') await new Promise(() => undefined);
    if (fate instanceof Error) throw fate;
    workspace.written.push(path);
    tree[path] = next;
  };
  const workspace: MemoryWorkspace = {
    ...memoryFiles(tree),
    tree,
    written: [],
    onWrite: () => 'done',
    lostLock: () => null,
    dropLocks: () => locks.clear(),
    writeAtomically: async (path, content) => {
      const text = await textOfContent(content);
      await write(path, text, text);
    },
    openForAppend: async (path) => {
      let readTo = (tree[path] ?? '').length;
      return {
        append: (text) => write(path, text, (tree[path] ?? '') + text),
        readAdded: () => {
          const added = (tree[path] ?? '').slice(readTo);
          readTo += added.length;
          return Promise.resolve(added);
        },
        close: () => Promise.resolve(),
      };
    },
    lockHolder: async (path) =>
      locks.has(path) ? { words: 'process 4711 on this-machine', life: 'alive' } : null,
    lockLost: async (path) => workspace.lostLock(path),
    lock: async (path) => {
      if (locks.has(path)) throw new LockHeldError(path, 'process 4711 on this-machine');
      locks.add(path);
      return async () => void locks.delete(path);
    },
  };
  return workspace;
}
