import { DIAGNOSTIC_CODES, type ListedCode } from './codes.ts';

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

const SEPARATOR = ': ';
