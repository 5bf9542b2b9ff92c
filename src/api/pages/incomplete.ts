/** A list could not be read to its end. Never treat it as a short list. */
export class IncompleteScanError extends Error {
  override readonly name = 'IncompleteScanError';
}
