import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parse,
  parseDocument,
  visit,
  type Node,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { DAYS_TO_WRITE, FAN_LIST_TO_NAME } from '../domain/content.ts';
import { canonical } from '../domain/digest.ts';
import { isMembers } from '../domain/field-path.ts';
import { KIND_ROWS, KINDS_IN_FILES, type Kind, type SourcePlace } from '../domain/resource.ts';
import { YAML_OPTIONS } from '../workspace/yaml.ts';

/** Lines are not folded, because the line breaks of a text matter. */
export const PRINTED = {
  lineWidth: 0,
  flowCollectionPadding: false,
  singleQuote: true,
  // A quoted text stays on one line, because a part like `---` would be read differently.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const satisfies ToStringOptions;

export type Plain = string | number | boolean | null | readonly Plain[] | Form;

/** A resource, or a part of one, for a file, with keys in the usual order. A member without a value is left out. */
export interface Form {
  readonly [key: string]: Plain | undefined;
}

/** The mappings of a list. None of another value. */
export function formsIn(value: Plain | undefined): readonly Form[] {
  return Array.isArray(value) ? value.filter((item: Plain): item is Form => isMembers(item)) : [];
}

/** Texts that an older reader takes for something else are quoted. */
const OPTIONS = { ...YAML_OPTIONS, compat: 'yaml-1.1' } as const;

const NEW_FILE =
  '# Written by herald import from live state. From now on, this file decides.\n\naccounts: []\n';

/** A resource file that is written: comments and order stay, and it is printed in one style. */
export class ResourceFile {
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  readonly #text: string;

  /** `text` was accepted by the loader. */
  constructor(text: string) {
    this.#text = text;
    // In a comment of several lines, the parser would keep the first half of each line end.
    this.#document = parseDocument(text.replaceAll('\r\n', '\n'), { ...OPTIONS, lineCounter: this.#lines });
  }

  static create(accounts: readonly string[]): ResourceFile {
    const file = new ResourceFile(NEW_FILE);
    file.#document.set('accounts', makeAccounts(accounts));
    return file;
  }

  read(place: SourcePlace): Form {
    return this.#find(place).toJSON() as Form;
  }

  /** Changes the resource at a place. Its parts that are equal stay as they are written. */
  replace(place: SourcePlace, form: Form): void {
    rewrite(this.#find(place), form);
  }

  #find({ line, column }: SourcePlace): YAMLMap {
    const resources = KINDS_IN_FILES.flatMap((kind) => {
      const list = this.#document.get(KIND_ROWS[kind].plural, true);
      return isSeq(list) ? list.items.filter((item) => isMap(item)) : [];
    });
    const found = resources.find((node) => {
      const at = this.#lines.linePos(node.range?.[0] ?? 0);
      return at.line === line && at.col === column;
    });
    if (found === undefined) throw new RangeError(`nothing begins at ${line}:${column}`);
    return found;
  }

  /** Adds a resource for sorted accounts after those of its kind. */
  append(kind: Kind, accounts: readonly string[], form: Form): void {
    const own = this.#document.get('accounts', true);
    const isUsual = isSeq(own) && canonical(own.toJSON()) === canonical(accounts);
    const node = toNode(form) as YAMLMap;
    if (!isUsual) node.items.splice(1, 0, MAKER.createPair('accounts', makeAccounts(accounts)));
    const key = KIND_ROWS[kind].plural;
    const list = this.#document.get(key, true);
    if (isSeq(list)) {
      node.spaceBefore = list.items.length > 0;
      list.flow = false;
      list.add(node);
    } else {
      const pair = MAKER.createPair(key, [node]);
      if (isScalar(pair.key)) pair.key.spaceBefore = true;
      this.#document.delete(key);
      this.#document.add(pair);
    }
  }

  /** In the style of the file, so that fewer lines change. */
  toText(): string {
    const printed = this.#document.toString({
      ...PRINTED,
      indentSeq: !/^- /m.test(this.#text),
      flowCollectionPadding: /\{ \S/.test(this.#text),
    });
    const escaped = printed.replace(
      ESCAPED,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    // Outside of double quotes, an escape would be another text.
    const text = canonical(parse(escaped)) === canonical(parse(printed)) ? escaped : printed;
    return this.#text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  }
}

/** Makes a written value equal to another one. Each part that is equal already stays as it is, with its comments. */
function rewrite(node: unknown, value: Plain): unknown {
  if (isMap(node) && isMembers(value)) return rewriteMap(node, value);
  if (isSeq(node) && Array.isArray(value)) return rewriteList(node, value);
  if (isScalar(node) && node.value === value) return node;
  const made = toNode(value);
  if (isScalar(node) && isScalar(made)) made.comment = node.comment ?? null;
  return made;
}

/** A new value goes behind the first key, a new list or map to the end. */
function rewriteMap(map: YAMLMap, members: Form): YAMLMap {
  for (const key of Object.keys(map.toJSON())) if (members[key] === undefined) map.delete(key);
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const pair = map.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (pair !== undefined) pair.value = rewrite(pair.value, value);
    else {
      const made = toNode(value);
      map.items.splice(isScalar(made) ? 1 : map.items.length, 0, MAKER.createPair(key, made));
    }
  }
  return map;
}

/** An item that is equal stays, wherever it is now. Another one takes the place of the item at its index. */
function rewriteList(list: YAMLSeq, values: readonly Plain[]): YAMLSeq {
  const kept = new Set<unknown>();
  const equal = values.map((value) => {
    const same = list.items.find(
      (item) => !kept.has(item) && isNode(item) && canonical(item.toJSON()) === canonical(value),
    );
    kept.add(same);
    return same;
  });
  list.items = values.map((value, index) => {
    const there = list.items[index];
    return equal[index] ?? rewrite(kept.has(there) ? undefined : there, value);
  });
  return list;
}

const MAKER = new Document(null, OPTIONS);

/** A plain value as a node, with a comment on each value that a person has to fill in. */
function toNode(value: Plain): Node {
  const node = MAKER.createNode(value, { aliasDuplicateObjects: false });
  visit(node, {
    Scalar: (_key, scalar) => {
      const { value: part } = scalar;
      if (typeof part === 'string' && part.includes('\n')) scalar.type = 'BLOCK_LITERAL';
      if (typeof part === 'string' && needsEscapes(part)) scalar.type = 'QUOTE_DOUBLE';
      // Prices have two decimals.
      if (typeof part === 'number' && !Number.isInteger(part)) scalar.minFractionDigits = 2;
      const comment = describeTodo(part);
      if (comment !== null) scalar.comment = ` TODO: ${comment}`;
    },
  });
  return node;
}

/** What a person has to fill in, because the service does not return it. Null for any other value. */
function describeTodo(value: unknown): string | null {
  if (value === DAYS_TO_WRITE)
    return 'the service never returns a range in days; write from_days and to_days, or remove this line if it has none';
  return typeof value === 'string' && value.startsWith(FAN_LIST_TO_NAME)
    ? 'the service never returns this name; write it here'
    : null;
}

/** Everything that a person has to fill in, in the order of the file. */
export function listTodos(value: Plain | undefined): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listTodos);
  const todo = describeTodo(value);
  return todo === null ? [] : [todo];
}

/** Longer lists of aliases are written with one per line. */
const FLOW_LENGTH_MAX = 56;

function makeAccounts(accounts: readonly string[]): YAMLSeq {
  const node = MAKER.createNode(accounts) as YAMLSeq;
  node.flow = accounts.join(', ').length <= FLOW_LENGTH_MAX;
  return node;
}

/** Characters that are written as escapes, because they are invisible, change the direction of text, or are not allowed in files. */
const ESCAPED = /[\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]/g;

/** Texts that are not clear on every screen, or that an editor could change: lines with a space at an end. */
function needsEscapes(text: string): boolean {
  if (text.search(ESCAPED) !== -1 || /(?!\n)\p{Cc}|\p{Cs}/u.test(text)) return true;
  return text.includes('\n') && (/^\s|\s$/.test(text) || /[^\S\n]\n/.test(text));
}
