/** A list that could not be read to its end; it is never to be taken for a short one. */
export class IncompleteScanError extends Error {
  override readonly name = 'IncompleteScanError';
}
