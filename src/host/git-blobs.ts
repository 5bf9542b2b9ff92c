import { GitError } from '../domain/git.ts';
import type { ByteRange } from '../domain/ports.ts';
import { notRun, startGit, type GitChild, type GitPlace } from './git-process.ts';

const NEW_LINE = 10;

interface Asked {
  readonly give: (bytes: Buffer) => void;
  readonly fail: (error: Error) => void;
}

/** Reads whole files of commits by their ids, all of them through one process of git. */
export class BlobReader {
  readonly #place: GitPlace;
  readonly #asked: Asked[] = [];
  #child: GitChild | null = null;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Bytes that the answer takes with its line break; null before its header was read. */
  #wanted: number | null = null;

  constructor(place: GitPlace) {
    this.#place = place;
  }

  read(id: string): Promise<Buffer> {
    return new Promise((give, fail) => {
      this.#asked.push({ give, fail });
      this.#started().stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#child?.stdin.end();
    this.#child?.kill();
    this.#child = null;
  }

  #started(): GitChild {
    if (this.#child !== null) return this.#child;
    const child = startGit(this.#place, ['cat-file', '--batch'], 0);
    child.on('error', (error) => this.#failAll(notRun(error)));
    child.on('close', () => this.#failAll(unreadable('the process of git ended')));
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
    child.stdout.on('data', (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#length += piece.length;
      this.#answer();
    });
    this.#child = child;
    return child;
  }

  /** Gives each answer that has arrived as a whole. */
  #answer(): void {
    for (;;) {
      if (this.#wanted !== null && this.#length < this.#wanted) return;
      if (this.#wanted !== null) {
        this.#asked.shift()?.give(this.#take(this.#wanted).subarray(0, -1));
        this.#wanted = null;
        continue;
      }
      const all = this.#all();
      const end = all.indexOf(NEW_LINE);
      if (end === -1) return;
      const header = this.#take(end + 1).toString('utf8');
      const size = /^[0-9a-f]+ blob (\d+)\n$/.exec(header)?.[1];
      if (size === undefined) this.#asked.shift()?.fail(unreadable(header.trim()));
      else this.#wanted = Number(size) + 1;
    }
  }

  #take(length: number): Buffer {
    const all = this.#all();
    this.#pieces = [all.subarray(length)];
    this.#length -= length;
    return all.subarray(0, length);
  }

  #all(): Buffer {
    if (this.#pieces.length !== 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }

  #failAll(error: Error): void {
    this.#child = null;
    for (const { fail } of this.#asked.splice(0)) fail(error);
  }
}

function unreadable(why: string): GitError {
  return new GitError(
    'git-failed',
    `A file of a commit cannot be read: ${why}.`,
    'Check the repository: git fsck',
  );
}

/** A part of a large file of a commit. */
export async function* blobBytes(
  place: GitPlace,
  id: string,
  { start, length }: ByteRange,
): AsyncGenerator<Uint8Array, void> {
  const child = startGit(place, ['cat-file', 'blob', id], 0);
  child.stdin.on('error', () => undefined).end();
  child.stderr.resume();
  const failed = new Promise<never>((_, reject) => child.on('error', (error) => reject(notRun(error))));
  failed.catch(() => undefined);
  try {
    yield* upTo(from(child.stdout, start), length);
  } finally {
    child.kill();
  }
}

/** Passes on at most so many bytes. */
async function* upTo(pieces: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array, void> {
  let missing = length;
  for await (const piece of pieces) {
    yield piece.subarray(0, missing);
    missing -= Math.min(missing, piece.byteLength);
    if (missing === 0) return;
  }
}

async function* from(pieces: AsyncIterable<Buffer>, start: number): AsyncGenerator<Uint8Array, void> {
  let skipped = 0;
  for await (const piece of pieces) {
    const rest = piece.subarray(Math.min(piece.length, start - skipped));
    skipped += piece.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}
