import { HeraldError } from '../../domain/herald-error.ts';

/** A list could not be read to its end. Never treat it as a short list. */
export class IncompleteScanError extends HeraldError {
  constructor(message: string, options: ErrorOptions & { readonly hint?: string } = {}) {
    const { hint = 'Nothing was changed. Try again.', cause } = options;
    super('incomplete-list', message, hint, { cause });
  }
}

/** A list that ends where the service cuts it off, and that has no next page. Reading it again does not help. */
export class CutOffError extends IncompleteScanError {
  constructor(message: string) {
    super(message, {
      hint: 'The service has no way to read more. To read a part on purpose, use --limit.',
    });
  }
}
