import { canonical } from '../domain/digest.ts';
import { KIND_ROWS, KINDS_IN_FILES } from '../domain/resource.ts';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parse,
  parseDocument,
  Scalar,
  visit,
  YAMLSeq,
  type Document,
  type ToStringOptions,
  type YAMLMap,
} from 'yaml';
import { keyed, PRINTED, resourceNode, toNode } from './document.ts';
import { isForm, type FormPath, type Plain, type Typed } from './form.ts';
import type { PlannedFile } from './layout.ts';
import { escapeUnseen, styleOf } from './texts.ts';

/** One edit of a resource. Paths start at the resource. Each edit sees the result of the one before. */
export type Edit =
  | { readonly op: 'set' | 'insert'; readonly path: FormPath; readonly value: Plain }
  | { readonly op: 'delete'; readonly path: FormPath };

/** The place of a resource in its file, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A resource file that is edited: comments and order stay, and what was changed is printed in one style with the rest. */
export class EditableFile {
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  readonly #options: ToStringOptions;
  readonly #lineEnd: string;

  /** `text` was accepted by the loader. */
  constructor(text: string) {
    this.#document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      lineCounter: this.#lines,
    });
    this.#options = { ...PRINTED, ...habitsOf(text) };
    this.#lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** The resource at a place, as plain values. Null if it uses YAML anchors or aliases (`&`, `*`). */
  read(place: Place): Typed | null {
    const node = this.#find(place);
    if (node === null || sharesNodes(node)) return null;
    const value: unknown = node.toJS(this.#document);
    return isForm(value) ? value : null;
  }

  /** All resources as plain values. */
  all(): readonly unknown[] {
    return this.#resources().map((node) => node.toJS(this.#document) as unknown);
  }

  apply(place: Place, edits: readonly Edit[]): void {
    const node = this.#find(place);
    if (node === null) throw new RangeError(`nothing begins at ${place.line}:${place.column}`);
    for (const edit of edits) applyEdit(node, edit);
  }

  /** Adds resources after those of their kind. */
  append({ resources }: PlannedFile): void {
    const own = this.#document.get('accounts', true);
    const accounts: unknown = isSeq(own) ? own.toJS(this.#document) : null;
    for (const resource of resources) {
      const key = KIND_ROWS[resource.kind].plural;
      const same = JSON.stringify(accounts) === JSON.stringify(resource.accounts);
      const node = resourceNode(resource, same ? null : resource.accounts);
      const list = this.#document.get(key, true);
      if (isSeq(list)) {
        node.spaceBefore = list.items.length > 0;
        list.flow = false;
        list.add(node);
      } else {
        const fresh = new YAMLSeq();
        fresh.items = [node];
        this.#document.set(key, fresh);
      }
    }
  }

  toText(): string {
    const printed = this.#document.toString(this.#options);
    const escaped = escapeUnseen(printed);
    // Outside of double quotes, an escape would be another text.
    const text = canonical(parse(escaped)) === canonical(parse(printed)) ? escaped : printed;
    return text.replaceAll('\n', this.#lineEnd);
  }

  #resources(): readonly YAMLMap[] {
    return KINDS_IN_FILES.flatMap((kind) => {
      const list = this.#document.get(KIND_ROWS[kind].plural, true);
      return isSeq(list) ? list.items.filter((item): item is YAMLMap => isMap(item)) : [];
    });
  }

  #find({ line, column }: Place): YAMLMap | null {
    const found = this.#resources().find((node) => {
      const { line: atLine, col } = this.#lines.linePos(node.range?.[0] ?? 0);
      return atLine === line && col === column;
    });
    return found ?? null;
  }
}

/** The indentation and padding of the file, for new lines. */
function habitsOf(text: string): ToStringOptions {
  const list = /^(?:campaigns|broadcasts):[^\S\n]*(?:#.*)?\n(?:[^\S\n]*(?:#.*)?\n)*( *)-( +)/m.exec(text);
  return {
    indentSeq: list === null || list[1] !== '',
    flowCollectionPadding: /\{ \S/.test(text),
  };
}

/** True if nodes are shared by an anchor: an edit would change all uses. */
function sharesNodes(root: YAMLMap): boolean {
  let shares = false;
  visit(root, (_key, node) => {
    if (isAlias(node)) shares = true;
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) shares = true;
    return shares ? visit.BREAK : undefined;
  });
  return shares;
}

function applyEdit(root: YAMLMap, edit: Edit): void {
  const last = edit.path.at(-1);
  if (last === undefined) return;
  const above = edit.path.slice(0, -1);
  if (edit.op === 'set') addMissing(root, above);
  const parent = above.length === 0 ? root : root.getIn(above, true);
  if (edit.op === 'delete') {
    if (isMap(parent) || isSeq(parent)) parent.delete(last);
  } else if (isSeq(parent) && typeof last === 'number') {
    setItem(parent, last, edit.value, edit.op === 'insert');
  } else if (isMap(parent) && typeof last === 'string') {
    setMember(parent, last, edit.value);
  }
}

/** Adds missing parents, such as `rules` for the first rule. */
function addMissing(root: YAMLMap, path: FormPath): void {
  let node: unknown = root;
  for (const step of path) {
    if (isMap(node) && typeof step === 'string' && !node.has(step)) setMember(node, step, {});
    node = isMap(node) || isSeq(node) ? node.get(step, true) : null;
  }
}

function setItem(list: YAMLSeq, index: number, value: Plain, insert: boolean): void {
  list.items.splice(index, insert ? 0 : 1, toNode(value));
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

function setMember(map: YAMLMap, key: string, value: Plain): void {
  const node = toNode(value);
  const pair = map.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair !== undefined) {
    if (isScalar(pair.value) && isScalar(node)) keepLooks(pair.value, node);
    pair.value = node;
    return;
  }
  const rank = KEY_ORDER.indexOf(key);
  const next = map.items.findIndex(
    (item) => isScalar(item.key) && KEY_ORDER.indexOf(String(item.key.value)) > rank,
  );
  map.items.splice(next === -1 || rank === -1 ? map.items.length : next, 0, keyed(key, node));
}

const QUOTES: readonly unknown[] = ['QUOTE_SINGLE', 'QUOTE_DOUBLE'];

/** Keeps the comment and the quotes of a value. */
function keepLooks(old: Scalar, fresh: Scalar): void {
  if (old.comment !== null && old.comment !== undefined) fresh.comment = old.comment;
  if (typeof fresh.value !== 'string' || styleOf(fresh.value) === 'QUOTE_DOUBLE') return;
  if (QUOTES.includes(old.type) && !fresh.value.includes('\n') && old.type !== undefined)
    fresh.type = old.type;
}
