import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Parser,
  type CST,
  type Document,
  type ErrorCode,
  type Pair,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { SourcePlace } from '../domain/resource.ts';
import type { Path, Spot } from './findings.ts';
import { readPlainYaml, YAML_OPTIONS } from './plain-yaml.ts';
import { TextPlaces, unprintableOffset, disguisesIn } from './text.ts';

interface ReadYaml {
  /** Null if the text is not YAML. */
  readonly source: YamlSource | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one YAML file. Problems are returned as diagnostics, and nothing is thrown. */
export function readYaml(file: string, raw: string): ReadYaml {
  const text = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
  const places = new TextPlaces(file, text);
  const parsed = parseText(text);
  const diagnostics = parsed.problems.map(({ severity, code, message, offset }): Diagnostic => {
    return { severity, code, message, ...places.at(offset) };
  });
  return { source: parsed.isBroken ? null : new YamlSource(file, text, parsed), diagnostics };
}

/** A YAML file that was read: its plain value, and the places of all parts. */
export class YamlSource {
  readonly file: string;
  readonly #text: string;
  #parsed: Parsed | null;
  #places: TextPlaces | null = null;

  constructor(file: string, text: string, parsed: Parsed) {
    this.file = file;
    this.#text = text;
    this.#parsed = parsed;
  }

  get value(): unknown {
    return this.#read().value;
  }

  /** The place of a value or key, or of the nearest written one around it. */
  placeOf(path: Path, at: Spot = 'value'): SourcePlace {
    this.#places ??= new TextPlaces(this.file, this.#text);
    const plain = at === 'value' && this.#parsed !== null ? findPlainOffset(this.#parsed, path) : undefined;
    return this.#places.at(plain ?? findOffset(this.#readNodes(), path, at));
  }

  /** Frees the nodes, which take several times the memory of the text. They are parsed again for a message. */
  release(): void {
    this.#parsed = null;
    this.#places = null;
  }

  #read(): Parsed {
    this.#parsed ??= parseText(this.#text);
    return this.#parsed;
  }

  /** Parsed once more if only the value was read. */
  #readNodes(): Document | null {
    if (this.#read().offsets !== undefined) this.#parsed = parseText(this.#text, 'nodes');
    return this.#read().document;
  }
}

/** The offset of a map or a list of a text that was read without nodes. */
function findPlainOffset({ value, offsets }: Parsed, path: Path): number | undefined {
  if (offsets === undefined) return undefined;
  const found: unknown = path.reduce((at: unknown, step) => Reflect.get(Object(at), step), value);
  return offsets.get(Object(found));
}

interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly offset: number;
}

interface Parsed {
  /** Null if there is nothing in the text, or the text cannot be parsed. */
  readonly document: Document | null;
  readonly value: unknown;
  /** Set in place of the document if only the value was read: the places of its maps and lists. */
  readonly offsets?: ReadonlyMap<object, number>;
  readonly problems: readonly Problem[];
  /** With such a problem, the rest of the text may be read wrongly. */
  readonly isBroken: boolean;
}

function makeError(code: DiagnosticCode, message: string, offset: number): Problem {
  return { severity: 'error', code, message, offset };
}

/** Limit for one file: larger than any real one, and read within seconds. */
const FILE_LENGTH_MAX = 2 * 1024 * 1024;

/** `parseDocument` with a bound: running out of stack inside a regular expression would end the process. */
function parseText(text: string, read: 'value' | 'nodes' = 'value'): Parsed {
  if (text.length > FILE_LENGTH_MAX) {
    const message = `This file is longer than ${FILE_LENGTH_MAX} characters. Split it into several files.`;
    return refuse(makeError('file-too-large', message, FILE_LENGTH_MAX));
  }
  const unprintable = unprintableOffset(text);
  if (unprintable !== -1) {
    const message = 'This character cannot be read. Save the file as UTF-8 text.';
    return refuse(makeError('not-text', message, unprintable));
  }
  const parser = new BoundedParser();
  try {
    const tokens = [...parser.parse(text)];
    const plain = read === 'value' ? readPlainYaml(text, tokens) : null;
    if (plain !== null) return { document: null, ...plain, problems: [], isBroken: false };
    const [document, second] = [...new Composer(YAML_OPTIONS).compose(tokens, true, text.length)];
    if (document === undefined) return { document: null, value: null, problems: [], isBroken: false };
    return readDocument(text, document, second?.range[0] ?? null);
  } catch (cause) {
    if (!(cause instanceof TooDeep)) throw cause;
    return refuse(makeError('yaml-too-deep', cause.message, parser.offset));
  }
}

function refuse(problem: Problem): Parsed {
  return { document: null, value: null, problems: [problem], isBroken: true };
}

function readDocument(text: string, document: Document.Parsed, secondOffset: number | null): Parsed {
  const { errors, warnings, directives, contents } = document;
  const broken = describeSlip(text, [...errors, ...warnings]);
  if (directives.yaml.explicit === true && directives.yaml.version !== '1.2') {
    const message = `%YAML ${directives.yaml.version} is not supported. Remove the line; these files are YAML 1.2.`;
    broken.unshift(makeError('yaml-version', message, 0));
  }
  if (secondOffset !== null) {
    const message = 'A second document begins here. Put each into its own file.';
    broken.push(makeError('several-documents', message, secondOffset));
  }
  const nodes = new NodeCheck(text);
  nodes.check(contents, false);
  // A comment that begins too early often breaks the brackets around it.
  if (broken.length > 0) broken.unshift(...nodes.problems.filter(({ code }) => code === 'text-cut'));
  else if (nodes.problems.some(({ code }) => UNREADABLE.has(code))) broken.push(...nodes.problems);
  if (broken.length > 0) return { document, value: null, problems: broken, isBroken: true };
  const value: unknown = document.toJS();
  return { document, value, problems: nodes.problems, isBroken: false };
}

/** After one of these, values would be called missing or unknown. */
const UNREADABLE: ReadonlySet<DiagnosticCode> = new Set(['key-not-text', 'yaml-alias']);

/** Deeper than any valid file, with a document, a scalar and a few others next to the collections. */
const STACK_MAX = 64;

class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

class BoundedParser extends Parser {
  override next(source: string): Generator<CST.Token, void> {
    if (this.stack.length > STACK_MAX) throw new TooDeep('Nested too deeply. Check the brackets.');
    return super.next(source);
  }
}

/** For a text that begins with a variable: YAML reads `{{` as the start of a map. */
const QUOTE_BRACES = 'A text that begins with {{ needs quotes: "{{name}} …".';
/** For a value from the environment in a map on one line, where YAML reads its `{` as another map. */
const QUOTE_ENVIRONMENT = 'In a map on one line, ${NAME} needs quotes: "${NAME}".';

const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'In double quotes, write each backslash twice, or use single quotes.',
  BAD_INDENT: 'Check the indentation and the brackets.',
  BAD_SCALAR_START: 'Put the text in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text with ": " in quotes.',
  MISSING_CHAR: 'Check quotes, commas and brackets.',
  TAB_AS_INDENT: 'Indent with spaces.',
};

const AFTER_NODE = /^Unexpected \S+ at node end/;

/** The first problem of the syntax. One mistake can make all later lines look wrong, so the others are not reported. */
function describeSlip(text: string, slips: readonly YAMLError[]): Problem[] {
  const isTab = ({ code }: YAMLError) => Number(code === 'TAB_AS_INDENT');
  const [first] = slips.toSorted((left, right) => left.pos[0] - right.pos[0] || isTab(right) - isTab(left));
  if (first === undefined) return [];
  const { code, message } = first;
  const [offset] = first.pos;
  if (code === 'TAG_RESOLVE_FAILED')
    return [makeError('custom-tag', 'Tags are not supported. Remove it.', offset)];
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (AFTER_NODE.test(message) && /[:-]\s+\{\{[^"']*$/.test(line))
    return [makeError('yaml-syntax', QUOTE_BRACES, offset)];
  if (AFTER_NODE.test(message) && /:\s+\S*\$$/.test(line))
    return [makeError('yaml-syntax', QUOTE_ENVIRONMENT, offset)];
  const advice = ADVICE[code] ?? 'Check this line and the one above it.';
  return [makeError('yaml-syntax', `${message.replace(/[.\s]+$/, '')}. ${advice}`, offset)];
}

/** The offset of the value or key. If it does not exist, the offset of the nearest node around it. */
function findOffset(document: Document | null, path: Path, at: Spot): number {
  let node: unknown = document?.contents;
  let offset = readOffset(node);
  for (const [index, step] of path.entries()) {
    const found = isMap(node) ? indexPairs(node).get(String(step)) : null;
    const value: unknown = isSeq(node) && typeof step === 'number' ? node.items[step] : found?.value;
    if (value === undefined) return offset;
    node = value;
    const isKey = (at === 'key' && index === path.length - 1) || isUnwritten(node);
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

/** Finds what the parser accepts and these files do not, in the order of the text. */
class NodeCheck {
  readonly problems: Problem[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  check(node: unknown, isAroundFlow: boolean): void {
    if (!isNode(node)) return;
    if (isAlias(node) || node.anchor !== undefined) this.#complain('yaml-alias', node, ALIAS);
    const isFlow = isAroundFlow || ((isMap(node) || isSeq(node)) && node.flow === true);
    if (isScalar(node)) this.#checkScalar(node, isAroundFlow);
    else if (isSeq(node)) for (const item of node.items) this.check(item, isFlow);
    else if (isMap(node)) this.#checkMap(node, isFlow);
  }

  #checkMap(map: YAMLMap, isFlow: boolean): void {
    const names = new Set<string>();
    for (const { key, value } of map.items) {
      const name = readKey(key);
      if (name === undefined) {
        const advice = isMap(key) ? QUOTE_BRACES : 'A key must be a plain word. Write `key: value`.';
        this.#complain('key-not-text', key, advice);
        continue;
      }
      if (names.has(name)) this.#complain('duplicate-key', key, `"${name}" occurs twice. Remove one.`);
      names.add(name);
      if (isScalar(key) && isScalar(value)) this.#complainOfHidden(key, value);
      this.check(value, isFlow);
    }
  }

  #checkScalar(node: Scalar, isInBrackets: boolean): void {
    if (typeof node.value !== 'number') this.#complainOfCut(node, isInBrackets);
    if (typeof node.value === 'string') this.#warnOfDisguises(node.value, node.range);
  }

  /** YAML reads ` #SAVE20` behind a text without quotes as a comment, so fans would get half of the text. */
  #complainOfCut({ value, source, type, range, comment }: Scalar, isInBrackets: boolean): void {
    if (type !== 'PLAIN' || !range || !(typeof value === 'string' || source === '')) return;
    const [text] = MAY_BE_TEXT.exec(`#${comment ?? ''}`) ?? [];
    if (text === undefined) return;
    const offset = this.#text.indexOf('#', range[1]);
    // On a line of its own, it is an entry that is turned off. A text without brackets would go on there.
    const isApart = this.#text.slice(range[1], offset).includes('\n');
    if (isApart && (isInBrackets || source === '')) return;
    const lost = (isInBrackets ? text.replace(BRACKET_OR_COMMA, '') : text).trimEnd();
    this.#complainOfLost(lost, source === '' ? lost : `${String(value)} ${lost}`, offset);
  }

  /** A comment behind a key, if its value is on the next line. */
  #complainOfHidden(key: Scalar, { value, type, range }: Scalar): void {
    if (type !== 'PLAIN' || typeof value !== 'string' || !range || !key.range) return;
    const [, lost] = BEHIND_KEY.exec(this.#text.slice(key.range[1], range[0])) ?? [];
    if (lost !== undefined) this.#complainOfLost(lost, `${lost} ${value}`, range[0]);
  }

  #complainOfLost(lost: string, whole: string, offset: number): void {
    const message = `YAML reads a # after a space as a comment, so "${lost}" would be lost. Write the value in quotes: ${JSON.stringify(whole)}. If it is a comment, write a space after the #.`;
    this.problems.push(makeError('text-cut', message, offset));
  }

  #warnOfDisguises(value: string, range: Scalar['range']): void {
    const [start, end] = range ?? [0, 0];
    for (const { code, message, part } of disguisesIn(value)) {
      const found = this.#text.indexOf(part, start);
      // A text may have it as an escape.
      const offset = found === -1 || found >= end ? start : found;
      this.problems.push({ severity: 'warning', code, message, offset });
    }
  }

  #complain(code: DiagnosticCode, node: unknown, message: string): void {
    this.problems.push(makeError(code, message, readOffset(node)));
  }
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

/** True for the empty value of `key:`, which has no place. */
function isUnwritten(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null && node.source === '');
}
