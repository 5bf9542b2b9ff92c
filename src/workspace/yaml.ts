import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Parser,
  type Alias,
  type CST,
  type ErrorCode,
  type Node,
  type Pair,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { disguisesIn } from '../domain/lookalikes.ts';
import type { SourcePlace } from '../domain/resource.ts';
import type { Path, Placed, Spot } from './findings.ts';
import { TextPlaces, unprintableOffset } from './text.ts';

export interface ReadYaml {
  /** Null if the text is not YAML. */
  readonly source: YamlSource | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one YAML file. Problems are returned as diagnostics, and nothing is thrown. */
export function readYaml(file: string, raw: string): ReadYaml {
  const text = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
  const places = new TextPlaces(file, text);
  const document = readDocument(text);
  const diagnostics = document.problems.map((problem): Diagnostic => {
    const { severity = 'error', code, message, offset } = problem;
    return { severity, code, message, ...places.at(offset) };
  });
  return { source: document.isBroken ? null : new YamlSource(file, text, document), diagnostics };
}

/** A YAML file that was read: its plain value, and the places of all parts. */
export class YamlSource implements Placed {
  readonly file: string;
  readonly #text: string;
  #document: YamlDocument | null;
  #places: TextPlaces | null = null;

  constructor(file: string, text: string, document: YamlDocument) {
    this.file = file;
    this.#text = text;
    this.#document = document;
  }

  get value(): unknown {
    return this.#read().value;
  }

  /** The place of a value or key, or of the nearest written one around it. */
  placeOf(path: Path, at: Spot = 'value'): SourcePlace {
    this.#places ??= new TextPlaces(this.file, this.#text);
    return this.#places.at(this.#read().offsetAt(path, at));
  }

  /** Frees the nodes, which take several times the memory of the text. They are parsed again for a message. */
  release(): void {
    this.#document = null;
    this.#places = null;
  }

  #read(): YamlDocument {
    this.#document ??= readDocument(this.#text);
    return this.#document;
  }
}

interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly offset: number;
  /** An error, if it is not given. */
  readonly severity?: 'warning';
}

/** Limit for one file: larger than any real one, and read within seconds. */
const FILE_LENGTH_MAX = 2 * 1024 * 1024;

function readDocument(text: string): YamlDocument {
  const unprintable = unprintableOffset(text);
  if (text.length > FILE_LENGTH_MAX) {
    const message = `This file is longer than ${FILE_LENGTH_MAX} characters. Split it into several files.`;
    return new YamlDocument(null, text, [{ code: 'file-too-large', message, offset: FILE_LENGTH_MAX }]);
  }
  if (unprintable !== -1) {
    const message = 'This character cannot be read. Save the file as UTF-8 text.';
    return new YamlDocument(null, text, [{ code: 'not-text', message, offset: unprintable }]);
  }
  const { contents, problems } = parse(text);
  return new YamlDocument(contents, text, problems);
}

/** YAML 1.2 core: `off` and `18:00` stay text. Duplicate keys are found by `YamlDocument`. */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
} as const;

/**
 * Parses one document. This is `parseDocument` with a bound: the composer recurses, and running out of stack inside a
 * regular expression ends the process instead of throwing.
 */
function parse(text: string): { readonly contents: unknown; readonly problems: readonly Problem[] } {
  const parser = new BoundedParser();
  try {
    const documents = new Composer(OPTIONS).compose(parser.parse(text), true, text.length);
    const first = documents.next();
    const second = documents.next();
    if (first.done === true) return { contents: null, problems: [] };
    const { errors, warnings, directives, contents } = first.value;
    const problems = describeSlips(text, [...errors, ...warnings]);
    if (directives.yaml.explicit === true && directives.yaml.version !== '1.2') {
      const message = `%YAML ${directives.yaml.version} is not supported. Remove the line; these files are YAML 1.2.`;
      problems.unshift({ code: 'yaml-version', message, offset: 0 });
    }
    if (second.done !== true)
      problems.push({
        code: 'several-documents',
        message: 'A second document begins here. Put each into its own file.',
        offset: second.value.range[0],
      });
    return { contents, problems };
  } catch (cause) {
    if (!(cause instanceof TooDeep)) throw cause;
    return {
      contents: null,
      problems: [{ code: 'yaml-too-deep', message: TOO_DEEP, offset: parser.offset }],
    };
  }
}

/** Deeper than any valid file. */
const DEPTH_MAX = 64;

/** The parser keeps a document, a scalar and a few others on its stack besides the collections. */
const STACK_MAX = DEPTH_MAX + 8;

const TOO_DEEP = 'Nested too deeply. Check the brackets.';

class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

class BoundedParser extends Parser {
  override next(source: string): Generator<CST.Token, void> {
    if (this.stack.length > STACK_MAX) throw new TooDeep(TOO_DEEP);
    return super.next(source);
  }
}

/** One mistake can make all later lines look wrong, so only the first ones are reported. */
const SLIPS_SHOWN_MAX = 20;

/** For a text that begins with a variable: YAML reads `{{` as the start of a map. */
const QUOTE_BRACES = 'A text that begins with {{ needs quotes: "{{name}} …".';

/** How to fix common mistakes. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'In double quotes, write each backslash twice, or use single quotes.',
  BAD_INDENT: 'Check the indentation and the brackets.',
  BAD_SCALAR_START: 'Put the text in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text with ": " in quotes.',
  MISSING_CHAR: 'Check quotes, commas and brackets.',
  TAB_AS_INDENT: 'Indent with spaces.',
};

const OUT_OF_PLACE = /^Unexpected \S+ token in YAML stream/;
const AFTER_NODE = /^Unexpected \S+ at node end/;

/** Problems of the syntax, in the order of the text. */
function describeSlips(text: string, slips: readonly YAMLError[]): Problem[] {
  const tab = slips.find(({ code }) => code === 'TAB_AS_INDENT');
  // If a document ends too early, everything after it is reported word by word. After a tab, too.
  const end = slips.find(({ message }) => OUT_OF_PLACE.test(message));
  return slips
    .filter((slip) => slip === end || !OUT_OF_PLACE.test(slip.message))
    .filter((slip) => tab === undefined || slip === tab || slip.pos[0] < tab.pos[0])
    .sort((left, right) => left.pos[0] - right.pos[0])
    .slice(0, SLIPS_SHOWN_MAX)
    .map((slip) => describeSlip(text, slip));
}

function describeSlip(text: string, { code, message, pos: [offset] }: YAMLError): Problem {
  if (code === 'TAG_RESOLVE_FAILED')
    return { code: 'custom-tag', message: 'Tags are not supported. Remove it.', offset };
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (AFTER_NODE.test(message) && /[:-]\s+\{\{[^"']*$/.test(line))
    return { code: 'yaml-syntax', message: QUOTE_BRACES, offset };
  const advice = ADVICE[code] ?? 'Check this line and the one above it.';
  return { code: 'yaml-syntax', message: `${message.replace(/[.\s]+$/, '')}. ${advice}`, offset };
}

/** Limit for nodes that aliases add to one file: enough for real use, too few to exhaust memory. */
const ALIASED_NODES_MAX = 1_000_000;

/**
 * The nodes of a document as plain values. `Document.toJS` is not used because it looks for duplicate keys in
 * quadratic time, merges `__proto__`, and refuses an anchor that is used more than a hundred times.
 */
class YamlDocument {
  readonly problems: Problem[];
  readonly isBroken: boolean;
  readonly value: unknown;
  readonly #root: unknown;
  readonly #text: string;
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node>();
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  #insideAliases = 0;
  /** How many lists and maps in brackets are around the node. */
  #insideBrackets = 0;
  #aliasedNodes = 0;

  constructor(root: unknown, text: string, broken: readonly Problem[]) {
    this.#root = root;
    this.#text = text;
    this.problems = [];
    this.value = this.#readNode(root, 0);
    // The keys of a merge would be called missing.
    this.isBroken = broken.length > 0 || this.problems.some(({ code }) => code === 'merge-key');
    // A comment that begins too early often breaks the brackets around it.
    if (broken.length > 0)
      this.problems = [...this.problems.filter(({ code }) => code === 'text-cut'), ...broken];
  }

  /** The offset of the value or key. If it does not exist, the offset of the nearest node around it. */
  offsetAt(path: Path, at: Spot): number {
    let node = this.#root;
    let offset = readOffset(node);
    for (const [index, step] of path.entries()) {
      const found = this.#step(node, step);
      if (found === undefined) return offset;
      node = found.value;
      const isLast = index === path.length - 1;
      offset = readOffset((isLast && at === 'key') || isUnwritten(node) ? (found.key ?? node) : node);
    }
    return offset;
  }

  #step(parent: unknown, step: string | number): Pick<Pair, 'key' | 'value'> | undefined {
    const node = this.#resolve(parent);
    if (isMap(node)) return this.#pairsOf(node).get(String(step));
    const value = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
    return value === undefined ? undefined : { key: null, value };
  }

  /** Indexed, so that looking up every key of a large map stays linear. */
  #pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const pairs = new Map<string, Pair>();
    for (const pair of map.items) {
      const key = keyText(pair.key);
      if (key !== undefined && !pairs.has(key)) pairs.set(key, pair);
    }
    this.#pairs.set(map, pairs);
    return pairs;
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? this.#targets.get(node) : node;
  }

  #readNode(node: unknown, depth: number): unknown {
    if (this.#insideAliases > 0) this.#aliasedNodes += 1;
    if (isScalar(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
      if (this.#insideAliases === 0) this.#checkText(node);
      return node.value;
    }
    if (isAlias(node)) return this.#readAlias(node, depth);
    if (!isMap(node) && !isSeq(node)) return null;
    if (depth >= DEPTH_MAX) {
      this.#complain('yaml-too-deep', node, `More than ${DEPTH_MAX} levels deep. Check the indentation.`);
      return null;
    }
    if (node.flow === true) this.#insideBrackets += 1;
    const value = isMap(node)
      ? this.#readMap(node, depth)
      : node.items.map((item) => this.#readNode(item, depth + 1));
    if (node.flow === true) this.#insideBrackets -= 1;
    // Set after the node was read: an alias inside its own anchor would never end.
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    return value;
  }

  #readMap(map: YAMLMap, depth: number): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (const { key, value: node } of map.items) {
      const name = keyText(key);
      if (name === undefined) {
        const advice = isMap(key) ? QUOTE_BRACES : 'A key must be a plain word. Write `key: value`.';
        this.#complain('key-not-text', key, advice);
        continue;
      }
      const value = this.#readNode(node, depth + 1);
      if (name === '<<') this.#complain('merge-key', key, MERGE_KEY);
      else if (name === '__proto__')
        this.#complain('unknown-key', key, '"__proto__" is not allowed as a key. Remove it.');
      else if (Object.hasOwn(record, name))
        this.#complain('duplicate-key', key, `"${name}" occurs twice. Remove one.`);
      else record[name] = value;
    }
    return record;
  }

  #readAlias(alias: Alias, depth: number): unknown {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      this.#complain('unknown-anchor', alias, `Unknown anchor &${alias.source}. Check the spelling.`);
      return null;
    }
    if (this.#aliasedNodes > ALIASED_NODES_MAX) {
      this.#complain('alias-limit', alias, 'Aliases make this file too large. Write the values out.');
      return null;
    }
    this.#targets.set(alias, target);
    this.#insideAliases += 1;
    const value = this.#readNode(target, depth + 1);
    this.#insideAliases -= 1;
    return value;
  }

  #checkText(node: Scalar): void {
    if (typeof node.value !== 'number') this.#complainOfCut(node);
    if (typeof node.value === 'string') this.#warnOfDisguises(node.value, node.range);
  }

  /** YAML reads ` #SAVE20` behind a text without quotes as a comment, so fans would get half of the text. */
  #complainOfCut({ value, source, type, range }: Scalar): void {
    if (type !== 'PLAIN' || !range || !(typeof value === 'string' || source === '')) return;
    MAY_BE_TEXT.lastIndex = range[1];
    const [all = '', comment] = MAY_BE_TEXT.exec(this.#text) ?? [];
    if (comment === undefined) return;
    const offset = range[1] + all.length - comment.length;
    const isInBrackets = this.#insideBrackets > 0;
    const mayGoOn = source !== '' && !isInBrackets && goesOnAt(offset, range[0], this.#text);
    if (all.includes('\n') && !mayGoOn) return;
    const lost = (isInBrackets ? comment.replace(BRACKET_OR_COMMA, '') : comment).trimEnd();
    const whole = JSON.stringify(source === '' ? lost : `${String(value)} ${lost}`);
    const message = `YAML reads a # after a space as a comment, so "${lost}" would be lost. Write the value in quotes: ${whole}. If it is a comment, write a space after the #.`;
    this.problems.push({ code: 'text-cut', message, offset });
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
    this.problems.push({ code, message, offset: readOffset(node) });
  }
}

const MERGE_KEY =
  'Merge keys (<<) are not supported. Write the keys out, or use an alias for one value: `rules: *base`.';

/** A comment right behind a value. With a space after its `#` it is meant as one, without it may be text. */
const MAY_BE_TEXT = /\s*(#+[^\s#].*)/y;

/** A plain value in brackets ends at one of these. */
const BRACKET_OR_COMMA = /[,[\]{}].*/;

/** Whether the line at `offset` is indented so far that it would continue the value that begins at `start`. */
function goesOnAt(offset: number, start: number, text: string): boolean {
  const columnOf = (at: number) => at - text.lastIndexOf('\n', at - 1) - 1;
  const before = text.slice(start - columnOf(start), start);
  const indent = /^[\s-]*/.exec(before)?.[0].length ?? 0;
  return columnOf(offset) >= (indent === before.length ? indent : indent + 1);
}

/** A key as text: `101:` and `true:` count as the letters that are written. */
function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === 'string') return key.value;
  return key.value === null || key.value === undefined
    ? undefined
    : (key.source ?? JSON.stringify(key.value));
}

function readOffset(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
}

/** True for the empty value of `key:`, which has no place. */
function isUnwritten(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null && node.source === '');
}
