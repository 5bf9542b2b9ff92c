import type { SharedState } from '../domain/ledger-store.ts';
import { confinedTo, type Place } from './confined.ts';
import { fileLeases } from './file-lease.ts';
import { fileLedgerStore } from './file-ledger-store.ts';
import { fileRescue } from './file-rescue.ts';
import { workspaceFiles } from './files.ts';
import { lineFiles } from './line-files.ts';
import type { Watch } from './lock.ts';
import type { Self } from './lock-holder.ts';

/** The ledger and the lock of a workspace as files in its folder `.herald`. */
export function fileState(
  directory: string,
  self: Self,
  watch?: Watch,
  place: Place = confinedTo(directory),
): SharedState {
  const files = workspaceFiles(directory, place);
  return {
    ledger: fileLedgerStore({ ...files, ...lineFiles(place) }),
    leases: fileLeases(place, self, watch),
    rescue: fileRescue(files),
  };
}
