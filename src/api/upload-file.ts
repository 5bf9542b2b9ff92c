import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import * as z from 'zod/mini';
import { fileProblem } from '../domain/file-problem.ts';
import { isLfsPointer } from '../domain/text.ts';
import type { ByteFiles, FileFacts } from '../domain/ports.ts';

/** At most 5 GiB (VAULT-4). */
const UPLOAD_MAXIMUM_BYTES = 5_368_709_120;

const CONTENT_TYPE = 'the service takes a type such as image/png, video/… or audio/…, without parameters';

/** In start and export (VAULT-4). `validate` checks every media file with these fields alone. */
export const UPLOAD_FILE = {
  name: z
    .string()
    .check(
      z.regex(/^[\w. \-()]{1,255}$/, 'the service takes 1 to 255 of A to Z, digits, spaces and . _ - ( )'),
    ),
  size: z.int().check(z.minimum(1), z.maximum(UPLOAD_MAXIMUM_BYTES, 'the service takes 5 GiB at most')),
  content_type: z
    .string()
    .check(z.maxLength(255, CONTENT_TYPE), z.regex(/^(image|video|audio)\/[a-zA-Z0-9.+-]+$/, CONTENT_TYPE)),
  duration: z.optional(z.number().check(z.minimum(0))),
};

/** A file that may be uploaded: everything that the service would refuse it for has been looked at. */
export interface LocalFile {
  /** As it was given. */
  readonly path: string;
  /** As the vault shall know it. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly contentType: string;
  /** When it was last changed: another value later on means that other bytes were read. */
  readonly changedMs: number;
  readonly digest?: string;
}

/** The file, or everything that is wrong with it; nothing is sent for that. */
export async function examineFile(
  bytes: ByteFiles,
  path: string,
  wishes: {
    readonly name: string | undefined;
    /** Said by the user, who then vouches for it. */
    readonly contentType: string | undefined;
  },
): Promise<LocalFile | { readonly problems: readonly string[] }> {
  let facts: FileFacts;
  let head: Uint8Array | null;
  try {
    facts = await bytes.stat(path);
    if (facts.isDirectory) return { problems: ['it is a directory'] };
    if (!facts.isFile) return { problems: ['it is not a regular file'] };
    if (facts.size === 0) return { problems: ['it is empty, and the service takes no empty files'] };
    head = facts.digest === undefined ? await readHead(bytes, path, facts) : null;
  } catch (error) {
    return { problems: [fileProblem(error)] };
  }
  // No type that a person states makes it media.
  if (head !== null && isLfsPointer(Buffer.from(head).toString('latin1'))) return { problems: [LFS_POINTER] };
  const { size, changedMs, digest } = facts;
  const name = wishes.name ?? basename(path);
  const contentType = wishes.contentType ?? detectContentType(path, head);
  const problems = [
    ...listProblems('size', size, `${(size / 2 ** 30).toFixed(2)} GiB`),
    ...listProblems('name', name, `"${name}"`, `. Use a name such as ${JSON.stringify(nameLike(name))}`),
    ...(typeof contentType === 'string'
      ? listProblems('content_type', contentType, `"${contentType}"`)
      : [contentType.problem]),
  ];
  const isFit = typeof contentType === 'string' && problems.length === 0;
  const known = digest === undefined ? {} : { digest };
  return isFit ? { path, name, size, contentType, changedMs, ...known } : { problems };
}

/** What the service would refuse a value for, and how to fix it. */
function listProblems(field: keyof typeof UPLOAD_FILE, value: unknown, shown: string, hint = ''): string[] {
  const [issue] = UPLOAD_FILE[field].safeParse(value).error?.issues ?? [];
  return issue === undefined ? [] : [`its ${field} is ${shown}, and ${issue.message}${hint}`];
}

const LFS_POINTER =
  'it is a Git LFS pointer, not the file itself. Fetch the file: git lfs pull. In CI, add lfs: true below with: of actions/checkout; on GitLab, remove GIT_LFS_SKIP_SMUDGE';

/** Whether the file still is what it was when it was examined. */
export async function isUnchanged(bytes: ByteFiles, file: LocalFile): Promise<boolean> {
  const now = await bytes.stat(file.path).catch(() => null);
  return now !== null && now.size === file.size && now.changedMs === file.changedMs;
}

async function readHead(bytes: ByteFiles, path: string, { size }: FileFacts): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const range = { start: 0, length: Math.min(size, HEAD_BYTES) };
  for await (const piece of bytes.readBytes(path, range)) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

/** The nearest name that the service takes: letters without their accents, anything else as an underscore. */
function nameLike(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w. \-()]+/g, '_');
  const end = /\.\w{1,8}$/.exec(plain)?.[0] ?? '';
  return plain.length <= 255 ? plain : plain.slice(0, 255 - end.length) + end;
}

/** In how many bytes at the beginning of a file its kind shows. */
const HEAD_BYTES = 64;

/**
 * The kinds of media that Herald knows: their extensions, and how their first bytes begin when they are read as latin1. Those
 * with `ftyp` have the brand of ISO 14496-12. The first kind that fits is named to people.
 */
const MEDIA_KINDS: readonly (readonly [contentType: string, extensions: string, begins: RegExp])[] = [
  ['image/jpeg', '.jpg .jpeg', /^\xff\xd8\xff/],
  ['image/png', '.png', /^\x89PNG\r\n.\n/s],
  ['image/gif', '.gif', /^GIF8/],
  ['image/webp', '.webp', /^RIFF.{4}WEBP/s],
  ['image/heic', '.heic .heif', /^.{4}ftyp(?:he[iv]|mif1|msf1)/s],
  ['image/avif', '.avif', /^.{4}ftypavi[fs]/s],
  // Old cameras write no brand: such a file begins with one of these boxes.
  ['video/quicktime', '.mov .qt', /^.{4}(?:ftypqt|moov|mdat|wide|free|skip|pnot)/s],
  ['video/mp4', '.mp4 .m4v', /^.{4}ftyp(?!qt|M4A|M4B|he[iv]|avi)/s],
  ['audio/mp4', '.m4a', /^.{4}ftyp(?:M4A|M4B|mp4|isom|iso\d|dash)/s],
  ['video/webm', '.webm', /^.\x45\xdf\xa3/s],
  ['video/x-matroska', '.mkv', /^.\x45\xdf\xa3/s],
  ['video/x-msvideo', '.avi', /^RIFF.{4}AVI /s],
  ['audio/wav', '.wav', /^RIFF.{4}WAVE/s],
  ['audio/ogg', '.ogg .oga .opus', /^OggS/],
  ['audio/flac', '.flac', /^fLaC/],
  // The bits at which a frame begins, and those of its layer.
  ['audio/aac', '.aac', /^\xff[\xf0\xf1\xf8\xf9]/],
  ['audio/mpeg', '.mp3', /^(?:ID3|\xff[\xe2\xe3\xea\xeb\xf2\xf3\xfa\xfb])/],
];

/** The type to send to the service, or why it is not known. The extension decides, and the bytes must agree if they are here. */
function detectContentType(path: string, head: Uint8Array | null): string | { readonly problem: string } {
  const begins = Buffer.from(head ?? []).toString('latin1');
  const extension = extname(path).toLowerCase();
  const refuse = (why: string) => ({ problem: `${why}. Or set its content type` });
  const named = MEDIA_KINDS.find(([, extensions]) => extensions.split(' ').includes(extension));
  if (named === undefined) {
    const what = extension === '' ? 'has no extension' : `ends in ${extension}`;
    const known = MEDIA_KINDS.map(([, extensions]) => extensions).join(' ');
    return refuse(`its name ${what}, which is not a known kind of media. Known: ${known}`);
  }
  const [contentType, , signature] = named;
  if (head === null || signature.test(begins)) return contentType;
  const found = MEDIA_KINDS.find(([, , other]) => other.test(begins));
  const inside = found === undefined ? 'does not begin like it' : `holds ${found[0]}`;
  return refuse(`its name says ${contentType}, but it ${inside}. Rename it to what it is`);
}

/**
 * A name for a file's bytes, by which the record recognises them: their SHA-256, as `sha256sum` prints it. A
 * reviewed plan is bound to it, and it prevents a second upload of the same bytes. So it must not be possible to make another
 * file of the same name. The price is one reading more, half a second for a GiB: a line takes far longer.
 * Rejects when the file is shorter than it was, cannot be read, or with the signal's reason.
 */
export async function printFile(
  bytes: ByteFiles,
  { path, size }: { readonly path: string; readonly size: number },
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const piece of bytes.readBytes(path, { start: 0, length: size })) {
    signal.throwIfAborted();
    hash.update(piece);
    read += piece.byteLength;
  }
  if (read < size) throw new Error(`${path} became shorter while it was read`);
  return `sha256:${hash.digest('hex')}`;
}
