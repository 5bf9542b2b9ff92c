import {
  Document,
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
  type ToStringOptions,
} from 'yaml';
import { canonical } from '../domain/digest.ts';
import { KIND_ROWS, KINDS_IN_FILES } from '../domain/resource.ts';
import { unprintableOffset } from '../workspace/text.ts';
import { isForm, isList, type Folded, type Form, type FormPath, type Plain } from './form.ts';

/** Print options. Lines are not folded, because the line breaks of a text matter. */
export const PRINTED = {
  lineWidth: 0,
  flowCollectionPadding: false,
  singleQuote: true,
  // A quoted text stays on one line, because a part like `---` would be read differently.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const satisfies ToStringOptions;

/** The place of a resource in its file, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
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
      merge: false,
      lineCounter: this.#lines,
    });
    this.#options = { ...PRINTED, ...readHabits(text) };
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

  #resources(): readonly YAMLMap[] {
    return KINDS_IN_FILES.flatMap((kind) => {
      const list = this.#document.get(KIND_ROWS[kind].plural, true);
      return isSeq(list) ? list.items.filter((item): item is YAMLMap => isMap(item)) : [];
    });
  }

  /** The `text_file:` of all messages. */
  listTextFiles(): readonly string[] {
    return this.#resources().flatMap((resource) => {
      const { messages }: { readonly messages?: unknown } = resource.toJS(this.#document);
      const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
      return all.flatMap((message) =>
        isForm(message) && typeof message['text_file'] === 'string' ? [message['text_file']] : [],
      );
    });
  }

  /** A copy of the resource at a place. Null if it uses YAML anchors or aliases (`&`, `*`). */
  copy(place: Place): YAMLMap | null {
    const node = this.#find(place);
    return node === undefined || sharesNodes(node) ? null : (node.clone() as YAMLMap);
  }

  /** Puts a changed copy in its place. */
  replace(place: Place, copy: YAMLMap): void {
    const node = this.#find(place);
    if (node === undefined) throw new RangeError(`nothing begins at ${place.line}:${place.column}`);
    node.items = copy.items;
    this.written += 1;
  }

  /** Adds a resource after those of its kind. */
  append({ kind, accounts, form, marks }: Folded): void {
    const own = this.#document.get('accounts', true);
    const isUsual = isSeq(own) && canonical(own.toJS(this.#document)) === canonical(accounts);
    const node = mapNode(form);
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
    const escaped = escapeUnseen(printed);
    // Outside of double quotes, an escape would be another text.
    const text = canonical(parse(escaped)) === canonical(parse(printed)) ? escaped : printed;
    return text.replaceAll('\n', this.#lineEnd);
  }

  #find({ line, column }: Place): YAMLMap | undefined {
    return this.#resources().find((node) => {
      const { line: atLine, col } = this.#lines.linePos(node.range?.[0] ?? 0);
      return atLine === line && col === column;
    });
  }
}

/** The indentation and padding of the file, for new lines. */
function readHabits(text: string): ToStringOptions {
  const list = /^(?:campaigns|broadcasts):[^\S\n]*(?:#.*)?\n(?:[^\S\n]*(?:#.*)?\n)*( *)-( +)/m.exec(text);
  return {
    indentSeq: list === null || list[1] !== '',
    flowCollectionPadding: /\{ \S/.test(text),
  };
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

/** The usual order of keys. A new key goes before the first that follows it. */
const KEY_ORDER: readonly string[] = [
  'name',
  'accounts',
  'status',
  'renamed_from',
  'trigger',
  'action',
  'scheduled_at',
  'scheduled_at_timezone',
  'rules',
  'audience',
  'audience_filters',
  'text',
  'text_file',
  'price_gross',
  'text_is_paid',
  'delay_sec',
  'attachments',
  'tagged_platform_account_ids',
  'messages',
  'replace',
  'old_queue',
];

/** Sets a value, and adds missing parents, such as `rules` for the first rule. */
export function setValue(root: YAMLMap, path: FormPath, value: Plain): void {
  const [key = '', ...below] = path;
  const pair = root.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (below.length > 0 && isMap(pair?.value)) {
    setValue(pair.value, below, value);
    return;
  }
  const whole = below.toReversed().reduce<Plain>((inner, step) => ({ [step]: inner }), value);
  const node = toNode(whole);
  if (pair !== undefined) {
    if (isScalar(pair.value) && isScalar(node)) keepLooks(pair.value, node);
    pair.value = node;
    return;
  }
  const rank = KEY_ORDER.indexOf(String(key));
  const next = root.items.findIndex(
    (item) => isScalar(item.key) && KEY_ORDER.indexOf(String(item.key.value)) > rank,
  );
  root.items.splice(next === -1 || rank === -1 ? root.items.length : next, 0, keyed(String(key), node));
}

export function removeValue(root: YAMLMap, path: FormPath): void {
  const parent = path.length === 1 ? root : root.getIn(path.slice(0, -1), true);
  if (isMap(parent)) parent.delete(path.at(-1));
}

const QUOTES: readonly unknown[] = ['QUOTE_SINGLE', 'QUOTE_DOUBLE'];

/** Keeps the comment and the quotes of a value. */
function keepLooks(old: Scalar, fresh: Scalar): void {
  if (old.comment !== null && old.comment !== undefined) fresh.comment = old.comment;
  if (typeof fresh.value !== 'string' || chooseStyle(fresh.value) === 'QUOTE_DOUBLE') return;
  if (QUOTES.includes(old.type) && !fresh.value.includes('\n') && old.type !== undefined)
    fresh.type = old.type;
}

type PlainNode = Scalar | YAMLMap | YAMLSeq;

/** A plain value as a node in the most readable style. */
export function toNode(value: Plain): PlainNode {
  if (typeof value === 'string') return textNode(value);
  if (isForm(value)) return mapNode(value);
  if (isList(value)) {
    const list = new YAMLSeq();
    list.items = value.map(toNode);
    return list;
  }
  const scalar = new Scalar(value);
  // Prices have two decimals.
  if (typeof value === 'number' && !Number.isInteger(value)) scalar.minFractionDigits = 2;
  return scalar;
}

function mapNode(form: Form): YAMLMap {
  const map = new YAMLMap();
  for (const [key, member] of Object.entries(form)) map.add(keyed(key, toNode(member)));
  return map;
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

function textNode(text: string): Scalar {
  const style = chooseStyle(text);
  // A final line break, which is not kept, makes the block `|` instead of `|-`.
  const scalar = new Scalar(style === 'BLOCK_LITERAL' ? `${text}\n` : text);
  scalar.type = style;
  return scalar;
}

/** False for texts that a text file changes: a leading byte-order mark is removed on reading, and half a character is not UTF-8. */
export function survivesFile(text: string): boolean {
  return unprintableOffset(text) === -1 && !text.startsWith('\uFEFF') && !/\p{Cs}/u.test(text);
}

/** Characters that are written as escapes, because they are invisible, change the direction of text, or are not allowed in files. */
const ESCAPED = /[\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]/g;

function escapeUnseen(yaml: string): string {
  return yaml.replace(ESCAPED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Words that older YAML readers do not read as text. */
const OTHER_WORDS = /^(?:y|yes|n|no|on|off|true|false|null|nan|inf)$/i;
const WORDS = /^[A-Za-z](?:[\w./ ()&+-]*[\w.)])?$/;

/** The YAML style of a text. Texts that are not clear on every screen get escapes. */
export function chooseStyle(text: string): 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' {
  if (text.search(ESCAPED) !== -1 || /(?!\n)\p{Cc}|\p{Cs}/u.test(text)) return 'QUOTE_DOUBLE';
  // In a block, editors must keep all lines: no invisible characters at the ends.
  const isBlock = /^\S/.test(text) && !/\s$/.test(text) && !/[^\S\n]\n/.test(text);
  if (text.includes('\n')) return isBlock ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE';
  if (WORDS.test(text) && !OTHER_WORDS.test(text)) return 'PLAIN';
  return text.includes("'") && !text.includes('"') ? 'QUOTE_DOUBLE' : 'QUOTE_SINGLE';
}
