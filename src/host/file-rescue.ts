import type { Files } from '../domain/ports.ts';
import type { Rescue } from '../domain/ledger-store.ts';

/** Lines that a ledger did not take, as a file of the workspace for each run: the same JSON lines as in a ledger. */
export function fileRescue(files: Pick<Files, 'writeAtomically'>): Rescue {
  return {
    keep: async (run, lines) => {
      const path = `.herald/rescue-${run}.ndjson`;
      await files.writeAtomically(path, lines.map((line) => `${line}\n`).join(''), { isPrivate: true });
      return path;
    },
  };
}
