/** What holds each part of an address together; JSON may have escaped its slashes, and its ampersands. */
const SLASHES = String.raw`\\?\/\\?\/`;
/** Bounded, so that a text made of beginnings of addresses takes no time to speak of. */
const PATH = String.raw`(?:\\\/|[^\s?"'<>\\]){1,8192}`;

/** An address with a query, wherever it stands in a text. A quote may stand in the query, or around it all. */
const ADDRESS_WITH_QUERY = new RegExp(
  String.raw`(https?:${SLASHES}${PATH})\?(?:\\u0026|\\\/|[^\s"<>\\])*?(?='(?:[\s,.;:)\]]|$)|[\s"<>]|\\(?!u0026|\/)|$)`,
  'gi',
);

/** Who may come in, before the host. */
const USER = new RegExp(String.raw`(https?:${SLASHES})[^\s/\\@"'<>]{1,256}@`, 'gi');

/** A signature without its address, as in a text that was cut. */
const SIGNATURE = /\b((?:x-\w+-)?(?:signature|security-token|credential)=)[^\s&"'<>\\]+/gi;

/**
 * A value without the queries of the addresses in it. The query of a presigned address lets whoever has it read or
 * write the object, and a service may repeat in an error what it was sent.
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
