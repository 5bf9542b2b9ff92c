import type { DiagnosticCode } from '../domain/codes.ts';
import type { ExamineMedia } from '../domain/media.ts';
import { mediaPrint, type MediaWishes } from '../domain/media-wishes.ts';
import type { MediaFile } from '../domain/message.ts';
import type { WrittenAttachment } from './content-shapes.ts';
import { resolveInside } from './text-files.ts';
import { hasPlaceholder } from './variables.ts';

/** A file that can be uploaded. */
export interface ExaminedMedia {
  readonly file: MediaFile;
  /** Its digest together with wishes. Empty if nothing is compared. */
  readonly printWith: (wishes: MediaWishes) => string;
}

export type ReadMedia =
  | ({ readonly kind: 'read' } & ExaminedMedia)
  | { readonly kind: 'refused'; readonly code: DiagnosticCode; readonly messages: readonly string[] };

/** Identifies a file together with everything that decides whether it can be uploaded. */
export function mediaReference({ file, name, content_type: type }: WrittenAttachment): string {
  return JSON.stringify([file, name, type]);
}

/** Checks each media file once, even if several messages use it. */
export class MediaFiles {
  readonly #examine: ExamineMedia | undefined;
  readonly #read = new Map<string, Promise<ReadMedia>>();

  constructor(examine: ExamineMedia | undefined) {
    this.#examine = examine;
  }

  /** `reference` is relative to the YAML file `from`. */
  async read(from: string, reference: string, attachment: WrittenAttachment = {}): Promise<ReadMedia> {
    if (hasPlaceholder(reference))
      return refused(
        'file-has-variable',
        'A file is the same for every account. Use variables only in texts and ids.',
      );
    const path = resolveInside(from, reference);
    if (path === null)
      return refused(
        'path-outside',
        `"${reference}" is outside the workspace. Write a path inside it, relative to this file, with "/".`,
      );
    const key = mediaReference({ ...attachment, file: path });
    const known = this.#read.get(key) ?? this.#readOnce(path, attachment);
    this.#read.set(key, known);
    return known;
  }

  async #readOnce(path: string, { name, content_type }: WrittenAttachment): Promise<ReadMedia> {
    if (this.#examine === undefined)
      return refused(
        'media-not-read',
        `${path} cannot be used here. Set the id and type of the media instead.`,
      );
    const examined = await this.#examine(path, { name, content_type });
    if ('problems' in examined)
      return refused('media-file', ...examined.problems.map((problem) => `${path}: ${problem}.`));
    return { kind: 'read', file: examined, printWith: await printOf(examined) };
  }
}

function refused(code: DiagnosticCode, ...messages: readonly string[]): ReadMedia {
  return { kind: 'refused', code, messages };
}

/** Loads the hash functions only if digests are compared, because they cost start-up time. */
async function printOf({ digest }: MediaFile): Promise<ExaminedMedia['printWith']> {
  if (digest === '') return () => '';
  const { wishesDigest } = await import('../domain/media-wishes.ts');
  return (wishes) => mediaPrint(digest, wishesDigest(wishes));
}
