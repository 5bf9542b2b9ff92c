import { LineCounter } from 'yaml';
import type { SourcePlace } from '../domain/resource.ts';

/** Line and column of many offsets of one text, counted from 1. */
export class TextPlaces {
  readonly #file: string;
  readonly #lines = new LineCounter();

  constructor(file: string, text: string) {
    this.#file = file;
    this.#lines.addNewLine(0);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
      this.#lines.addNewLine(at + 1);
  }

  at(offset: number): SourcePlace {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#file, line, column: col };
  }
}
