import { CST, Document, isScalar, type ScalarTag } from 'yaml';
import { disguisesIn } from './text.ts';

/** The value of a text, and the offset of each map and list in it. */
interface PlainYaml {
  readonly value: unknown;
  readonly offsets: ReadonlyMap<object, number>;
}

/** YAML 1.2 core: `off` and `18:00` stay text. Duplicate keys are found by `yaml.ts`, because the parser takes quadratic time for it. */
export const YAML_OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
} as const;

/**
 * Reads the tokens of a text that is written as most are. The nodes of `yaml` are needed for messages only, and take more than a
 * third of the time of a large workspace. Null for all that is not plain, such as an alias, a tab, a comment that may be text, and
 * every mistake: the composer of `yaml` reads that, and knows what is wrong.
 */
export function readPlainYaml(text: string, tokens: readonly CST.Token[]): PlainYaml | null {
  if (/[\t\r]/.test(text)) return null;
  const reader = new PlainReader(text);
  try {
    return { value: reader.readAll(tokens), offsets: reader.offsets };
  } catch (error) {
    if (error instanceof NotPlain) return null;
    throw error;
  }
}

class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

function refuse(): never {
  throw new NotPlain();
}

/** A comment that may be a part of a text. */
const MAY_BE_TEXT = /^#+[^\s#]/;

const PLAIN_KEY = /^[A-Za-z][\w-]{0,99}$/;

/** A plain scalar that begins otherwise is text in every case. */
const MAY_BE_OTHER = /^[-+.~\dnNtTfF]/;

/** What the core schema makes of plain scalars that are not text. */
const SCALAR_TAGS = new Document(null, YAML_OPTIONS).schema.tags.filter(
  (tag): tag is ScalarTag => tag.collection === undefined && tag.default === true,
);

/** A map or a list that needs a line of its own. */
function isBlock(token: CST.Token | undefined): boolean {
  return token?.type === 'block-map' || token?.type === 'block-seq';
}

type Collection = Record<string, unknown> | unknown[];

class PlainReader {
  readonly offsets = new Map<object, number>();
  readonly #text: string;
  readonly #keys = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
  }

  readAll(tokens: readonly CST.Token[]): unknown {
    const documents = tokens.filter((token) => token.type === 'document');
    const [document] = documents;
    if (document?.value === undefined || documents.length > 1) return refuse();
    for (const around of [tokens.filter((token) => token !== document), document.start, document.end])
      this.#skip(around);
    return this.#read(document.value);
  }

  #read(token: CST.Token | null | undefined): unknown {
    switch (token?.type) {
      case undefined:
        return null;
      case 'scalar':
      case 'single-quoted-scalar':
      case 'double-quoted-scalar':
      case 'block-scalar':
        return this.#readScalar(token);
      case 'block-map':
        return this.#keep(token, this.#readMap(token));
      case 'block-seq':
        return this.#keep(token, this.#readList(token));
      case 'flow-collection':
        return this.#keep(token, this.#readBrackets(token));
      default:
        return refuse();
    }
  }

  #keep({ offset }: CST.Token, found: Collection): Collection {
    this.offsets.set(found, offset);
    return found;
  }

  #readScalar(token: CST.FlowScalar | CST.BlockScalar): unknown {
    if (token.type !== 'block-scalar') this.#skip(token.end);
    else this.#skip(token.props.filter(({ type }) => type !== 'block-scalar-header'));
    const text = CST.resolveAsScalar(token, true, refuse)?.value ?? refuse();
    if (disguisesIn(text).length > 0) refuse();
    if (token.type !== 'scalar') return text;
    if (text === '') return null;
    const tag = MAY_BE_OTHER.test(text) ? SCALAR_TAGS.find(({ test }) => test?.test(text)) : undefined;
    const value: unknown = tag === undefined ? text : tag.resolve(text, refuse, YAML_OPTIONS);
    return isScalar(value) ? value.value : value;
  }

  #readMap({ items, indent }: CST.BlockMap): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    for (const [at, { start, key, sep, value }] of items.entries()) {
      this.#skip(start);
      // Comments below the last item.
      if (key === undefined && sep === undefined && at === items.length - 1) continue;
      if (key?.type !== 'scalar' || key.indent !== indent) return refuse();
      const hasNewline = this.#skip(sep, 'map-value-ind');
      if (isBlock(value) && !hasNewline) refuse();
      this.#put(found, key, value);
    }
    return found;
  }

  #readList({ items }: CST.BlockSequence): unknown[] {
    const found: unknown[] = [];
    for (const [at, { start, value }] of items.entries()) {
      const isBehind = value === undefined && at === items.length - 1;
      if (isBehind && start.every(({ type }) => type !== 'seq-item-ind')) this.#skip(start);
      else {
        this.#skip(start, 'seq-item-ind');
        found.push(this.#read(value));
      }
    }
    return found;
  }

  /** A map or a list on one line. */
  #readBrackets({ start: { type }, items, end: [close, ...behind] }: CST.FlowCollection): Collection {
    const isMap = type === 'flow-map-start';
    if (close?.type !== (isMap ? 'flow-map-end' : 'flow-seq-end')) return refuse();
    this.#skip(behind);
    const [map, list]: [Record<string, unknown>, unknown[]] = [{}, []];
    for (const [at, { start, key, sep, value }] of items.entries()) {
      const isBehind = key === undefined && sep === undefined && value === undefined;
      this.#skip(start, at === 0 || isBehind ? undefined : 'comma');
      if (isBehind && at < items.length - 1) refuse();
      if (isBehind) continue;
      if (isBlock(value)) refuse();
      if (!isMap && (key !== undefined || sep !== undefined)) refuse();
      if (isMap) this.#skip(sep, 'map-value-ind');
      if (isMap) this.#put(map, key, value);
      else list.push(this.#read(value));
    }
    return isMap ? map : list;
  }

  #put(
    found: Record<string, unknown>,
    key: CST.Token | null | undefined,
    value: CST.Token | undefined,
  ): void {
    const name = key?.type === 'scalar' ? this.#readKey(key) : refuse();
    if (Object.hasOwn(found, name)) refuse();
    found[name] = this.#read(value);
  }

  /** A file has the same few keys again and again. */
  #readKey(key: CST.FlowScalar): string {
    const known = key.end === undefined ? this.#keys.get(key.source) : undefined;
    if (known !== undefined) return known;
    const name = this.#readScalar(key);
    if (typeof name !== 'string' || !PLAIN_KEY.test(name)) return refuse();
    this.#keys.set(key.source, name);
    return name;
  }

  /** Passes over spaces, line ends and comments, and exactly one indicator if one is named. Tells if there is a line end. */
  #skip(tokens: readonly CST.Token[] = [], indicator?: CST.TokenType): boolean {
    let [hasNewline, indicators] = [false, 0];
    for (const token of tokens) {
      if (token.type === 'newline') hasNewline = true;
      else if (token.type === 'comment') this.#checkComment(token);
      else if (token.type === indicator) indicators += 1;
      else if (token.type !== 'space') refuse();
    }
    if (indicators !== (indicator === undefined ? 0 : 1)) refuse();
    return hasNewline;
  }

  #checkComment({ source, offset }: CST.SourceToken): void {
    const before = this.#text[offset - 1] ?? '\n';
    if (MAY_BE_TEXT.test(source) || (before !== ' ' && before !== '\n')) refuse();
  }
}
