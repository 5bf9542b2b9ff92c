import type { DiagnosticCode } from '../domain/codes.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { hasCode } from '../domain/herald-error.ts';
import { disguisesIn } from '../domain/lookalikes.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { MediaFile } from '../domain/message.ts';
import type { Files } from '../domain/ports.ts';
import { Findings, type Path, type Report } from './findings.ts';
import type { WrittenAttachment, WrittenMessage } from './schema.ts';
import { TEXT_LENGTH_MAX, TextPlaces, tidyText, unprintableOffset } from './text.ts';
import { hasPlaceholder } from './variables.ts';
import type { YamlSource } from './yaml.ts';

/** The text of a message from its own file. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** Texts and media from other files. What was refused is missing here, and reported. */
export interface Outside {
  /** By the index of the message. */
  readonly texts: ReadonlyMap<number, TextFile>;
  readonly media: ReadonlyMap<WrittenAttachment, MediaFile>;
}

/** What a file holds, or why it cannot be used. */
type Read<Value> = { readonly value: Value } | { readonly code: DiagnosticCode; readonly messages: string[] };

/** A resource with the place of its messages. */
interface WithMessages {
  readonly source: YamlSource;
  readonly path: Path;
  readonly written: { readonly messages?: readonly WrittenMessage[] | undefined };
}

/** Reads the texts and media files of messages, each once, even if several messages use it. */
export class OutsideFiles {
  readonly #files: Files;
  readonly #examine: ExamineMedia | undefined;
  readonly #report: Report;
  readonly #texts = new Map<string, Promise<Read<TextFile>>>();
  readonly #media = new Map<string, Promise<Read<MediaFile>>>();

  constructor(files: Files, examine: ExamineMedia | undefined, report: Report) {
    this.#files = files;
    this.#examine = examine;
    this.#report = report;
  }

  async read({ source, path: base, written: { messages = [] } }: WithMessages): Promise<Outside> {
    const texts = new Map<number, TextFile>();
    const media = new Map<WrittenAttachment, MediaFile>();
    const found = new Findings();
    const take = async <Value>(reading: Promise<Read<Value>>, path: Path, keep: (value: Value) => void) => {
      const read = await reading;
      if ('value' in read) keep(read.value);
      else for (const message of read.messages) found.error(read.code, path, message);
    };
    for (const [index, { text_file: reference, attachments = [] }] of messages.entries()) {
      const path = ['messages', index];
      if (reference !== undefined)
        await take(this.#readText(source.file, reference), [...path, 'text_file'], (text) =>
          texts.set(index, text),
        );
      for (const [position, attachment] of attachments.entries())
        if (attachment.file !== undefined)
          await take(
            this.#readMedia(source.file, attachment.file, attachment),
            [...path, 'attachments', position, 'file'],
            (file) => media.set(attachment, file),
          );
    }
    this.#report.addFindings(source, base, found.list);
    return { texts, media };
  }

  async #readText(from: string, reference: string): Promise<Read<TextFile>> {
    const file = resolveInside(from, reference);
    if (file === null) return refuseOutside(reference);
    const known = this.#texts.get(file) ?? this.#readTextOnce(file);
    this.#texts.set(file, known);
    return known;
  }

  async #readTextOnce(file: string): Promise<Read<TextFile>> {
    try {
      const raw = await this.#files.readText(file);
      const text = tidyText(raw.startsWith('\uFEFF') ? raw.slice(1) : raw);
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
      if (!isMissing(cause))
        return refuse('text-file-unreadable', `Cannot read ${file}: ${fileProblem(cause)}.`);
      const message = `${file} does not exist. Create it, or correct the path, which is relative to this file.`;
      return refuse('text-file-missing', message);
    }
  }

  async #readMedia(from: string, reference: string, attachment: WrittenAttachment): Promise<Read<MediaFile>> {
    if (hasPlaceholder(reference)) {
      const message = 'A file is the same for every account. Use variables only in texts and ids.';
      return refuse('file-has-variable', message);
    }
    const path = resolveInside(from, reference);
    if (path === null) return refuseOutside(reference);
    const { name, content_type: type } = attachment;
    const key = JSON.stringify([path, name, type]);
    const known = this.#media.get(key) ?? this.#examineOnce(path, attachment);
    this.#media.set(key, known);
    return known;
  }

  async #examineOnce(path: string, { name, content_type }: WrittenAttachment): Promise<Read<MediaFile>> {
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

function refuseOutside(reference: string): Read<never> {
  const advice = 'Write a path inside it, relative to this file, with "/".';
  return refuse('path-outside', `"${reference}" is outside the workspace. ${advice}`);
}

/** True for the error of a file that does not exist. */
export function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

/** Resolves a path relative to `from`, as a path in the workspace. Null if it is absolute or leaves the workspace. */
export function resolveInside(from: string, reference: string): string | null {
  if (/^[/\\]|^[A-Za-z]:|\\|\0/.test(reference)) return null;
  const steps = from.split('/').slice(0, -1);
  for (const step of reference.split('/')) {
    if (step === '..' && steps.pop() === undefined) return null;
    if (step !== '..' && step !== '.' && step !== '') steps.push(step);
  }
  return steps.length === 0 ? null : steps.join('/');
}
