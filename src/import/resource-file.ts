import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Pair,
  parse,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
  type Document,
  type ToStringOptions,
} from 'yaml';
import { canonical } from '../domain/digest.ts';
import { KIND_ROWS, KINDS_IN_FILES, type Kind, type SourcePlace } from '../domain/resource.ts';
import { isForm, type Form, type Mark, type Plain } from './form.ts';

/** Print options. Lines are not folded, because the line breaks of a text matter. */
export const PRINTED = {
  lineWidth: 0,
  flowCollectionPadding: false,
  singleQuote: true,
  // A quoted text stays on one line, because a part like `---` would be read differently.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const satisfies ToStringOptions;

/** A resource for a file, once for all accounts with the same content. */
export interface Folded {
  /** Sorted. */
  readonly accounts: readonly string[];
  readonly kind: Kind;
  readonly name: string;
  readonly form: Form;
  readonly marks: readonly Mark[];
}

/** A resource file that is written: comments and order stay, and it is printed in one style. */
export class ResourceFile {
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  readonly #options: ToStringOptions;
  readonly #lineEnd: string;
  /** Number of resources that were changed or added. */
  written = 0;

  /** `text` was accepted by the loader. */
  constructor(text: string) {
    this.#document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      // Texts that an older reader takes for something else are quoted.
      compat: 'yaml-1.1',
      merge: false,
      lineCounter: this.#lines,
    });
    // As the file has it, so that fewer lines change.
    this.#options = {
      ...PRINTED,
      indentSeq: !/^- /m.test(text),
      flowCollectionPadding: /\{ \S/.test(text),
    };
    this.#lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** A file without resources. */
  static create(accounts: readonly string[]): ResourceFile {
    const file = new ResourceFile('accounts: []\n');
    file.#document.commentBefore =
      ' Written by herald import from live state. From now on, this file decides.';
    file.#document.set('accounts', accountsNode(accounts));
    return file;
  }

  /** A copy of the resource at a place. Null if it uses YAML anchors or aliases (`&`, `*`). */
  copy(place: SourcePlace): YAMLMap | null {
    const node = this.#find(place);
    return node === undefined || sharesNodes(node) ? null : (node.clone() as YAMLMap);
  }

  /** Puts a changed copy in its place. */
  replace(place: SourcePlace, copy: YAMLMap): void {
    const node = this.#find(place);
    if (node === undefined) throw new RangeError(`nothing begins at ${place.line}:${place.column}`);
    node.items = copy.items;
    this.written += 1;
  }

  /** Adds a resource after those of its kind. */
  append({ kind, accounts, form, marks }: Folded): void {
    const own = this.#document.get('accounts', true);
    const isUsual = isSeq(own) && canonical(own.toJS(this.#document)) === canonical(accounts);
    const node = toNode(form) as YAMLMap;
    if (!isUsual) node.items.splice(1, 0, keyed('accounts', accountsNode(accounts)));
    for (const { path, comment } of marks) {
      const marked = node.getIn([...path], true);
      if (isScalar(marked)) marked.comment = ` TODO: ${comment}`;
    }
    const key = KIND_ROWS[kind].plural;
    const list = this.#document.get(key, true);
    if (isSeq(list)) {
      node.spaceBefore = list.items.length > 0;
      list.flow = false;
      list.add(node);
    } else {
      const fresh = new YAMLSeq();
      fresh.items = [node];
      const pair = keyed(key, fresh);
      pair.key.spaceBefore = true;
      const { contents } = this.#document;
      if (isMap(contents)) {
        contents.delete(key);
        (contents as YAMLMap).add(pair);
      }
    }
    this.written += 1;
  }

  toText(): string {
    const printed = this.#document.toString(this.#options);
    const escaped = printed.replace(
      ESCAPED,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    // Outside of double quotes, an escape would be another text.
    const text = canonical(parse(escaped)) === canonical(parse(printed)) ? escaped : printed;
    return text.replaceAll('\n', this.#lineEnd);
  }

  #find({ line, column }: SourcePlace): YAMLMap | undefined {
    const resources = KINDS_IN_FILES.flatMap((kind) => {
      const list = this.#document.get(KIND_ROWS[kind].plural, true);
      return isSeq(list) ? list.items.filter((item): item is YAMLMap => isMap(item)) : [];
    });
    return resources.find((node) => {
      const at = this.#lines.linePos(node.range?.[0] ?? 0);
      return at.line === line && at.col === column;
    });
  }
}

/** True if nodes are shared by an anchor: a change would be one of all uses. */
function sharesNodes(root: YAMLMap): boolean {
  let shares = false;
  visit(root, (_key, node) => {
    if (isAlias(node)) shares = true;
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) shares = true;
    return shares ? visit.BREAK : undefined;
  });
  return shares;
}

/** Sets a value of a mapping; a comment on the old one stays. A new value goes behind the first key, a new list to the end. */
export function setValue(map: YAMLMap, key: string, value: Plain): void {
  const node = toNode(value);
  const pair = map.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair === undefined) map.items.splice(isScalar(node) ? 1 : map.items.length, 0, keyed(key, node));
  else {
    if (isScalar(pair.value) && isScalar(node)) node.comment = pair.value.comment ?? null;
    pair.value = node;
  }
}

type PlainNode = Scalar | YAMLMap | YAMLSeq;

/** A plain value as a node. */
export function toNode(value: Plain): PlainNode {
  if (isForm(value)) {
    const map = new YAMLMap();
    for (const [key, member] of Object.entries(value)) map.add(keyed(key, toNode(member)));
    return map;
  }
  if (typeof value === 'object' && value !== null) {
    const list = new YAMLSeq();
    list.items = value.map(toNode);
    return list;
  }
  const scalar = new Scalar(value);
  if (typeof value === 'string' && value.includes('\n')) scalar.type = 'BLOCK_LITERAL';
  if (typeof value === 'string' && needsEscapes(value)) scalar.type = 'QUOTE_DOUBLE';
  // Prices have two decimals.
  if (typeof value === 'number' && !Number.isInteger(value)) scalar.minFractionDigits = 2;
  return scalar;
}

function keyed(key: string, value: PlainNode): Pair<Scalar<string>, PlainNode> {
  return new Pair(new Scalar(key), value);
}

/** Longer lists of aliases are written with one per line. */
const FLOW_LENGTH_MAX = 56;

function accountsNode(accounts: readonly string[]): YAMLSeq {
  const node = new YAMLSeq();
  node.items = accounts.map(toNode);
  node.flow = accounts.join(', ').length <= FLOW_LENGTH_MAX;
  return node;
}

/** Characters that are written as escapes, because they are invisible, change the direction of text, or are not allowed in files. */
const ESCAPED = /[\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]/g;

/** Texts that are not clear on every screen, or that an editor could change: lines with a space at an end. */
export function needsEscapes(text: string): boolean {
  if (text.search(ESCAPED) !== -1 || /(?!\n)\p{Cc}|\p{Cs}/u.test(text)) return true;
  return text.includes('\n') && (/^\s|\s$/.test(text) || /[^\S\n]\n/.test(text));
}
