/** The separators within an address. JSON may have escaped slashes and ampersands. */
const SLASHES = String.raw`\\?\/\\?\/`;
/** Limited, so that a hostile text cannot cost much time. */
const PATH = String.raw`(?:\\\/|[^\s?"'<>\\]){1,8192}`;

/** An address with a query, anywhere in a text. Quotes may be in the query or around the address. */
const ADDRESS_WITH_QUERY = new RegExp(
  String.raw`(https?:${SLASHES}${PATH})\?(?:\\u0026|\\\/|[^\s"<>\\])*?(?='(?:[\s,.;:)\]]|$)|[\s"<>]|\\(?!u0026|\/)|$)`,
  'gi',
);

/** The user name and password before the host. */
const USER = new RegExp(String.raw`(https?:${SLASHES})[^\s/\\@"'<>]{1,256}@`, 'gi');

/** A signature without its address, as in a text that was cut. */
const SIGNATURE = /\b((?:x-\w+-)?(?:signature|security-token|credential)=)[^\s&"'<>\\]+/gi;

/**
 * A value without the queries of presigned addresses in it. Such a query permits reading or writing the object,
 * and a service may repeat its input in an error.
 */
export function withoutSignatures<Value>(value: Value): Value {
  return masked(value) as Value;
}

function masked(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(USER, '$1…@').replace(ADDRESS_WITH_QUERY, '$1?…').replace(SIGNATURE, '$1…');
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]));
}
