import type { LocalFile } from '../api/upload-file.ts';
import type { CommitTree } from '../domain/git.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { ByteFiles } from '../domain/ports.ts';
import { type LoadOptions, type Loaded, loadDeclared } from '../workspace/load.ts';

interface LoadPorts {
  readonly env: LoadOptions['env'];
  readonly interrupted: AbortSignal;
}

/** What loading the files of a workspace needs where nothing is compared: what media files hold is not asked. */
export function loadOptions({
  bytes,
  env,
  interrupted,
}: LoadPorts & { readonly bytes: ByteFiles }): LoadOptions {
  return { env, media: new LocalMedia(bytes, interrupted, 'qualify').examine };
}

/** Loads a workspace, or a commit of it, with the content of its media files, to compare it with another one. */
export function declaredIn(
  { files, bytes }: Pick<CommitTree, 'files' | 'bytes'>,
  { env, interrupted }: LoadPorts,
): Promise<Loaded> {
  return loadDeclared(files, { env, media: new LocalMedia(bytes, interrupted, 'read').examine });
}

/** The media files of one run: each is looked at and read once, and known again as it was then. */
export class LocalMedia {
  readonly #bytes: ByteFiles;
  readonly #signal: AbortSignal;
  readonly #depth: 'qualify' | 'read';
  readonly #files = new Map<string, LocalFile>();
  readonly #digests = new Map<string, Promise<string | null>>();

  /** `qualify` asks only whether a file may be uploaded; `read` makes fingerprints, for which all of it is read. */
  constructor(bytes: ByteFiles, signal: AbortSignal, depth: 'qualify' | 'read') {
    this.#bytes = bytes;
    this.#signal = signal;
    this.#depth = depth;
  }

  /** Loaded with the first file: most workspaces have none. Without wishes, the name and the type are the file's own. */
  readonly examine: ExamineMedia = async (path, wishes = {}) => {
    const { examineFile } = await import('../api/upload-file.ts');
    const { name: wanted, content_type: stated } = wishes;
    const found = await examineFile(this.#bytes, path, {
      name: wanted,
      contentType: stated,
    });
    if ('problems' in found) return found;
    this.#files.set(path, found);
    const { name, size, contentType } = found;
    const digest = this.#depth === 'qualify' ? '' : await this.#digestOnce(found);
    if (digest === null) return { problems: ['it changed while it was read; run it again'] };
    return { path, name, size, content_type: contentType, digest };
  };

  /** Several messages may give one file different names. Its bytes are read once. */
  #digestOnce(file: LocalFile): Promise<string | null> {
    const known = this.#digests.get(file.path) ?? this.#digestOf(file);
    this.#digests.set(file.path, known);
    return known;
  }

  /** As it was when it was looked at; null for one that never was. */
  fileOf(path: string): LocalFile | null {
    return this.#files.get(path) ?? null;
  }

  /** Null where it did not stay as it was. */
  async #digestOf(file: LocalFile): Promise<string | null> {
    const { isUnchanged, printFile } = await import('../api/upload-file.ts');
    try {
      const print = await printFile(this.#bytes, file, this.#signal);
      return (await isUnchanged(this.#bytes, file)) ? print : null;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof Error) return null;
      throw error;
    }
  }
}
