import { Ages } from '../ledger/ages.ts';
import { LedgerReader } from '../ledger/reader.ts';
import { uploadsForApply } from '../operations/upload/for-apply.ts';
import { LocalMedia } from '../operations/upload/local-media.ts';
import type { Opened } from '../reconcile/source.ts';
import { loadDeclared } from '../workspace/load.ts';
import { connectWithStore } from './connect.ts';
import type { Context } from './context.ts';
import { invalidFiles } from './failure.ts';
import { sayUploadDoubts } from './vault/upload-doubts.ts';

/** Loads the files and connects. Throws when anything in the files is wrong; nothing has been sent then. */
export async function openWorkspace(context: Context): Promise<Opened> {
  const { clock, files, bytes, env, random, interrupted } = context;
  const media = new LocalMedia(bytes, interrupted, 'read');
  const examineMedia = (path: string) => media.examine(path);
  const loaded = await loadDeclared(files, { env, media: examineMedia });
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  const { client, putBytes } = await connectWithStore(context, loaded.workspace.service);
  const { workspace, declared, placeOf, warnings } = loaded;
  const uploads = {
    client,
    putBytes,
    media,
    settleMs: workspace.service.settleSec * 1000,
    files,
    bytes,
    clock,
    random,
    // Loaded with the first upload: most runs have none.
    openBoard: async () => new (await import('./vault/upload-board.ts')).UploadBoard(context),
    onLedgerRead: (known: Parameters<typeof sayUploadDoubts>[1]) => sayUploadDoubts(context, known),
  };
  return {
    workspace,
    declared,
    placeOf,
    warnings,
    client,
    examineMedia,
    uploads: (ledger) => uploadsForApply(uploads, ledger),
    ages: new Ages(clock, client),
    reader: new LedgerReader(files, client.address),
    accountIds: new Map(),
  };
}
