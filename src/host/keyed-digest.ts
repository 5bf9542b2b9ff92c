import { createCipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const NONCE_DIGITS = 2 * NONCE_BYTES;

/**
 * A digest of many bytes that only someone with the key can make. It is what AES-GCM adds to a text so that no one can
 * change it (GMAC), with nothing to encrypt. It takes a fifth of the time of SHA-256.
 */
export class KeyedDigest {
  readonly #nonce: Uint8Array;
  readonly #cipher: ReturnType<typeof cipherWith>;

  /** `expected`: what it is compared with. Two digests of different bytes must never have one nonce, so each draws its own. */
  constructor(key: Uint8Array, expected?: string) {
    this.#nonce =
      expected === undefined ? randomBytes(NONCE_BYTES) : Buffer.from(expected.slice(0, NONCE_DIGITS), 'hex');
    this.#cipher = cipherWith(key, this.#nonce);
  }

  update(bytes: Uint8Array): this {
    this.#cipher.setAAD(bytes);
    return this;
  }

  /** The nonce and the tag, in hexadecimal digits. */
  digest(): string {
    this.#cipher.final();
    return Buffer.concat([this.#nonce, this.#cipher.getAuthTag()]).toString('hex');
  }
}

/** The key is for signatures, too. What is made of it here tells nothing of those. */
function cipherWith(key: Uint8Array, nonce: Uint8Array) {
  return createCipheriv('aes-256-gcm', createHmac('sha256', key).update('digest').digest(), nonce);
}
