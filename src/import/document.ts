import { KIND_ROWS, KINDS_IN_FILES } from '../domain/resource.ts';
import { Document, isScalar, Pair, Scalar, YAMLMap, YAMLSeq, type ToStringOptions } from 'yaml';
import type { Folded } from './fold.ts';
import type { Form, FormPath, Mark, Plain } from './form.ts';
import type { NewFile, PlannedFile } from './layout.ts';
import { escapeUnseen, styleOf } from './texts.ts';

/** Print options. Lines are not folded, because the line breaks of a text matter. */
export const PRINTED = {
  lineWidth: 0,
  flowCollectionPadding: false,
  singleQuote: true,
  // A quoted text stays on one line, because a part like `---` would be read differently.
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const satisfies ToStringOptions;

type PlainNode = Scalar | YAMLMap | YAMLSeq;

/** The text of a resource file, with blank lines between its resources. */
export function drawFile({ path, accounts, resources }: PlannedFile): NewFile {
  const root = new YAMLMap();
  root.add(keyed('accounts', accountsNode(accounts)));
  for (const kind of KINDS_IN_FILES) {
    const items = resources.filter((resource) => resource.kind === kind);
    if (items.length === 0) continue;
    const list = new YAMLSeq();
    for (const item of items) {
      const node = resourceNode(item, sameAccounts(item.accounts, accounts) ? null : item.accounts);
      node.spaceBefore = list.items.length > 0;
      list.items.push(node);
    }
    const listed = keyed(KIND_ROWS[kind].plural, list);
    listed.key.spaceBefore = true;
    root.add(listed);
  }
  const document = new Document();
  document.contents = root;
  document.commentBefore = ' Written by herald import from live state. From now on, this file decides.';
  return { path, text: escapeUnseen(document.toString(PRINTED)) };
}

/** A resource as a node. `accounts` is set if they differ from those of the file. */
export function resourceNode({ form, marks }: Folded, accounts: readonly string[] | null): YAMLMap {
  const node = toNode(form);
  if (!(node instanceof YAMLMap)) throw new TypeError('a resource is a map');
  if (accounts !== null) node.items.splice(1, 0, keyed('accounts', accountsNode(accounts)));
  for (const mark of marks) comment(node, mark);
  return node;
}

function sameAccounts(left: readonly string[], right: readonly string[]): boolean {
  return left.join(' ') === right.join(' ');
}

/** Longer lists of aliases are written with one per line. */
const FLOW_LENGTH_MAX = 56;

function accountsNode(accounts: readonly string[]): YAMLSeq {
  const node = new YAMLSeq();
  node.items = accounts.map((alias) => toNode(alias));
  node.flow = accounts.join(', ').length <= FLOW_LENGTH_MAX;
  return node;
}

/** A plain value as a node in the most readable style. */
export function toNode(value: Plain): PlainNode {
  if (typeof value === 'string') return textNode(value);
  if (isList(value)) {
    const list = new YAMLSeq();
    list.items = value.map(toNode);
    return list;
  }
  if (typeof value === 'object' && value !== null) return mapNode(value);
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

/** A key with its value. */
export function keyed(key: string, value: PlainNode): Pair<Scalar<string>, PlainNode> {
  return new Pair(new Scalar(key), value);
}

function textNode(text: string): Scalar {
  const style = styleOf(text);
  // A final line break, which is not kept, makes the block `|` instead of `|-`.
  const scalar = new Scalar(style === 'BLOCK_LITERAL' ? `${text}\n` : text);
  scalar.type = style;
  return scalar;
}

function comment(root: YAMLMap, { path, comment: words }: Mark): void {
  const node = root.getIn(asKeys(path), true);
  if (isScalar(node)) node.comment = ` TODO: ${words}`;
}

function asKeys(path: FormPath): unknown[] {
  return [...path];
}

function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}
