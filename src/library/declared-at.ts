import type { CommitTree } from '../domain/git.ts';
import { LocalMedia } from './local-media.ts';
import { loadDeclared, type Loaded, type LoadOptions } from '../workspace/load.ts';

interface LoadPorts {
  readonly env: LoadOptions['env'];
  readonly interrupted: AbortSignal;
}

/** Loads a workspace, or a commit of it, with the content of its media files, to compare it with another one. */
export function declaredIn(
  { files, bytes }: Pick<CommitTree, 'files' | 'bytes'>,
  { env, interrupted }: LoadPorts,
): Promise<Loaded> {
  const media = new LocalMedia(bytes, interrupted, 'read');
  return loadDeclared(files, { env, media: media.examine });
}
