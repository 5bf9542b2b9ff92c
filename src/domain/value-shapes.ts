import * as z from 'zod/mini';
import { DIAGNOSTIC_CODES, type ListedCode } from './codes.ts';

/* Shapes of single values that many keys have. Each is made once, because making shapes takes part of every start. */

export const textShape = z.string();
/** Text that is not empty. */
export const filledShape = z.string().check(z.minLength(1));
export const maybeTextShape = z.nullish(textShape);
export const maybeFlagShape = z.optional(z.boolean());

const SEPARATOR = ': ';

/** A shape's message with its code. Shapes keep only one text, so the code is put before it. */
export function withCode(code: ListedCode, message: string): string {
  return `${code}${SEPARATOR}${message}`;
}

/** The code and text of a shape's message. Null for a message without a code. */
export function splitCode(message: string): { readonly code: ListedCode; readonly text: string } | null {
  const end = message.indexOf(SEPARATOR);
  const code = DIAGNOSTIC_CODES.find((known) => known === message.slice(0, Math.max(0, end)));
  return code === undefined ? null : { code, text: message.slice(end + SEPARATOR.length) };
}

/** A list of one item or more. The message is for an empty one. */
export function filledListShape<Item extends z.core.$ZodType>(item: Item, code: ListedCode, message: string) {
  return z.array(item).check(z.minLength(1, withCode(code, message)));
}

/** For editors, in the JSON schema. It marks the shape that it gets: clone one that others use, too. */
export function withHelp<Shape extends z.core.$ZodType>(help: string, shape: Shape): Shape {
  z.globalRegistry.add(shape, { description: help });
  return shape;
}
