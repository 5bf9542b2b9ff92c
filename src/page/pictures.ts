import type { Plan } from '../domain/change.ts';
import type { ByteFiles } from '../domain/ports.ts';

/** Larger pictures are shown by their name. */
const PICTURE_BYTES_MAX = 64 * 1024;
/** All pictures of one page. */
const TOTAL_BYTES_MAX = 320 * 1024;

/** The first bytes of the formats that browsers show. */
const FORMATS: readonly (readonly [type: string, begins: string])[] = [
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', '\u00ff\u00d8\u00ff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
];

/** Small local pictures of a plan as data URLs, by path. A file that is missing, large or no picture has none. */
export async function picturesOf(
  bytes: ByteFiles,
  { contents = [] }: Plan,
): Promise<ReadonlyMap<string, string>> {
  const files = contents.flatMap(({ messages }) =>
    messages.flatMap(({ attachments = [] }) =>
      attachments.flatMap(({ file }) => (file === undefined ? [] : [file])),
    ),
  );
  const pictures = new Map<string, string>();
  let total = 0;
  for (const file of new Set(files)) {
    const found = await readPicture(bytes, file).catch(() => null);
    if (found === null || total + found.size > TOTAL_BYTES_MAX) continue;
    total += found.size;
    pictures.set(file, found.url);
  }
  return pictures;
}

async function readPicture(
  bytes: ByteFiles,
  path: string,
): Promise<{ readonly url: string; readonly size: number } | null> {
  const { size, isFile } = await bytes.stat(path);
  if (!isFile || size === 0 || size > PICTURE_BYTES_MAX) return null;
  const pieces: Uint8Array[] = [];
  // The memory of a piece is used again.
  for await (const piece of bytes.readBytes(path, { start: 0, length: size })) pieces.push(piece.slice());
  const content = Buffer.concat(pieces);
  const begins = content.subarray(0, 16).toString('latin1');
  const type = FORMATS.find(([, start]) => begins.startsWith(start))?.[0];
  return type === undefined ? null : { url: `data:${type};base64,${content.toString('base64')}`, size };
}
