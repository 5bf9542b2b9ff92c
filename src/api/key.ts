import { HeraldError } from '../domain/herald-error.ts';
import { Secret, SecretMask } from '../domain/secret.ts';

const KEY_HINT = 'Set the variable HERALD_API_KEY, or use --api-key-file FILE.';

export class ApiKey extends Secret {
  readonly #value: string;
  readonly #mask = new SecretMask();

  /** Trims. Throws `HeraldError` when the key is empty or would break its header line. */
  constructor(value: string) {
    super();
    const trimmed = value.trim();
    if (trimmed === '') throw new HeraldError('no-api-key', 'No API key.', KEY_HINT);
    if (!/^[\x21-\x7e]+$/.test(trimmed))
      throw new HeraldError(
        'bad-api-key',
        'The API key is not valid: the API key contains a space, a line break or a character that is not allowed in a header.',
        KEY_HINT,
      );
    this.#value = trimmed;
    this.#mask.add(trimmed);
  }

  /** The key itself, only for the code that writes the header. */
  reveal(): string {
    return this.#value;
  }

  /** A value without the key in its texts. A service may repeat its input in an error. */
  maskIn(value: unknown): unknown {
    return mapTexts(value, (text) => this.#mask.hideIn(text));
  }
}

/** The separators within an address. JSON may have escaped slashes and ampersands. */
const SLASHES = String.raw`\\?\/\\?\/`;
/** Limited, so that a hostile text cannot cost much time. */
const PATH = String.raw`(?:\\\/|[^\s?"'<>\\]){1,8192}`;

/** An address with a query, anywhere in a text. Quotes may be in the query or around the address. */
const ADDRESS_WITH_QUERY = new RegExp(
  String.raw`(https?:${SLASHES}${PATH})\?(?:\\u0026|\\\/|[^\s"<>\\])*?(?='(?:[\s,.;:)\]]|$)|[\s"<>]|\\(?!u0026|\/)|$)`,
  'gi',
);

const USER = new RegExp(String.raw`(https?:${SLASHES})[^\s/\\@"'<>]{1,256}@`, 'gi');

/** A signature without its address, as in a text that was cut. */
const SIGNATURE = /\b((?:x-\w+-)?(?:signature|security-token|credential)=)[^\s&"'<>\\]+/gi;

/** Without the queries of presigned addresses, which permit access. A service may repeat its input. */
export function withoutSignatures<Value>(value: Value): Value {
  const mask = (text: string) =>
    text.replace(USER, '$1…@').replace(ADDRESS_WITH_QUERY, '$1?…').replace(SIGNATURE, '$1…');
  return mapTexts(value, mask) as Value;
}

/** A value with each of its texts changed, names of members among them. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [change(name), mapTexts(member, change)]),
  );
}
