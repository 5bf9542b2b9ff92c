import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { isLosslessNumber, parse } from 'lossless-json';
import type { StoredEvent } from '../domain/event-store.ts';
import type { FanId } from '../domain/ids.ts';

/** Whether an event is about this fan; null if its body cannot be read, so it may be. */
export function isOfFan(fanId: FanId): (event: StoredEvent) => boolean | null {
  const isNamed = namesOfFan(fanId);
  return (event) => {
    if (event.fan_id === fanId) return true;
    const text = bodyText(event);
    return text === null ? null : isNamed(text);
  };
}

/** The largest body that the receiver takes has 1 MiB. Packed, it may be of some zeros only. */
const UNPACKED_BYTES_MAX = 64 * 1_048_576;

/** The body as text, unpacked if it is gzip; null if it is neither. */
function bodyText({ encoding, body }: StoredEvent): string | null {
  if (encoding === 'utf8') return body;
  try {
    const bytes = gunzipSync(Buffer.from(body, 'base64'), { maxOutputLength: UNPACKED_BYTES_MAX });
    return isUtf8(bytes) ? bytes.toString() : null;
  } catch {
    return null;
  }
}

/** A number in JSON is an id only under such a name: `amount` may be equal to an id by chance. */
const ID_NAME = /(?:^|_)(?:id|fan|user|subscriber)s?$|Ids?$/;

/** Whether a body has the id as a whole word: in JSON, in a form, or in any other text. */
function namesOfFan(fanId: FanId): (body: string) => boolean {
  const quoted = fanId.replace(/[^\w-]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\d]|\\d\\.)${quoted}(?![\\p{L}\\d]|\\.\\d)`, 'u');
  // In a form or a URL, the character before the id may be encoded: `%209001`.
  const hasWord = (text: string) => word.test(text) || word.test(decoded(text));
  const isIn = (value: unknown, name: string): boolean => {
    if (typeof value === 'string') return hasWord(value);
    if (isLosslessNumber(value)) return value.value === fanId && ID_NAME.test(name);
    if (Array.isArray(value)) return value.some((item) => isIn(item, name));
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([key, member]) => hasWord(key) || isIn(member, key));
  };
  return (body) => {
    if (!body.includes(fanId) && !/\\u|%/.test(body)) return false;
    try {
      return isIn(parse(body), 'id');
    } catch {
      return hasWord(body);
    }
  };
}

function decoded(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
