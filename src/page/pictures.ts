import type { Plan } from '../domain/change.ts';
import type { ByteFiles } from '../domain/ports.ts';
import { formatBytes } from '../render/values.ts';

/** Larger pictures are not shown: nothing here makes a picture smaller. */
const PICTURE_BYTES_MAX = 4 * 1024 * 1024;
/** All pictures of one page. */
const TOTAL_BYTES_MAX = 12 * 1024 * 1024;

/** The first bytes of the formats that browsers show. */
const FORMATS: readonly (readonly [type: string, begins: RegExp])[] = [
  ['image/png', /^\u0089PNG\r\n.\n/s],
  ['image/jpeg', /^\u00ff\u00d8\u00ff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];

/** A data URL, or a sentence that says why there is none. */
export type Picture =
  { readonly kind: 'shown'; readonly url: string } | { readonly kind: 'missing'; readonly why: string };

/** The pictures of the local files of a plan, by path. */
export async function readPictures(
  bytes: ByteFiles,
  { contents = [] }: Plan,
): Promise<ReadonlyMap<string, Picture>> {
  const pictures = new Map<string, Picture>();
  let left = TOTAL_BYTES_MAX;
  for (const { attachments = [] } of contents.flatMap(({ messages }) => messages))
    for (const { file } of attachments) {
      if (file === undefined || pictures.has(file)) continue;
      const found = await readPicture(bytes, file, left).catch(() => 'The file could not be read.');
      if (typeof found === 'string') {
        pictures.set(file, { kind: 'missing', why: found });
        continue;
      }
      left -= found.size;
      pictures.set(file, { kind: 'shown', url: found.url });
    }
  return pictures;
}

/** The picture, or why it is not shown. */
async function readPicture(
  bytes: ByteFiles,
  path: string,
  left: number,
): Promise<{ readonly url: string; readonly size: number } | string> {
  const { size, isFile } = await bytes.stat(path);
  if (!isFile) return 'Not a file.';
  const type = findFormat(await read(bytes, path, Math.min(size, 16)));
  if (type === undefined) return 'Only PNG, JPEG, GIF and WebP are shown here. Open the file itself.';
  if (size > PICTURE_BYTES_MAX)
    return `Larger than ${formatBytes(PICTURE_BYTES_MAX)}, too large to show here. Open the file itself.`;
  if (size > left)
    return `The pictures of this page have ${formatBytes(TOTAL_BYTES_MAX)} already. Open the file itself.`;
  const content = await read(bytes, path, size);
  return { url: `data:${type};base64,${content.toString('base64')}`, size };
}

function findFormat(content: Buffer): string | undefined {
  const begins = content.toString('latin1');
  return FORMATS.find(([, start]) => start.test(begins))?.[0];
}

async function read(bytes: ByteFiles, path: string, length: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  // The memory of a piece is used again.
  for await (const piece of bytes.readBytes(path, { start: 0, length })) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}
