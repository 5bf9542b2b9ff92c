import type { DiagnosticCode } from '../domain/codes.ts';
import { disguisesIn } from '../domain/lookalikes.ts';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';

/** Deeper than any valid file. */
export const DEPTH_MAX = 64;

/** For a text that begins with a variable: YAML reads `{{` as the start of a map. */
export const QUOTE_BRACES = 'A text that begins with {{ needs quotes: "{{name}} …".';

/** Limit for nodes that aliases add to one file: enough for real use, too few to exhaust memory. */
const ALIASED_NODES_MAX = 1_000_000;

export interface NodeProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly offset: number;
  /** An error, if it is not given. */
  readonly severity?: 'warning';
}

/** A document as plain values, with the data to find the node of a value. */
export interface ReadValues {
  readonly value: unknown;
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly problems: readonly NodeProblem[];
  /** Numbers that are not written plainly, as text: 1e1, 0x10, 9.990. */
  readonly oddNumbers: ReadonlyMap<unknown, string>;
}

interface Reading {
  readonly text: string;
  readonly anchors: Map<string, Node>;
  readonly targets: Map<Alias, Node>;
  readonly problems: NodeProblem[];
  readonly oddNumbers: Map<unknown, string>;
  insideAliases: number;
  /** How many lists and maps in brackets are around the node. */
  insideBrackets: number;
  aliasedNodes: number;
}

/**
 * Turns nodes into plain values. `Document.toJS` is not used because it looks for duplicate keys in
 * quadratic time, merges `__proto__`, and refuses an anchor that is used more than a hundred times.
 */
export function readValues(root: unknown, text: string): ReadValues {
  const reading: Reading = {
    text,
    anchors: new Map(),
    targets: new Map(),
    problems: [],
    oddNumbers: new Map(),
    insideAliases: 0,
    insideBrackets: 0,
    aliasedNodes: 0,
  };
  const value = readNode(root, reading, 0);
  return { value, targets: reading.targets, problems: reading.problems, oddNumbers: reading.oddNumbers };
}

/** A key as text: `101:` and `true:` count as the letters that are written. */
export function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === 'string') return key.value;
  return key.value === null || key.value === undefined
    ? undefined
    : (key.source ?? JSON.stringify(key.value));
}

export function offsetOf(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
}

function readNode(node: unknown, reading: Reading, depth: number): unknown {
  if (reading.insideAliases > 0) reading.aliasedNodes += 1;
  if (isScalar(node)) {
    if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
    if (typeof node.value === 'number') noteOddNumber(node, reading);
    else complainOfCut(node, reading);
    if (typeof node.value === 'string') warnOfDisguises(node.value, node.range, reading);
    return node.value;
  }
  if (isAlias(node)) return readAlias(node, reading, depth);
  if (!isMap(node) && !isSeq(node)) return null;
  if (depth >= DEPTH_MAX) {
    complain(reading, 'yaml-too-deep', node, `More than ${DEPTH_MAX} levels deep. Check the indentation.`);
    return null;
  }
  if (node.flow === true) reading.insideBrackets += 1;
  const value = isMap(node)
    ? readMap(node, reading, depth)
    : node.items.map((item) => readNode(item, reading, depth + 1));
  if (node.flow === true) reading.insideBrackets -= 1;
  // Set after the node was read: an alias inside its own anchor would never end.
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
  return value;
}

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d{1,2})?$/;

function noteOddNumber(node: Scalar, reading: Reading): void {
  const written = node.source ?? '';
  if (!PLAIN_NUMBER.test(written)) reading.oddNumbers.set(node, written);
}

/** A comment right behind a value. With a space after its `#` it is meant as one, without it may be text. */
const MAY_BE_TEXT = /\s*(#+[^\s#].*)/y;

/** A plain value in brackets ends at one of these. */
const BRACKET_OR_COMMA = /[,[\]{}].*/;

/** YAML reads ` #SAVE20` behind a text without quotes as a comment, so fans would get half of the text. */
function complainOfCut({ value, source, type, range }: Scalar, reading: Reading): void {
  if (type !== 'PLAIN' || !range || !(typeof value === 'string' || source === '')) return;
  MAY_BE_TEXT.lastIndex = range[1];
  const [all = '', comment] = MAY_BE_TEXT.exec(reading.text) ?? [];
  if (comment === undefined) return;
  const offset = range[1] + all.length - comment.length;
  const isInBrackets = reading.insideBrackets > 0;
  if (all.includes('\n') && (source === '' || isInBrackets || !goesOnAt(offset, range[0], reading.text)))
    return;
  const lost = (isInBrackets ? comment.replace(BRACKET_OR_COMMA, '') : comment).trimEnd();
  const whole = JSON.stringify(source === '' ? lost : `${String(value)} ${lost}`);
  const message = `YAML reads a # after a space as a comment, so "${lost}" would be lost. Write the value in quotes: ${whole}. If it is a comment, write a space after the #.`;
  reading.problems.push({ code: 'text-cut', message, offset });
}

function warnOfDisguises(value: string, range: Scalar['range'], reading: Reading): void {
  const [start, end] = range ?? [0, 0];
  for (const { code, message, part } of disguisesIn(value)) {
    const found = reading.text.indexOf(part, start);
    // A text may have it as an escape.
    const offset = found === -1 || found >= end ? start : found;
    reading.problems.push({ severity: 'warning', code, message, offset });
  }
}

/** Whether the line at `offset` is indented so far that it would continue the value that begins at `start`. */
function goesOnAt(offset: number, start: number, text: string): boolean {
  const columnOf = (at: number) => at - text.lastIndexOf('\n', at - 1) - 1;
  const before = text.slice(start - columnOf(start), start);
  const indent = /^[\s-]*/.exec(before)?.[0].length ?? 0;
  return columnOf(offset) >= (indent === before.length ? indent : indent + 1);
}

function readMap(map: YAMLMap, reading: Reading, depth: number): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const pair of map.items) {
    const key = readKey(pair, reading);
    if (key === undefined) continue;
    const value = readNode(pair.value, reading, depth + 1);
    if (Object.hasOwn(record, key)) {
      complain(reading, 'duplicate-key', pair.key, `"${key}" occurs twice. Remove one.`);
    } else if (key === '__proto__') {
      complain(reading, 'unknown-key', pair.key, '"__proto__" is not allowed as a key. Remove it.');
    } else {
      record[key] = value;
    }
  }
  return record;
}

function readKey(pair: Pair, reading: Reading): string | undefined {
  const key = keyText(pair.key);
  if (key === undefined)
    complain(
      reading,
      'key-not-text',
      pair.key,
      isMap(pair.key) ? QUOTE_BRACES : 'A key must be a plain word. Write `key: value`.',
    );
  return key;
}

function readAlias(alias: Alias, reading: Reading, depth: number): unknown {
  const target = reading.anchors.get(alias.source);
  if (target === undefined) {
    complain(reading, 'unknown-anchor', alias, `Unknown anchor &${alias.source}. Check the spelling.`);
    return null;
  }
  if (reading.aliasedNodes > ALIASED_NODES_MAX) {
    complain(reading, 'alias-limit', alias, 'Aliases make this file too large. Write the values out.');
    return null;
  }
  reading.targets.set(alias, target);
  reading.insideAliases += 1;
  const value = readNode(target, reading, depth + 1);
  reading.insideAliases -= 1;
  return value;
}

function complain(reading: Reading, code: DiagnosticCode, node: unknown, message: string): void {
  reading.problems.push({ code, message, offset: offsetOf(node) });
}
