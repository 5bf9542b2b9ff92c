import type { Files } from '../../src/domain/ports.ts';
import { memoryFiles, textOfContent } from '../workspace/memory-files.ts';
import type { WriteFate } from './scene-state.ts';

/** A workspace's files in memory, with the means to let a write fail or a process die in the middle of it. */
export interface MemoryWorkspace extends Files {
  /** Text by path, to be read and changed by the test. */
  readonly tree: Record<string, string>;
  /** Paths in the order in which they were written. */
  readonly written: string[];
  /** Decides about each write before it happens; `frozen` never comes back, as in a process that was killed. */
  onWrite: (path: string, text: string) => WriteFate;
}

export function memoryWorkspace(tree: Record<string, string>): MemoryWorkspace {
  const files = memoryFiles(tree);
  const workspace: MemoryWorkspace = {
    ...files,
    tree,
    written: [],
    onWrite: () => 'done',
    writeAtomically: async (path, content) => {
      const text = await textOfContent(content);
      const fate = workspace.onWrite(path, text);
      if (fate === 'frozen') await new Promise(() => undefined);
      if (fate instanceof Error) throw fate;
      workspace.written.push(path);
      tree[path] = text;
    },
  };
  return workspace;
}
