import { formatPath } from './command-line.ts';
import type * as z from 'zod';
import type { DiagnosticCode } from './codes.ts';
import type { diagnosticShape } from './diagnostic-shape.ts';

export type PrintedDiagnostic = Readonly<z.infer<typeof diagnosticShape>>;

/** One finding about the user's files or the live state, with its place if known. */
export interface Diagnostic extends PrintedDiagnostic {
  readonly code: DiagnosticCode;
}

/** `file:line:column: code: message`, without unknown parts. */
export function formatDiagnostic(diagnostic: PrintedDiagnostic): string {
  const { file, line, column, address, code, message } = diagnostic;
  const place =
    file === undefined
      ? (address ?? '')
      : [formatPath(file), line, column].filter((part) => part !== undefined).join(':');
  return place === '' ? `${code}: ${message}` : `${place}: ${code}: ${message}`;
}

/** Orders by file, line, column and code, so that the same input prints the same bytes. */
export function compareDiagnostics(left: PrintedDiagnostic, right: PrintedDiagnostic): number {
  return (
    compareText(left.file ?? '', right.file ?? '') ||
    (left.line ?? 0) - (right.line ?? 0) ||
    (left.column ?? 0) - (right.column ?? 0) ||
    compareText(left.address ?? '', right.address ?? '') ||
    compareText(left.code, right.code) ||
    compareText(left.message, right.message)
  );
}

/** Orders text by UTF-16 code units: the same on every machine and in every locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
