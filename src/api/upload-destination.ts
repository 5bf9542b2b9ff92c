import type { UploadId } from '../domain/ids.ts';
import type { ByteRange } from '../domain/ports.ts';
import { CATALOGUE, type Reply } from './catalogue.ts';

/** Where the bytes of one upload go. The addresses are secrets, and live no longer than this value. */
export interface Destination {
  readonly key: string;
  readonly getUrl: string;
  /** Null for a single put, which needs no finish. */
  readonly uploadId: UploadId | null;
  /** In the order of the file's bytes. */
  readonly parts: readonly DestinationPart[];
}

export interface DestinationPart {
  readonly id: number;
  readonly putUrl: string;
  readonly range: ByteRange;
}

const EXPORT = CATALOGUE['vault.upload-export'].body.shape;

/**
 * Reads what start answered (VAULT-5); its shape decides, never the size. All that finish and export will need must be
 * there now: gigabytes later would be too late.
 *
 * | put_url | upload_id and parts | then             |
 * |---------|---------------------|------------------|
 * | yes     | no                  | a single put     |
 * | no      | yes                 | a put for a part |
 * | both, or neither              | nothing is sent  |
 *
 * `service` is the address of the service that answered.
 */
export function readDestination(
  reply: Reply<'vault.upload-start'>,
  size: number,
  service: string,
): Destination | { readonly problem: string } {
  const { put_url: putUrl, upload_id: uploadId, parts, key, get_url: getUrl } = reply;
  const single = present(putUrl);
  const multipart = present(uploadId) && parts != null;
  if (single === multipart)
    return {
      problem: `start named ${single ? 'both a single address and parts' : 'neither an address nor parts'}`,
    };
  if (!EXPORT.key.safeParse(key).success || !present(key))
    return { problem: 'start named no key that can be used, and without it nothing can be exported' };
  if (!EXPORT.get_url.safeParse(getUrl).success || !present(getUrl))
    return { problem: 'start named no get_url that can be used, and without it nothing can be exported' };
  const places = single ? [{ id: 1, put_url: putUrl ?? '' }] : (parts ?? []);
  const problem = addressProblem(
    places.map(({ put_url: url }) => url),
    service,
  );
  if (problem !== null) return { problem };
  return cutFor(places, size, { key, getUrl, uploadId: single ? null : (uploadId ?? '') });
}

/** Files go to the store over TLS, as the requests go to the service; only a service on this machine has neither. */
function addressProblem(urls: readonly string[], service: string): string | null {
  const protocols = urls.map(protocolOf);
  if (!protocols.every((protocol) => protocol === 'https:' || protocol === 'http:'))
    return 'start named an address that is not an http or https URL';
  const isPlain = protocols.includes('http:') && service.startsWith('https:');
  return isPlain ? 'start named an http address, and files go over https only' : null;
}

function cutFor(
  places: readonly { readonly id: number; readonly put_url: string }[],
  size: number,
  rest: Omit<Destination, 'parts'>,
): Destination | { readonly problem: string } {
  if (new Set(places.map(({ id }) => id)).size < places.length)
    return { problem: 'start named two parts with one id' };
  const ranges = cutFile(size, places.length);
  if (ranges === null) return { problem: `start named ${places.length} parts for ${size} bytes` };
  const ordered = places.toSorted((left, right) => left.id - right.id);
  const parts = ranges.flatMap((range, index) => {
    const place = ordered[index];
    return place === undefined ? [] : [{ id: place.id, putUrl: place.put_url, range }];
  });
  return { ...rest, parts };
}

function present(text: string | null | undefined): text is string {
  return text != null && text !== '';
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

/** Object stores accept no smaller part, except the last one. */
const LEAST_PART_BYTES = 5 * 1_048_576;

/**
 * The ranges of a file that go to `parts` addresses, in the order of the parts; none of them is empty.
 * Assumed: the service does not say where it cuts (VAULT-8), so parts are of one size wherever that gives
 * exactly their number, and differ by one byte elsewhere. Null where there are more parts than bytes.
 */
export function cutFile(size: number, parts: number): readonly ByteRange[] | null {
  if (parts < 1 || parts > size) return null;
  const even = Math.max(Math.ceil(size / parts), LEAST_PART_BYTES);
  const lengths =
    Math.ceil(size / even) === parts
      ? Array.from({ length: parts }, (_, index) => Math.min(even, size - index * even))
      : balanced(size, parts);
  let start = 0;
  return lengths.map((length) => {
    const range = { start, length };
    start += length;
    return range;
  });
}

function balanced(size: number, parts: number): readonly number[] {
  const least = Math.floor(size / parts);
  return Array.from({ length: parts }, (_, index) => (index < size % parts ? least + 1 : least));
}
