import type { ExamineMedia } from '../domain/media.ts';
import type { ByteFiles } from '../domain/ports.ts';
import type { LocalFile } from '../api/upload-file.ts';

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
      namedIn: 'yaml',
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
    const { printFile } = await import('../api/upload-file.ts');
    const { isUnchanged } = await import('../api/upload-file.ts');
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
