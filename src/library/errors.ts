import { HeraldError } from '../domain/herald-error.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';

/** The error for files of the workspace that are wrong. `diagnostics` has warnings, too. Nothing was sent. */
export function invalidFiles(diagnostics: readonly Diagnostic[]): HeraldError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const message = `${errors} problem${errors === 1 ? '' : 's'} in the files. Nothing was sent.`;
  return new HeraldError('invalid-files', message, null, { details: { diagnostics } });
}
