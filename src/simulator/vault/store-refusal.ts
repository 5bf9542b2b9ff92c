/** The object store's answer to a refused request. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
  readonly status: number;
  /** One word, as in object stores. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
