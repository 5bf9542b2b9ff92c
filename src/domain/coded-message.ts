import { DIAGNOSTIC_CODES, type ListedCode } from './codes.ts';

/** A message of a shape with its code. Shapes pass on one text only, so the code goes at its beginning. */
export function withCode(code: ListedCode, message: string): string {
  return `${code}${SEPARATOR}${message}`;
}

/** The code and the text of a message of a shape; null for a message that has no code. */
export function splitCode(message: string): { readonly code: ListedCode; readonly text: string } | null {
  const end = message.indexOf(SEPARATOR);
  const code = DIAGNOSTIC_CODES.find((known) => known === message.slice(0, Math.max(0, end)));
  return code === undefined ? null : { code, text: message.slice(end + SEPARATOR.length) };
}

const SEPARATOR = ': ';
