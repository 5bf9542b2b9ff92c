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
