/** A list could not be read to its end. Never treat it as a short list. */
export class IncompleteScanError extends Error {
  override readonly name = 'IncompleteScanError';
}

/** A list that ends where the service cuts it off, and that has no next page. Reading it again does not help. */
export class CutOffError extends IncompleteScanError {}
