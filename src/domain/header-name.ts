/** A header name: the characters of a token (RFC 9110, section 5.6.2). */
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers that HTTP and its clients use themselves. */
const RESERVED = [
  'accept',
  'connection',
  'cookie',
  'date',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'range',
  'referer',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
];
const RESERVED_START = /^(accept|content|if|proxy|sec|access-control)-/;

/** True if HTTP itself uses the header, so that it cannot have a key. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.includes(lower) || RESERVED_START.test(lower);
}
