import type { SharedState } from '../domain/ledger-store.ts';
import { confinedTo, type Place } from './confined.ts';
import { fileLeases } from './file-lease.ts';
import { fileLedgerStore, type KeepView } from './file-ledger-store.ts';
import { fileRescue } from './file-rescue.ts';
import { workspaceFiles } from './files.ts';
import { lineFiles } from './line-files.ts';
import type { Watch } from './lock.ts';
import type { Self } from './lock-holder.ts';
import type { ViewPlaces } from './view-places.ts';

/** The ledger and the lock of a workspace as files in its folder `.herald`. Views of the ledger are kept where `views` says. */
export function fileState(
  directory: string,
  self: Self,
  watch?: Watch,
  place: Place = confinedTo(directory),
  views: ViewPlaces | null = null,
): SharedState {
  const files = workspaceFiles(directory, place);
  return {
    ledger: fileLedgerStore(
      { ...files, ...lineFiles(place) },
      views === null ? null : keepingIn(views, place),
    ),
    leases: fileLeases(place, self, watch),
    rescue: fileRescue(files),
  };
}

/** A shorter ledger is quickly read. */
const WORTH_KEEPING_BYTES = 1_000_000;

function keepingIn(views: ViewPlaces, place: Place): KeepView {
  return async (file, path, view) => {
    if (file.size < WORTH_KEEPING_BYTES) return null;
    const { FileView } = await import('./file-view.ts');
    return new FileView(file, views, place(path), view);
  };
}
