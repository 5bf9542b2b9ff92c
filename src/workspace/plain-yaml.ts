import { CST, Document, isScalar, type ScalarTag } from 'yaml';
import { disguisesIn } from './text.ts';

/** The value of a text, and the offset of each map and list in it. */
interface PlainYaml {
  readonly value: unknown;
  readonly offsets: ReadonlyMap<unknown, number>;
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
    if (error === NOT_PLAIN) return null;
    throw error;
  }
}

const NOT_PLAIN = new Error('not plain');

function refuse(): never {
  throw NOT_PLAIN;
}

/** A comment that may be a part of a text. */
const MAY_BE_TEXT = /^#+[^\s#]/;

/** A key that is the text that is written, and not `null` or `true`. */
const PLAIN_KEY = /^(?!(?:null|true|false)$)[a-z][\w-]{0,99}$/i;

/** A plain scalar that begins otherwise is text in every case. */
const MAY_BE_OTHER = /^[-+.~\dnNtTfF]/;

/** What the core schema makes of plain scalars that are not text. */
const SCALAR_TAGS = new Document(null, YAML_OPTIONS).schema.tags.filter(
  (tag): tag is ScalarTag => tag.collection === undefined && tag.default === true,
);

class PlainReader {
  readonly offsets = new Map<unknown, number>();
  readonly #text: string;

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

  #read(token: CST.Token | undefined): unknown {
    if (token === undefined) return null;
    if (CST.isCollection(token)) return this.#readCollection(token);
    return CST.isScalar(token) ? this.#readScalar(token) : refuse();
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

  #readCollection(token: CST.BlockMap | CST.BlockSequence | CST.FlowCollection): unknown {
    const inBrackets = token.type === 'flow-collection';
    const isMap = token.type === 'block-map' || (inBrackets && token.start.type === 'flow-map-start');
    if (inBrackets) this.#skip(token.end, isMap ? 'flow-map-end' : 'flow-seq-end');
    const separator = inBrackets ? 'comma' : isMap ? undefined : 'seq-item-ind';
    const [map, list]: [Record<string, unknown>, unknown[]] = [{}, []];
    const items: readonly CST.CollectionItem[] = token.items;
    for (const [at, { start, key, sep, value }] of items.entries()) {
      const hasDash = start.some(({ type }) => type === 'seq-item-ind');
      const isEmpty = key === undefined && sep === undefined && value === undefined && !hasDash;
      this.#skip(start, isEmpty || (at === 0 && separator === 'comma') ? undefined : separator);
      // Comments behind the last item.
      if (isEmpty && at === items.length - 1) continue;
      if (isEmpty || (inBrackets && isBlock(value))) refuse();
      if (isMap) {
        const hasNewline = this.#skip(sep, 'map-value-ind');
        if (key?.type !== 'scalar' || (isBlock(value) && !hasNewline)) return refuse();
        if (!inBrackets && key.indent !== token.indent) refuse();
        const name = this.#readKey(key);
        if (Object.hasOwn(map, name)) refuse();
        map[name] = this.#read(value);
      } else {
        if (key !== undefined || sep !== undefined) refuse();
        list.push(this.#read(value));
      }
    }
    const found = isMap ? map : list;
    this.offsets.set(found, token.offset);
    return found;
  }

  #readKey({ source, end }: CST.FlowScalar): string {
    this.#skip(end);
    return PLAIN_KEY.test(source) ? source : refuse();
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

/** A map or a list that needs a line of its own. */
function isBlock(token: CST.Token | undefined): boolean {
  return token?.type === 'block-map' || token?.type === 'block-seq';
}
