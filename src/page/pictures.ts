import type { Plan } from '../domain/change.ts';
import type { ByteFiles } from '../domain/ports.ts';
import { formatBytes } from '../render/values.ts';

/** Larger pictures are made smaller. */
const PICTURE_BYTES_MAX = 4 * 1024 * 1024;
/** Larger ones are not even read. */
const READ_BYTES_MAX = 64 * 1024 * 1024;
/** All pictures of one page that are shown as they are. The others are made smaller. */
const TOTAL_BYTES_MAX = 12 * 1024 * 1024;
/** Making one smaller takes about a second. */
const SMALLER_MAX = 40;

/** The first bytes of the formats that browsers show. */
const FORMATS = [
  ['image/png', /^\u0089PNG\r\n.\n/s],
  ['image/jpeg', /^\u00ff\u00d8\u00ff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
] as const;

/** A data URL, or a sentence that says why there is none. */
export type Picture =
  { readonly kind: 'shown'; readonly url: string } | { readonly kind: 'missing'; readonly why: string };

/** The pictures of the local files of a plan, by path. */
export async function readPictures(
  bytes: ByteFiles,
  { contents = [] }: Plan,
): Promise<ReadonlyMap<string, Picture>> {
  const pictures = new Map<string, Picture>();
  const left: Left = { bytes: TOTAL_BYTES_MAX, smaller: SMALLER_MAX };
  const files = contents.flatMap(({ messages }) =>
    messages.flatMap(({ attachments = [] }) => attachments.flatMap(({ file }) => file ?? [])),
  );
  for (const file of new Set(files)) {
    const found = await readPicture(bytes, file, left).catch(() => 'The file could not be read.');
    pictures.set(file, typeof found === 'string' ? { kind: 'missing', why: found } : found);
  }
  return pictures;
}

/** What a page may still hold. */
interface Left {
  bytes: number;
  smaller: number;
}

async function readPicture(bytes: ByteFiles, path: string, left: Left): Promise<Picture | string> {
  const { size, isFile } = await bytes.stat(path);
  if (!isFile) return 'Not a file.';
  const begins = (await read(bytes, path, Math.min(size, 16))).toString('latin1');
  const type = FORMATS.find(([, start]) => start.test(begins))?.[0];
  if (type === undefined) return 'Only PNG, JPEG, GIF and WebP are shown here. Open the file itself.';
  if (size <= PICTURE_BYTES_MAX && size <= left.bytes) {
    left.bytes -= size;
    return { kind: 'shown', url: dataUrl(type, await read(bytes, path, size)) };
  }
  if (type !== 'image/png' && type !== 'image/jpeg')
    return 'Too large to show here, and only PNG and JPEG can be made smaller. Open the file itself.';
  if (size > READ_BYTES_MAX)
    return `Larger than ${formatBytes(READ_BYTES_MAX)}, too large to show here. Open the file itself.`;
  if (left.smaller === 0)
    return `${SMALLER_MAX} pictures of this page were made smaller already. Open the file itself.`;
  left.smaller -= 1;
  const content = await read(bytes, path, size);
  // Most pages need none of it.
  const { makeSmaller } = await import('./thumbnail.ts');
  try {
    return { kind: 'shown', url: dataUrl('image/jpeg', makeSmaller(content, type)) };
  } catch {
    return 'It could not be made small enough to show here. Open the file itself.';
  }
}

function dataUrl(type: string, content: Buffer): string {
  return `data:${type};base64,${content.toString('base64')}`;
}

async function read(bytes: ByteFiles, path: string, length: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  // The memory of a piece is used again.
  for await (const piece of bytes.readBytes(path, { start: 0, length })) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}
