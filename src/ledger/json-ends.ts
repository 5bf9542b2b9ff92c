/*
 * Where parts of JSON without spaces end, for readers that need none of their values. Each function gives the place after
 * what begins at a place, or `ODD` where it is something else. What is odd here may be JSON all the same.
 */

export const ODD = -1;

const [QUOTE, BACKSLASH, FIRST_PLAIN] = [0x22, 0x5c, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [COMMA, COLON] = [0x2c, 0x3a];
/** After a backslash. */
const ESCAPED = /(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const OTHERS = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|null|true|false)/y;
/** Of lists and objects in each other: many times what Herald writes. */
const DEEPEST = 32;

/** A text that JSON spells in one way only: without escapes. */
export function plainTextEnd(text: string, place: number): number {
  if (text.charCodeAt(place) !== QUOTE) return ODD;
  const end = plainEnd(text, place + 1);
  return text.charCodeAt(end) === QUOTE ? end + 1 : ODD;
}

export function textEnd(text: string, place: number): number {
  if (text.charCodeAt(place) !== QUOTE) return ODD;
  let at = plainEnd(text, place + 1);
  while (text.charCodeAt(at) === BACKSLASH) {
    at = endOf(ESCAPED, text, at + 1);
    if (at === ODD) return ODD;
    at = plainEnd(text, at);
  }
  return text.charCodeAt(at) === QUOTE ? at + 1 : ODD;
}

/** Any value. */
export function valueEnd(text: string, place: number, depth = 0): number {
  if (depth > DEEPEST) return ODD;
  const code = text.charCodeAt(place);
  if (code === QUOTE) return textEnd(text, place);
  if (code === OPEN_LIST) return listEnd(text, place, (at) => valueEnd(text, at, depth + 1));
  if (code === OPEN_OBJECT) return objectEnd(text, place, (_name, at) => valueEnd(text, at, depth + 1));
  return endOf(OTHERS, text, place);
}

/** A list, of which `oneEnd` gives the end of each part. */
export function listEnd(text: string, place: number, oneEnd: (place: number) => number): number {
  if (text.charCodeAt(place) !== OPEN_LIST) return ODD;
  let at = place + 1;
  if (text.charCodeAt(at) === CLOSE_LIST) return at + 1;
  for (;;) {
    at = oneEnd(at);
    if (at === ODD) return ODD;
    const code = text.charCodeAt(at);
    at += 1;
    if (code !== COMMA) return code === CLOSE_LIST ? at : ODD;
  }
}

/** An object with plain names, of which `memberEnd` gives the end of each value. */
export function objectEnd(
  text: string,
  place: number,
  memberEnd: (name: string, place: number) => number,
): number {
  if (text.charCodeAt(place) !== OPEN_OBJECT) return ODD;
  let at = place + 1;
  if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const end = plainTextEnd(text, at);
    if (end === ODD || text.charCodeAt(end) !== COLON) return ODD;
    at = memberEnd(text.slice(at + 1, end - 1), end + 1);
    if (at === ODD) return ODD;
    const code = text.charCodeAt(at);
    at += 1;
    if (code !== COMMA) return code === CLOSE_OBJECT ? at : ODD;
  }
}

/** An object of any members. */
export function anyObjectEnd(text: string, place: number): number {
  return objectEnd(text, place, (_name, at) => valueEnd(text, at, 1));
}

/** Of the plain characters from there on. */
function plainEnd(text: string, place: number): number {
  let at = place;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH || code < FIRST_PLAIN) break;
  }
  return at;
}

function endOf(expression: RegExp, text: string, place: number): number {
  expression.lastIndex = place;
  return expression.test(text) ? expression.lastIndex : ODD;
}
