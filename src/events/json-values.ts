import { isLosslessNumber, parse } from 'lossless-json';

/** An object of a body. Numbers keep their text. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The body as an object; null if it is not JSON, or is another value. */
export function objectOf(text: string): JsonObject | null {
  try {
    return asObject(parse(text));
  } catch {
    // A syntax error, or so many brackets that the stack is full.
    return null;
  }
}

export function asObject(value: unknown): JsonObject | null {
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
  return isObject ? (value as JsonObject) : null;
}

/** The longest text that is taken for an id, a kind or a time. */
const SHORT_MAX = 200;

/** A text or a number, with each of its digits; null for anything else, and for long texts. */
export function shortText(value: unknown): string | null {
  const text = isLosslessNumber(value) ? value.value : value;
  return typeof text === 'string' && text !== '' && text.length <= SHORT_MAX ? text : null;
}

/** The object and the objects directly in it. */
export function objectsOf(root: JsonObject): readonly JsonObject[] {
  return [root, ...Object.values(root).map(asObject)].filter((object) => object !== null);
}

/** The body and the objects in it; none if it is not an object. */
export function objectsIn(text: string): readonly JsonObject[] {
  const root = objectOf(text);
  return root === null ? [] : objectsOf(root);
}

/** The first text or number under one of the names. */
export function textIn(objects: readonly JsonObject[], names: readonly string[]): string | null {
  for (const object of objects)
    for (const name of names) {
      const text = shortText(memberOf(object, name));
      if (text !== null) return text;
    }
  return null;
}

/** Whether an id of some length is in the text as a whole. */
export function mentions(text: string, id: string): boolean {
  const at = text.indexOf(id);
  if (at === -1 || id.length < 8) return false;
  return !/[\w-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + id.length] ?? '');
}

/** A member of an object, not an inherited one. */
export function memberOf(object: JsonObject | null, name: string): unknown {
  return object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value at a JSON pointer such as `/data/account/id`; undefined if it leads nowhere. */
export function atPointer(root: unknown, pointer: string): unknown {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((value, step) => {
    if (Array.isArray(value))
      return /^\d+$/.test(step) ? (value as readonly unknown[])[Number(step)] : undefined;
    return memberOf(asObject(value), step);
  }, root);
}
