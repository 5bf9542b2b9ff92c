import {
  Composer,
  CST,
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  visit,
  type ErrorCode,
  type Pair,
  type Scalar,
  type ScalarTag,
  type Tags,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { SourcePlace } from '../domain/resource.ts';
import type { Path, Spot } from './findings.ts';
import { disguisesIn, placeOffsets, unprintableOffset } from './text.ts';

/** Reads one YAML file; `source` is null if it is not YAML. Problems are returned as diagnostics, and nothing is thrown. */
export function readYaml(
  file: string,
  raw: string,
): { readonly source: YamlSource | null; readonly diagnostics: readonly Diagnostic[] } {
  const text = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
  const parsed = parseText(text);
  const findPlace = placeOffsets(file, text);
  const diagnostics = parsed.problems.map(({ offset, ...problem }) => ({ ...problem, ...findPlace(offset) }));
  return { source: parsed.isBroken ? null : new YamlSource(file, text, { parsed, findPlace }), diagnostics };
}

interface ReadText {
  readonly parsed: Parsed;
  readonly findPlace: (offset: number) => SourcePlace;
}

/** A YAML file that was read: its plain value, and the places of all parts. */
export class YamlSource {
  readonly #readText: () => ReadText;
  #read: ReadText | null;

  constructor(file: string, text: string, read: ReadText) {
    this.#readText = () => ({ parsed: parseText(text), findPlace: placeOffsets(file, text) });
    this.#read = read;
  }

  get value(): unknown {
    return (this.#read ??= this.#readText()).parsed.value;
  }

  /** The place of a value or key, or of the nearest written one around it. */
  placeOf(path: Path, at: Spot = 'value'): SourcePlace {
    const { parsed, findPlace } = (this.#read ??= this.#readText());
    return findPlace(parsed.findOffset(path, at));
  }

  /** Frees the nodes, which take several times the memory of the text, and its lines. They are read again for a message. */
  release(): void {
    this.#read = null;
  }
}

/**
 * YAML 1.2 core: `off` and `18:00` stay text. Herald adds `0x10`, `0o20` and `1e1`: where a price belongs, a text is refused.
 * Duplicate keys are found below, because the parser takes quadratic time for it.
 */
export const YAML_OPTIONS = {
  version: '1.2',
  schema: 'core',
  customTags: (tags: Tags) => tags.filter((tag) => typeof tag === 'string' || !('format' in tag)),
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
} as const;

interface Problem extends Pick<Diagnostic, 'severity' | 'code' | 'message'> {
  readonly offset: number;
}

interface Parsed {
  readonly value: unknown;
  /** The offset of the value or key. If it does not exist, the offset of the nearest one around it. */
  readonly findOffset: (path: Path, at: Spot) => number;
  readonly problems: readonly Problem[];
  /** With such a problem, the rest of the text may be read wrongly. */
  readonly isBroken: boolean;
}

function makeError(code: DiagnosticCode, message: string, offset: number): Problem {
  return { severity: 'error', code, message, offset };
}

/** Limit for one file: larger than any real one, and read within seconds. */
const FILE_LENGTH_MAX = 2 * 1024 * 1024;

/** Deeper than any valid file, with a document, a scalar and a few others next to the collections. */
const STACK_MAX = 64;

/** `parseDocument` with a bound: running out of stack inside a regular expression would end the process. */
function parseText(text: string): Parsed {
  if (text.length > FILE_LENGTH_MAX) {
    const message = `This file is longer than ${FILE_LENGTH_MAX} characters. Split it into several files.`;
    return refuse(makeError('file-too-large', message, FILE_LENGTH_MAX));
  }
  const unprintable = unprintableOffset(text);
  if (unprintable !== -1) {
    const message = 'This character cannot be read. Save the file as UTF-8 text.';
    return refuse(makeError('not-text', message, unprintable));
  }
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > STACK_MAX)
      return refuse(makeError('yaml-too-deep', 'Nested too deeply. Check the brackets.', parser.offset));
  }
  tokens.push(...parser.end());
  return readPlain(text, tokens) ?? readNodes(text, tokens);
}

function refuse(problem: Problem): Parsed {
  return { value: null, findOffset: () => 0, problems: [problem], isBroken: true };
}

function readNodes(text: string, tokens: readonly CST.Token[]): Parsed {
  const [document, second] = new Composer(YAML_OPTIONS).compose(tokens, true, text.length);
  if (document === undefined) return { value: null, findOffset: () => 0, problems: [], isBroken: false };
  const { errors, warnings, directives, contents } = document;
  const broken = describeSlip(text, [...errors, ...warnings]);
  if (directives.yaml.explicit === true && directives.yaml.version !== '1.2') {
    const message = `%YAML ${directives.yaml.version} is not supported. Remove the line; these files are YAML 1.2.`;
    broken.unshift(makeError('yaml-version', message, 0));
  }
  if (second !== undefined) {
    const message = 'A second document begins here. Put each into its own file.';
    broken.push(makeError('several-documents', message, second.range[0]));
  }
  const problems = checkNodes(text, document);
  // A comment that begins too early often breaks the brackets around it.
  if (broken.length > 0) broken.unshift(...problems.filter(({ code }) => code === 'text-cut'));
  // After one of these, values would be called missing or unknown.
  else if (problems.some(({ code }) => code === 'key-not-text' || code === 'yaml-alias'))
    broken.push(...problems);
  const isBroken = broken.length > 0;
  return {
    value: isBroken ? null : document.toJS(),
    findOffset: (path, at) => findOffset(contents, path, at),
    problems: isBroken ? broken : problems,
    isBroken,
  };
}

/** For a text that begins with a variable: YAML reads `{{` as the start of a map. */
const QUOTE_BRACES = 'A text that begins with {{ needs quotes: "{{name}} …".';
/** In a map on one line, YAML reads `{` as another map. */
const QUOTE_TEXT = 'In a map on one line, a text with { needs quotes, such as "Hi {{name}}" or "${NAME}".';

const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'In double quotes, write each backslash twice, or use single quotes.',
  BAD_INDENT: 'Check the indentation and the brackets.',
  BAD_SCALAR_START: 'Put the text in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Check the indentation, and put a text with ": " in quotes.',
  MISSING_CHAR: 'Check quotes, commas and brackets.',
  TAB_AS_INDENT: 'Indent with spaces.',
};

/** The first problem of the syntax. One mistake can make all later lines look wrong, so the others are not reported. */
function describeSlip(text: string, slips: readonly YAMLError[]): Problem[] {
  const isTab = ({ code }: YAMLError) => Number(code === 'TAB_AS_INDENT');
  const [first] = slips.toSorted((left, right) => isTab(right) - isTab(left) || left.pos[0] - right.pos[0]);
  if (first === undefined) return [];
  const { code, message } = first;
  const [offset] = first.pos;
  if (code === 'TAG_RESOLVE_FAILED')
    return [makeError('custom-tag', 'Tags are not supported. Remove it.', offset)];
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const isCut = message.includes(' at node end');
  const isVariable = isCut && /[:-]\s+\{\{[^"']*$/.test(line);
  if (isVariable) return [makeError('yaml-syntax', QUOTE_BRACES, offset)];
  if (isCut && /:\s+[^\s"'{[][^"'{[]*$/.test(line) && text[offset] === '{')
    return [makeError('yaml-syntax', QUOTE_TEXT, offset)];
  if (isCut && /[:-]\s+\*\S+\s+$/.test(line)) return [makeError('yaml-alias', ALIAS, offset)];
  const advice = ADVICE[code] ?? 'Check this line and the one above it.';
  return [makeError('yaml-syntax', `${message.replace(/[.\s]+$/, '')}. ${advice}`, offset)];
}

function findOffset(contents: unknown, path: Path, at: Spot): number {
  let node = contents;
  let offset = readOffset(node);
  for (const [index, step] of path.entries()) {
    const found = isMap(node) ? indexPairs(node).get(String(step)) : null;
    const value: unknown = isSeq(node) && typeof step === 'number' ? node.items[step] : found?.value;
    if (value === undefined) return offset;
    node = value;
    // The empty value of `key:` has no place.
    const isUnwritten = node === null || (isScalar(node) && node.value === null && node.source === '');
    const isKey = (at === 'key' && index === path.length - 1) || isUnwritten;
    offset = readOffset(isKey ? (found?.key ?? node) : node);
  }
  return offset;
}

const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

/** Indexed, so that looking up every key of a large map stays linear. */
function indexPairs(map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = indexes.get(map);
  if (known !== undefined) return known;
  const pairs = new Map(map.items.map((pair) => [readKey(pair.key) ?? '', pair]));
  indexes.set(map, pairs);
  return pairs;
}

const ALIAS =
  'Anchors (&) and aliases (*) of YAML are not supported. Write the value out. Put a text that begins with & or * in quotes.';

/** Finds what the parser accepts and these files do not. */
function checkNodes(text: string, document: Document): readonly Problem[] {
  const problems: Problem[] = [];
  const complain = (code: DiagnosticCode, node: unknown, message: string) =>
    problems.push(makeError(code, message, readOffset(node)));
  const names = new Map<unknown, Set<string>>();
  visit(document, (at, node, around) => {
    if (at === 'key') return;
    if (isAlias(node) || (isNode(node) && node.anchor !== undefined)) complain('yaml-alias', node, ALIAS);
    if (isMap(node)) names.set(node, new Set());
    if (isScalar(node)) {
      const isInBrackets = around.some((one) => isCollection(one) && one.flow === true);
      problems.push(...findCut(text, node, isInBrackets), ...findDisguises(text, node));
    }
    if (!isPair(node)) return;
    const { key, value } = node;
    const name = readKey(key);
    if (name === undefined) {
      const advice = isMap(key) ? QUOTE_BRACES : 'A key must be a plain word. Write `key: value`.';
      complain('key-not-text', key, advice);
      return visit.SKIP;
    }
    const known = names.get(around.at(-1));
    if (known?.has(name) === true) complain('duplicate-key', key, `"${name}" occurs twice. Remove one.`);
    known?.add(name);
    if (isScalar(key) && isScalar(value)) problems.push(...findHidden(text, key, value));
  });
  return problems;
}

/** YAML reads ` #SAVE20` behind a text without quotes as a comment, so fans would get half of the text. */
function findCut(text: string, { value, source, type, range, comment }: Scalar, isInBrackets: boolean) {
  if (type !== 'PLAIN' || !range || !(typeof value === 'string' || source === '')) return [];
  const [cut] = MAY_BE_TEXT.exec(`#${comment ?? ''}`) ?? [];
  if (cut === undefined) return [];
  const offset = text.indexOf('#', range[1]);
  // On a line of its own, it is an entry that is turned off. A text without brackets would go on there.
  const isApart = text.slice(range[1], offset).includes('\n');
  if (isApart && (isInBrackets || source === '')) return [];
  const lost = (isInBrackets ? cut.replace(BRACKET_OR_COMMA, '') : cut).trimEnd();
  return [makeCut(lost, source === '' ? lost : `${String(value)} ${lost}`, offset)];
}

/** A comment behind a key, if its value is on the next line. */
function findHidden(text: string, key: Scalar, { value, type, range }: Scalar) {
  if (type !== 'PLAIN' || typeof value !== 'string' || !range || !key.range) return [];
  const [, lost] = BEHIND_KEY.exec(text.slice(key.range[1], range[0])) ?? [];
  return lost === undefined ? [] : [makeCut(lost, `${lost} ${value}`, range[0])];
}

function makeCut(lost: string, whole: string, offset: number): Problem {
  const message = `YAML reads a # after a space as a comment, so "${lost}" would be lost. Write the value in quotes: ${JSON.stringify(whole)}. If it is a comment, write a space after the #.`;
  return makeError('text-cut', message, offset);
}

function findDisguises(text: string, { value, range }: Scalar): readonly Problem[] {
  const [start, end] = range ?? [0, 0];
  return disguisesIn(typeof value === 'string' ? value : '').map(({ code, message, part }) => {
    const found = text.indexOf(part, start);
    // A text may have it as an escape.
    return { severity: 'warning', code, message, offset: found === -1 || found >= end ? start : found };
  });
}

/** A comment. With a space after its `#` it is meant as one, without it may be text. */
const MAY_BE_TEXT = /^#+[^\s#].*/;

/** Such a comment between a key and the end of its line. */
const BEHIND_KEY = /^:[ \t]+(#+[^\s#].*)/;

/** A plain value in brackets ends at one of these. */
const BRACKET_OR_COMMA = /[,[\]{}].*/;

/** A key as text: `101:` and `true:` count as the letters that are written. */
function readKey(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === 'string' ? key.value : key.source;
}

function readOffset(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/**
 * Reads the tokens of a text that is written as most are. The nodes of `yaml` are needed for messages only, and take more than a
 * third of the time of a large workspace. Null for all that is not plain, such as an alias, a tab, a comment that may be text, and
 * every mistake: the composer of `yaml` reads that, and knows what is wrong.
 */
function readPlain(text: string, tokens: readonly CST.Token[]): Parsed | null {
  if (/[\t\r]/.test(text)) return null;
  const reader = new PlainReader(text);
  let nodes: Parsed | null = null;
  try {
    const value = reader.readAll(tokens);
    const findOffset = (path: Path, at: Spot) => {
      const found: unknown = path.reduce((whole: unknown, step) => Reflect.get(Object(whole), step), value);
      const offset = at === 'value' ? reader.offsets.get(found) : undefined;
      return offset ?? (nodes ??= readNodes(text, [...new Parser().parse(text)])).findOffset(path, at);
    };
    return { value, findOffset, problems: [], isBroken: false };
  } catch (error) {
    if (error === NOT_PLAIN) return null;
    throw error;
  }
}

const NOT_PLAIN = new Error('not plain');

function leaveToLibrary(): never {
  throw NOT_PLAIN;
}

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
    if (document?.value === undefined || documents.length > 1) return leaveToLibrary();
    for (const around of [tokens.filter((token) => token !== document), document.start, document.end])
      this.#skip(around);
    return this.#read(document.value);
  }

  #read(token: CST.Token | undefined): unknown {
    if (token === undefined) return null;
    if (CST.isCollection(token)) return this.#readCollection(token);
    return CST.isScalar(token) ? this.#readScalar(token) : leaveToLibrary();
  }

  #readScalar(token: CST.FlowScalar | CST.BlockScalar): unknown {
    if (token.type !== 'block-scalar') this.#skip(token.end);
    else this.#skip(token.props.filter(({ type }) => type !== 'block-scalar-header'));
    const text =
      readOneLine(token) ?? CST.resolveAsScalar(token, true, leaveToLibrary)?.value ?? leaveToLibrary();
    if (disguisesIn(text).length > 0) leaveToLibrary();
    if (token.type !== 'scalar') return text;
    if (text === '') return null;
    const tag = MAY_BE_OTHER.test(text) ? SCALAR_TAGS.find(({ test }) => test?.test(text)) : undefined;
    const value: unknown = tag === undefined ? text : tag.resolve(text, leaveToLibrary, YAML_OPTIONS);
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
      if (isEmpty || (inBrackets && isBlock(value))) leaveToLibrary();
      if (isMap) {
        const hasNewline = this.#skip(sep, 'map-value-ind');
        if (key?.type !== 'scalar' || (isBlock(value) && !hasNewline)) return leaveToLibrary();
        if (!inBrackets && key.indent !== token.indent) leaveToLibrary();
        const name = this.#readKey(key);
        if (Object.hasOwn(map, name)) leaveToLibrary();
        map[name] = this.#read(value);
      } else {
        if (key !== undefined || sep !== undefined) leaveToLibrary();
        list.push(this.#read(value));
      }
    }
    const found = isMap ? map : list;
    this.offsets.set(found, token.offset);
    return found;
  }

  #readKey({ source, end }: CST.FlowScalar): string {
    this.#skip(end);
    return PLAIN_KEY.test(source) ? source : leaveToLibrary();
  }

  /** Passes over spaces, line ends and comments, and exactly one indicator if one is named. Tells if there is a line end. */
  #skip(tokens: readonly CST.Token[] = [], indicator?: CST.TokenType): boolean {
    let [hasNewline, indicators] = [false, 0];
    for (const token of tokens) {
      if (token.type === 'newline') hasNewline = true;
      else if (token.type === 'comment') this.#checkComment(token);
      else if (token.type === indicator) indicators += 1;
      else if (token.type !== 'space') leaveToLibrary();
    }
    if (indicators !== (indicator === undefined ? 0 : 1)) leaveToLibrary();
    return hasNewline;
  }

  #checkComment({ source, offset }: CST.SourceToken): void {
    const before = this.#text[offset - 1] ?? '\n';
    if (MAY_BE_TEXT.test(source) || (before !== ' ' && before !== '\n')) leaveToLibrary();
  }
}

/**
 * A scalar that is read as it is written: on one line, without quotes or in double ones without an escape. Null for any other:
 * `yaml` reads those, and puts a text in quotes together letter by letter.
 */
function readOneLine({ type, source }: CST.FlowScalar | CST.BlockScalar): string | null {
  if (type === 'scalar') return /^\w.*$/.test(source) ? source : null;
  if (type !== 'double-quoted-scalar') return null;
  return /^"[^"\\\n]*"$/.test(source) ? source.slice(1, -1) : null;
}

/** A map or a list that needs a line of its own. */
function isBlock(token: CST.Token | undefined): boolean {
  return token?.type === 'block-map' || token?.type === 'block-seq';
}
