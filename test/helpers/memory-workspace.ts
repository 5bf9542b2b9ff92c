import type { Leases } from '../../src/domain/lease.ts';
import type { SharedState } from '../../src/domain/ledger-store.ts';
import type { Files } from '../../src/domain/ports.ts';
import { fileLedgerStore, type KeepView } from '../../src/host/file-ledger-store.ts';
import type { LineFiles } from '../../src/host/line-files.ts';
import { memoryLeases } from './memory-leases.ts';
import { memoryViews } from './memory-views.ts';
import { memoryFiles, textOfContent } from '../workspace/memory-files.ts';

export const LEDGER_FILE = '.herald/ledger.ndjson';

/** What happens to one write of a file. */
export type WriteFate = 'done' | 'frozen' | Error;

/** A workspace's files in memory, with the means to let a write fail or a process die in the middle of it. */
export interface MemoryWorkspace extends Files, LineFiles {
  /** The ledger in the tree, as the file store keeps it, and a lease in memory. */
  readonly state: SharedState;
  /** Keeps views of the ledger, for the next process as well. */
  readonly views: KeepView;
  /** Text by path, to be read and changed by the test. */
  readonly tree: Record<string, string>;
  /** Paths in the order in which they were written. */
  readonly written: string[];
  /** Decides about each write before it happens; `frozen` never comes back, as in a process that was killed. */
  onWrite: (path: string, text: string) => WriteFate;
  /** Why the lock is not the run's any more; null unless the test says so. */
  lostLock: () => string | null;
  /** What the death of the process that holds the lease does to it. */
  dropLease(): void;
}

export function memoryWorkspace(tree: Record<string, string>): MemoryWorkspace {
  const memory = memoryLeases();
  const files = memoryFiles(tree);
  const views = memoryViews();
  const leases: Leases = {
    ...memory,
    take: async () => {
      const lease = await memory.take();
      return { ...lease, lost: async () => workspace.lostLock() ?? lease.lost() };
    },
  };
  const write = async (path: string, text: string, next: string) => {
    const fate = workspace.onWrite(path, text);
    if (fate === 'frozen') await new Promise(() => undefined);
    if (fate instanceof Error) throw fate;
    workspace.written.push(path);
    tree[path] = next;
  };
  const workspace: MemoryWorkspace = {
    ...files,
    tree,
    written: [],
    views,
    onWrite: () => 'done',
    lostLock: () => null,
    dropLease: memory.drop,
    get state() {
      return { ledger: fileLedgerStore(workspace, views), leases };
    },
    writeAtomically: async (path, content, options) => {
      const text = await textOfContent(content);
      await options?.beforeReplace?.();
      files.replaced(path);
      await write(path, text, text);
    },
    openForAppend: async (path) => {
      let readTo = (tree[path] ?? '').length;
      let known = tree[path] ?? '';
      let isOther = false;
      const look = () => {
        const text = tree[path] ?? '';
        isOther ||= !text.startsWith(known);
        return (known = text);
      };
      return {
        append: async (text) => {
          await write(path, text, withBreak(look()) + text);
          look();
        },
        wasReplaced: async () => {
          look();
          return isOther;
        },
        readAdded: () => {
          const added = (tree[path] ?? '').slice(readTo);
          readTo += added.length;
          return Promise.resolve(added);
        },
        close: () => Promise.resolve(),
      };
    },
  };
  return workspace;
}

/** With a line break behind a last line that was cut short, as the files of a machine get it before the next line. */
export function withBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
