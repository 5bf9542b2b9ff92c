import type { DiagnosticCode } from '../domain/codes.ts';
import { isLfsPointer } from '../domain/text.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { hasCode } from '../domain/herald-error.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { MediaFile, MediaWishes } from '../domain/message.ts';
import type { Files } from '../domain/ports.ts';
import type { Path, Report } from './findings.ts';
import type { WrittenResource } from './resources.ts';
import {
  hasPlaceholder,
  resolveInside,
  TEXT_LENGTH_MAX,
  TextPlaces,
  tidyText,
  unprintableOffset,
  disguisesIn,
} from './text.ts';

/** The text of a message from its own file. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** Texts and media from other files. What was refused is missing here, and reported. */
export interface Outside {
  /** By the index of the message. */
  readonly texts: ReadonlyMap<number, TextFile>;
  /** By the indexes of the message and of the attachment: `0/1`. */
  readonly media: ReadonlyMap<string, MediaFile>;
}

/** What a file holds, or why it cannot be used. */
type Read<Value> = { readonly value: Value } | { readonly code: DiagnosticCode; readonly messages: string[] };

/** Reads the texts and media files of messages, each once, even if several messages use it. */
export class OutsideFiles {
  readonly #files: Files;
  readonly #examine: ExamineMedia | undefined;
  readonly #report: Report;
  readonly #known = new Map<string, Promise<Read<unknown>>>();

  constructor(files: Files, examine: ExamineMedia | undefined, report: Report) {
    this.#files = files;
    this.#examine = examine;
    this.#report = report;
  }

  async read({ source, path: base, written: { messages = [] } }: WrittenResource): Promise<Outside> {
    const texts = new Map<number, TextFile>();
    const media = new Map<string, MediaFile>();
    const use = async <Value>(
      path: Path,
      reference: string,
      key: string,
      read: (file: string) => Promise<Read<Value>>,
    ): Promise<Value | null> => {
      const found = await this.#readFile(source.file, reference, key, read);
      if ('value' in found) return found.value;
      const place = source.placeOf([...base, 'messages', ...path]);
      for (const message of found.messages) this.#report.error(found.code, message, place);
      return null;
    };
    for (const [index, { text_file: reference, attachments = [] }] of messages.entries()) {
      if (reference !== undefined) {
        const text = await use([index, 'text_file'], reference, '', (file) => this.#readText(file));
        if (text !== null) texts.set(index, text);
      }
      for (const [position, attachment] of attachments.entries()) {
        if (!('file' in attachment)) continue;
        const { file, ...wishes } = attachment;
        const path = [index, 'attachments', position, 'file'];
        const key = JSON.stringify([wishes.name, wishes.content_type]);
        const read = await use(path, file, key, (found) => this.#readMedia(found, wishes));
        if (read !== null) media.set(`${index}/${position}`, read);
      }
    }
    return { texts, media };
  }

  /** Reads a file that `from` names. Files with the same path and the same `key` are read once. */
  async #readFile<Value>(
    from: string,
    reference: string,
    key: string,
    read: (path: string) => Promise<Read<Value>>,
  ): Promise<Read<Value>> {
    if (hasPlaceholder(reference)) {
      const message = 'A file is the same for every account. Use variables only in texts and ids.';
      return refuse('file-has-variable', message);
    }
    const path = resolveInside(from, reference);
    const advice = 'Write a path inside it, relative to this file, with "/".';
    if (path === null) return refuse('path-outside', `"${reference}" is outside the workspace. ${advice}`);
    const known = this.#known.get(key + path) ?? read(path);
    this.#known.set(key + path, known);
    return known as Promise<Read<Value>>;
  }

  async #readText(file: string): Promise<Read<TextFile>> {
    try {
      const raw = await this.#files.readText(file);
      const text = tidyText(raw.startsWith('\uFEFF') ? raw.slice(1) : raw);
      if (isLfsPointer(text))
        return refuse('not-text', `${file} is a Git LFS pointer, not the text. Fetch the file: git lfs pull`);
      if (unprintableOffset(text) !== -1) return refuse('not-text', `${file} is not text. Save it as UTF-8.`);
      if (text.length > TEXT_LENGTH_MAX) {
        const message = `${file} has ${text.length} characters; the limit is ${TEXT_LENGTH_MAX}. Shorten it.`;
        return refuse('too-long', message);
      }
      for (const { code, message, part } of disguisesIn(text))
        this.#report.warning(code, message, new TextPlaces(file, text).at(text.indexOf(part)));
      return { value: { file, text } };
    } catch (cause) {
      if (hasCode(cause, 'path-outside')) return refuse('path-outside', cause.message);
      const advice = 'Check the path, which is relative to this file.';
      return refuse('text-file-unreadable', `Cannot read ${file}: ${fileProblem(cause)}. ${advice}`);
    }
  }

  async #readMedia(path: string, { name, content_type }: MediaWishes): Promise<Read<MediaFile>> {
    const message = `${path} cannot be used here. Set the id and type of the media instead.`;
    if (this.#examine === undefined) return refuse('media-not-read', message);
    const examined = await this.#examine(path, { name, content_type });
    return 'problems' in examined
      ? refuse('media-file', ...examined.problems.map((problem) => `${path}: ${problem}.`))
      : { value: examined };
  }
}

function refuse(code: DiagnosticCode, ...messages: string[]): Read<never> {
  return { code, messages };
}
