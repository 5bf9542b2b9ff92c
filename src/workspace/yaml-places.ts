import { isAlias, isMap, isScalar, isSeq, type Alias, type Node } from 'yaml';
import type { Path, Spot } from './findings.ts';
import { keyText, offsetOf } from './yaml-values.ts';

/** Maps with more keys than this get an index, so that looking up every key stays linear. */
const INDEX_FROM_KEYS = 32;

/** Finds the node of a path. Used only for messages. */
export class NodeFinder {
  readonly #root: unknown;
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #indexes = new Map<object, Map<string, number>>();

  constructor(root: unknown, targets: ReadonlyMap<Alias, Node>) {
    this.#root = root;
    this.#targets = targets;
  }

  /** Offset of the value or key. If it does not exist, the offset of the nearest node around it. */
  offset(path: Path, at: Spot): number {
    let node = this.#root;
    let offset = offsetOf(node);
    for (const [index, step] of path.entries()) {
      const found = this.#step(node, step);
      if (found === undefined) return offset;
      node = found.value;
      const isLast = index === path.length - 1;
      offset = offsetOf((isLast && at === 'key') || isUnwritten(node) ? (found.key ?? node) : node);
    }
    return offset;
  }

  /** The node at a path, with aliases resolved. */
  node(path: Path): unknown {
    let node = this.#root;
    for (const step of path) node = this.#step(node, step)?.value;
    return this.#resolve(node);
  }

  #step(parent: unknown, step: string | number): { key: unknown; value: unknown } | undefined {
    const node = this.#resolve(parent);
    if (isSeq(node)) {
      const value = typeof step === 'number' ? node.items[step] : undefined;
      return value === undefined ? undefined : { key: null, value };
    }
    if (!isMap(node)) return undefined;
    const position = this.#position(node, String(step));
    const pair = node.items[position];
    return pair === undefined ? undefined : { key: pair.key, value: pair.value };
  }

  #position(map: { readonly items: readonly { readonly key: unknown }[] }, key: string): number {
    if (map.items.length < INDEX_FROM_KEYS) return map.items.findIndex((pair) => keyText(pair.key) === key);
    let index = this.#indexes.get(map);
    if (index === undefined) {
      index = new Map();
      for (const [position, pair] of map.items.entries()) {
        const text = keyText(pair.key);
        if (text !== undefined && !index.has(text)) index.set(text, position);
      }
      this.#indexes.set(map, index);
    }
    return index.get(key) ?? -1;
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? this.#targets.get(node) : node;
  }
}

/** True for the empty value of `key:`, which has no place. */
function isUnwritten(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null && node.source === '');
}
