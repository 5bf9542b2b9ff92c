import type { Diagnostic } from '../domain/diagnostic.ts';

/** Reasons why no connection was made. */
export type SetupCode =
  'bad-api-key' | 'bad-proxy' | 'bad-world' | 'key-in-address' | 'no-api-key' | 'untrusted-origin';

/** Thrown if the workspace cannot connect to its service. Nothing was sent. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly code: SetupCode;
  /** What to do next. */
  readonly hint: string;
  constructor(code: SetupCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Thrown if a run was interrupted before it sent anything. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly code = 'interrupted';
  constructor() {
    super('Interrupted. Nothing was sent.');
  }
}

/** Thrown if the files of the workspace have errors. Nothing was sent. */
export class InvalidFilesError extends Error {
  override readonly name = 'InvalidFilesError';
  readonly code = 'invalid-files';
  /** All problems in the files, with warnings, sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    super(`${errors} problem${errors === 1 ? '' : 's'} in the files. Nothing was sent.`);
    this.diagnostics = diagnostics;
  }
}
