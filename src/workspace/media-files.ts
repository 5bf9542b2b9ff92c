import type { DiagnosticCode } from '../domain/codes.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { MediaFile } from '../domain/message.ts';
import { resolveInside } from './text-files.ts';
import { hasPlaceholder } from './variables.ts';

export type ReadMedia =
  | { readonly kind: 'read'; readonly file: MediaFile }
  | { readonly kind: 'refused'; readonly code: DiagnosticCode; readonly messages: readonly string[] };

/** Looks at each media file once, however many messages show it. */
export class MediaFiles {
  readonly #examine: ExamineMedia | undefined;
  readonly #read = new Map<string, Promise<ReadMedia>>();

  constructor(examine: ExamineMedia | undefined) {
    this.#examine = examine;
  }

  /** `reference` as written in the YAML file `from`. */
  async read(from: string, reference: string): Promise<ReadMedia> {
    if (hasPlaceholder(reference))
      return refused(
        'file-has-variable',
        'A file is the same on every account: variables stand in texts and ids only.',
      );
    const path = resolveInside(from, reference);
    if (path === null)
      return refused(
        'path-outside',
        `"${reference}" leaves the workspace: name a file below it, relative to this file, with "/".`,
      );
    const known = this.#read.get(path) ?? this.#readOnce(path);
    this.#read.set(path, known);
    return known;
  }

  async #readOnce(path: string): Promise<ReadMedia> {
    if (this.#examine === undefined)
      return refused(
        'media-not-read',
        `${path} cannot be looked at here: name the media by its id and type.`,
      );
    const examined = await this.#examine(path);
    if (!('problems' in examined)) return { kind: 'read', file: examined };
    return refused('media-file', ...examined.problems.map((problem) => `${path}: ${problem}.`));
  }
}

function refused(code: DiagnosticCode, ...messages: readonly string[]): ReadMedia {
  return { kind: 'refused', code, messages };
}
