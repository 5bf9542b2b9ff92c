import { hasCode } from '../domain/herald-error.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { type Files } from '../domain/ports.ts';
import { TEXT_LENGTH_MAX, tidyText, unprintableOffset } from './text.ts';

/** The text of a message from its own file. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

export type ReadTextFile =
  | { readonly kind: 'read'; readonly textFile: TextFile }
  | { readonly kind: 'refused'; readonly code: DiagnosticCode; readonly message: string };

/** Reads each text file once, even if several messages use it. */
export class TextFiles {
  readonly #files: Files;
  readonly #read = new Map<string, ReadTextFile>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** `reference` is relative to the YAML file `from`. */
  async read(from: string, reference: string): Promise<ReadTextFile> {
    const file = resolveInside(from, reference);
    if (file === null) {
      const message = `"${reference}" is outside the workspace. Write a path inside it, relative to this file, with "/".`;
      return { kind: 'refused', code: 'path-outside', message };
    }
    const known = this.#read.get(file);
    if (known !== undefined) return known;
    const result = await this.#readOnce(file);
    this.#read.set(file, result);
    return result;
  }

  async #readOnce(file: string): Promise<ReadTextFile> {
    try {
      const raw = await this.#files.readText(file);
      const text = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
      if (unprintableOffset(text) !== -1) {
        return { kind: 'refused', code: 'not-text', message: `${file} is not text. Save it as UTF-8.` };
      }
      if (text.length > TEXT_LENGTH_MAX) {
        const message = `${file} has ${text.length} characters; the limit is ${TEXT_LENGTH_MAX}. Shorten it.`;
        return { kind: 'refused', code: 'too-long', message };
      }
      return { kind: 'read', textFile: { file, text: tidyText(text) } };
    } catch (cause) {
      if (hasCode(cause, 'path-outside'))
        return { kind: 'refused', code: 'path-outside', message: cause.message };
      const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
      const message = missing
        ? `${file} does not exist. Create it, or correct the path, which is relative to this file.`
        : `Cannot read ${file}: ${fileProblem(cause)}.`;
      return { kind: 'refused', code: missing ? 'text-file-missing' : 'text-file-unreadable', message };
    }
  }
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
