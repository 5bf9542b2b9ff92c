/** Thrown if nothing can be imported. Nothing was written. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly code:
    'account-without-alias' | 'files-exist' | 'import-disturbs' | 'import-not-loadable' | 'not-found';
  /** What to do next. */
  readonly hint: string;
  /** For JSON. */
  readonly details: unknown;
  constructor(code: ImportError['code'], message: string, hint: string, details: unknown = null) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}
