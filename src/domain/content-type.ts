import { extname } from 'node:path';

/** What a file must begin with so that it is what its name says. */
type Signature = (head: Uint8Array) => boolean;

interface Kind {
  readonly contentType: string;
  readonly extensions: readonly string[];
  readonly hasSignature: Signature;
}

/** Where a file is named: what advice may tell to do about it depends on that. */
export type NamedIn = 'flags' | 'yaml';

/** How much of a file's beginning its kind shows in, in bytes. */
export const HEAD_BYTES = 64;

/** The kinds of media that Herald knows by name and by their first bytes. A later kind is never asked once one fits. */
const KINDS: readonly Kind[] = [
  { contentType: 'image/jpeg', extensions: ['.jpg', '.jpeg'], hasSignature: bytes('ffd8ff') },
  { contentType: 'image/png', extensions: ['.png'], hasSignature: bytes('89504e470d0a1a0a') },
  { contentType: 'image/gif', extensions: ['.gif'], hasSignature: text('GIF8') },
  { contentType: 'image/webp', extensions: ['.webp'], hasSignature: both(text('RIFF'), text('WEBP', 8)) },
  { contentType: 'image/heic', extensions: ['.heic', '.heif'], hasSignature: brand(/^(he[iv]|mif1|msf1)/) },
  { contentType: 'image/avif', extensions: ['.avif'], hasSignature: brand(/^avi[fs]/) },
  {
    contentType: 'video/quicktime',
    extensions: ['.mov', '.qt'],
    // Old cameras write no brand: such a file begins with one of these boxes.
    hasSignature: either(brand(/^qt/), box(/^(moov|mdat|wide|free|skip|pnot)$/)),
  },
  {
    contentType: 'video/mp4',
    extensions: ['.mp4', '.m4v'],
    hasSignature: brand(/^(?!qt|M4A|M4B|he[iv]|avi)/),
  },
  { contentType: 'audio/mp4', extensions: ['.m4a'], hasSignature: brand(/^(M4A|M4B|mp4|isom|iso\d|dash)/) },
  { contentType: 'video/webm', extensions: ['.webm'], hasSignature: bytes('1a45dfa3') },
  { contentType: 'video/x-matroska', extensions: ['.mkv'], hasSignature: bytes('1a45dfa3') },
  { contentType: 'video/x-msvideo', extensions: ['.avi'], hasSignature: both(text('RIFF'), text('AVI ', 8)) },
  { contentType: 'audio/wav', extensions: ['.wav'], hasSignature: both(text('RIFF'), text('WAVE', 8)) },
  { contentType: 'audio/ogg', extensions: ['.ogg', '.oga', '.opus'], hasSignature: text('OggS') },
  { contentType: 'audio/flac', extensions: ['.flac'], hasSignature: text('fLaC') },
  { contentType: 'audio/aac', extensions: ['.aac'], hasSignature: frames(0xf6, 0xf0) },
  { contentType: 'audio/mpeg', extensions: ['.mp3'], hasSignature: either(text('ID3'), frames(0xe6, 0xe2)) },
];

const ALL_EXTENSIONS = KINDS.flatMap(({ extensions }) => extensions).join(' ');

/** The type to send to the service, or why it is not known. The extension decides, and the bytes must agree. */
export function contentTypeOf(
  path: string,
  head: Uint8Array,
  namedIn: NamedIn = 'flags',
): { contentType: string } | { problem: string } {
  const [another, orSay] =
    namedIn === 'flags'
      ? ['; for another one use --content-type', ', or say what it is with --content-type']
      : ['', ''];
  const extension = extname(path).toLowerCase();
  const named = KINDS.find(({ extensions }) => extensions.includes(extension));
  if (named === undefined) {
    const what = extension === '' ? 'has no extension' : `ends in ${extension}`;
    return {
      problem: `its name ${what}, which is not a known kind of media. Known: ${ALL_EXTENSIONS}${another}`,
    };
  }
  if (named.hasSignature(head)) return { contentType: named.contentType };
  const found = KINDS.find(({ hasSignature }) => hasSignature(head));
  const inside = found === undefined ? 'does not begin like it' : `holds ${found.contentType}`;
  const advice = `Rename it to what it is${orSay}`;
  return { problem: `its name says ${named.contentType}, but it ${inside}. ${advice}` };
}

function bytes(hex: string): Signature {
  const wanted = Buffer.from(hex, 'hex');
  return (head) => wanted.equals(head.subarray(0, wanted.length));
}

function text(word: string, at = 0): Signature {
  return (head) => latin(head, at, word.length) === word;
}

/** The first box of an ISO media file and its brand (ISO 14496-12). */
function brand(pattern: RegExp): Signature {
  return both(text('ftyp', 4), (head) => pattern.test(latin(head, 8, 4)));
}

function box(pattern: RegExp): Signature {
  return (head) => pattern.test(latin(head, 4, 4));
}

/** The ones at which an audio frame begins, and the bits that tell its layer. */
function frames(mask: number, value: number): Signature {
  return (head) => head[0] === 0xff && ((head[1] ?? 0) & mask) === value;
}

function both(left: Signature, right: Signature): Signature {
  return (head) => left(head) && right(head);
}

function either(left: Signature, right: Signature): Signature {
  return (head) => left(head) || right(head);
}

function latin(head: Uint8Array, at: number, length: number): string {
  return Buffer.from(head.subarray(at, at + length)).toString('latin1');
}
