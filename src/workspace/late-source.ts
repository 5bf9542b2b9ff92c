import type { SourcePlace } from '../domain/resource.ts';
import type { Path, Placed, Spot } from './findings.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/**
 * A file that was read already. Its text is read once more when there is something to say about it: keeping
 * every parsed file would take several times the memory of all the rest.
 */
export class LateSource implements Placed {
  readonly file: string;
  readonly #text: string;
  #parsed: YamlSource | null = null;

  /** `text` is YAML, as it turned out when it was read first. */
  constructor(file: string, text: string) {
    this.file = file;
    this.#text = text;
  }

  /** The whole file as a plain value. */
  get value(): unknown {
    return this.#read()?.value;
  }

  placeOf(path: Path, at?: Spot): SourcePlace {
    return this.#read()?.placeOf(path, at) ?? { file: this.file, line: 1, column: 1 };
  }

  #read(): YamlSource | null {
    this.#parsed ??= readYaml(this.file, this.#text).source;
    return this.#parsed;
  }
}
