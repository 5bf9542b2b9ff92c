import type { SourcePlace } from '../domain/resource.ts';
import type { Path, Placed, Spot } from './findings.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/**
 * A file that was parsed before. It is parsed again for a message, because keeping all parsed files would need
 * several times the memory.
 */
export class ReparsedSource implements Placed {
  readonly file: string;
  readonly #text: string;
  #parsed: YamlSource | null = null;

  /** `text` is valid YAML, as the first parse has shown. */
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
