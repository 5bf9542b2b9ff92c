import type * as z from 'zod';
import type { DiagnosticCode } from './codes.ts';
import type { diagnosticShape } from './diagnostic-shape.ts';

/** One finding about the user's files or the live state, with its place if known. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: DiagnosticCode;
  /** What is wrong, and how to fix it, in one or two sentences. */
  readonly message: string;
  /** Path of the file, relative to the workspace's directory. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  /** From 1. */
  readonly column?: number | undefined;
  /** The resource, as `account/kind/name`. */
  readonly address?: string | undefined;
  /** The time that it is about, ISO 8601 in UTC: when a window closes. */
  readonly at?: string | undefined;
}

/** A diagnostic of a JSON document. */
export type PrintedDiagnostic = Readonly<z.infer<typeof diagnosticShape>>;

/** `file:line:column: code: message`, without unknown parts. */
export function formatDiagnostic(diagnostic: PrintedDiagnostic): string {
  const { file, line, column, address, code, message } = diagnostic;
  const place =
    file === undefined
      ? (address ?? '')
      : [file, line, column].filter((part) => part !== undefined).join(':');
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
