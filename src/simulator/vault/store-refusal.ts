/** The object store's answer to a request that it does not carry out. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
  readonly status: number;
  /** One word, as object stores have them. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
