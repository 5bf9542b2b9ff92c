import type { CommitTree } from '../domain/git.ts';
import { LocalMedia } from '../operations/upload/local-media.ts';
import { loadDeclared, type Loaded, type LoadOptions } from '../workspace/load.ts';

/** Loads the workspace as a commit has it, with the media files of that commit. */
export async function declaredAt(
  tree: CommitTree,
  { env, interrupted }: { readonly env: LoadOptions['env']; readonly interrupted: AbortSignal },
): Promise<Loaded> {
  try {
    const media = new LocalMedia(tree.bytes, interrupted, 'read');
    return await loadDeclared(tree.files, { env, media: media.examine });
  } finally {
    tree.close();
  }
}
