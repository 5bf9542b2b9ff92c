import type { LocalFile } from '../api/upload-file.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { ByteFiles } from '../domain/ports.ts';
import { type Loaded, loadDeclared } from '../workspace/load.ts';
import type { WorkspacePorts } from './ports.ts';

/**
 * Loads the files of a workspace, or of a commit of it, without a connection. What media files hold is read only with `read`, to
 * compare it.
 */
export function loadFiles(
  { files, bytes, env, interrupted }: Pick<WorkspacePorts, 'files' | 'bytes' | 'env' | 'interrupted'>,
  depth: 'qualify' | 'read' = 'qualify',
): Promise<Loaded> {
  return loadDeclared(files, { env, media: examineOnce(bytes, interrupted, depth).examine });
}

/**
 * The media files of one run: each is looked at and read once, and known again as it was then. `qualify` asks only whether a file may
 * be uploaded; `read` makes fingerprints, for which all of it is read.
 */
export function examineOnce(bytes: ByteFiles, signal: AbortSignal, depth: 'qualify' | 'read') {
  const files = new Map<string, LocalFile>();
  const digests = new Map<string, Promise<string | null>>();
  // Loaded with the first file: most workspaces have none.
  const load = () => import('../api/upload-file.ts');
  /** Null where it did not stay as it was. */
  const digestFile = async (file: LocalFile): Promise<string | null> => {
    const { isUnchanged, printFile } = await load();
    try {
      const print = await printFile(bytes, file, signal);
      return (await isUnchanged(bytes, file)) ? print : null;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Error) return null;
      throw error;
    }
  };
  /** Without wishes, the name and the type are the file's own. */
  const examine: ExamineMedia = async (path, wishes = {}) => {
    const { examineFile } = await load();
    const found = await examineFile(bytes, path, { name: wishes.name, contentType: wishes.content_type });
    if ('problems' in found) return found;
    files.set(path, found);
    const { name, size, contentType } = found;
    if (depth === 'qualify') return { path, name, size, content_type: contentType, digest: '' };
    // Several messages may give one file different names. Its bytes are read once.
    const reading = digests.get(path) ?? found.digest ?? digestFile(found);
    digests.set(path, Promise.resolve(reading));
    const digest = await reading;
    if (digest === null) return { problems: ['it changed while it was read; run it again'] };
    return { path, name, size, content_type: contentType, digest };
  };
  /** As it was when it was looked at; null for one that never was. */
  return { examine, findFile: (path: string) => files.get(path) ?? null };
}
