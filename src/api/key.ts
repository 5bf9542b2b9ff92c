import { createHmac } from 'node:crypto';
import { SecretMask } from '../domain/secret-mask.ts';
import { Secret } from '../domain/secret.ts';

/** The API key. */
export class ApiKey extends Secret {
  readonly #value: string;
  readonly #mask = new SecretMask();

  /** Trims. Throws when the key is empty or would break its header line. */
  constructor(value: string) {
    super();
    const trimmed = value.trim();
    if (trimmed === '') throw new Error('the API key is empty');
    if (!/^[\x21-\x7e]+$/.test(trimmed))
      throw new Error(
        'the API key contains a space, a line break or a character that is not allowed in a header',
      );
    this.#value = trimmed;
    this.#mask.add(trimmed);
  }

  /** The key itself, only for the code that writes the header. */
  reveal(): string {
    return this.#value;
  }

  /** Names the key without revealing it: a hash of which the key is the secret. The same key has the same one everywhere. */
  fingerprint(): string {
    return createHmac('sha256', this.#value).update('herald rates').digest('hex').slice(0, 32);
  }

  /** A value without the key in its texts. A service may repeat its input in an error. */
  maskIn(value: unknown): unknown {
    if (typeof value === 'string') return this.#mask.hideIn(value);
    if (Array.isArray(value)) return value.map((item) => this.maskIn(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#mask.hideIn(name), this.maskIn(member)]),
    );
  }
}
