import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KeptViews, LedgerPosition } from '../domain/ledger-store.ts';
import { systemClock } from './clock.ts';
import { KeyedDigest } from './keyed-digest.ts';
import type { FileChange, ReadFile } from './line-files.ts';
import type { ViewPlaces } from './view-places.ts';
import { writeAtomically } from './write-atomically.ts';

/** What a view was made from. It is signed, because a view decides what Herald believes to have sent. */
interface Binding {
  readonly id: string;
  readonly position: LedgerPosition;
  /** The digests of the bytes up to each place, from the place before it (`KeyedDigest`). */
  readonly digests: readonly (readonly [number, string])[];
  /** That of the file when it had these bytes; null where it may change again without another stamp. */
  readonly stamp: string | null;
  /** The digest of the view itself. */
  readonly view: string;
}

/** After so long another change of a file gets another time, on every file system. */
const SETTLED_MS = 3_000;
const KEY_BYTES = 32;
/** A view that was not used for so long is removed. */
const UNUSED_MS = 60 * 86_400_000;

/**
 * A view of one ledger file, in the cache folder of the user. It is used only if the bytes that it was made from are
 * still there: their digest is compared, or the file has not been touched since that was done last.
 */
export class FileView implements KeptViews {
  readonly worthLines = 10_000;
  readonly #file: ReadFile;
  readonly #places: ViewPlaces;
  readonly #id: string;
  readonly #atOpen: Promise<FileChange>;
  /** Of the bytes that a loaded view was made from. */
  #known: Binding['digests'] = [];
  /** The key that `#added` was made with. It is written with the first view that is kept. */
  #key: Buffer = Buffer.alloc(0);
  /** Of those that were read since. */
  #added: Binding['digests'][number] | null = null;

  /** `path`: the real one of the ledger. */
  constructor(file: ReadFile, places: ViewPlaces, path: string, view: string) {
    this.#file = file;
    this.#places = places;
    this.#id = createHash('sha256').update(`${path}\0${view}`).digest('hex').slice(0, 32);
    this.#atOpen = file.change();
    // Awaited when it is needed.
    this.#atOpen.catch(() => undefined);
  }

  /** The same bytes of the file from that place on, and their digest. */
  async *watched(pieces: AsyncIterable<Uint8Array>, start: number): AsyncGenerator<Uint8Array, void> {
    const from = this.#known.at(-1)?.[0] ?? 0;
    this.#key = (await knownKey(this.#places.key)) ?? randomBytes(KEY_BYTES);
    const digest = new KeyedDigest(this.#key);
    let at = start;
    for await (const piece of pieces) {
      if (at + piece.length > from) digest.update(piece.subarray(Math.max(0, from - at)));
      at += piece.length;
      yield piece;
    }
    this.#added = start <= from && at > from ? [at, digest.digest()] : null;
  }

  async load(): ReturnType<KeptViews['load']> {
    try {
      const binding = await this.#binding();
      if (binding === null || !(await this.#isMadeFromThis(binding))) return null;
      const bytes = await readFile(this.#path('view'));
      const key = await readFile(this.#places.key);
      if (new KeyedDigest(key, binding.view).update(bytes).digest() !== binding.view) return null;
      this.#known = binding.digests;
      const at = (from: number, length: number) => bytes.subarray(from, from + length);
      return { position: binding.position, bytes: { length: bytes.length, at } };
    } catch {
      // All lines are read instead.
      return null;
    }
  }

  async save(position: LedgerPosition, pieces: Iterable<Uint8Array>): Promise<void> {
    if (this.#added === null) return;
    try {
      await mkdir(this.#places.folder, { recursive: true, mode: 0o700 });
      // Another process may have written one meanwhile: what was read is not known by that.
      if (!this.#key.equals(await keyAt(this.#places.key, this.#key))) return;
      const digest = new KeyedDigest(this.#key);
      await writeAtomically(this.#path('view'), watchedBy(digest, pieces), { isPrivate: true });
      const digests = [...this.#known, this.#added];
      await this.#bind({ id: this.#id, position, digests, stamp: null, view: digest.digest() });
      await removeUnused(this.#places.folder);
    } catch {
      // A full disk, or a folder of another user: the next reading reads all lines again.
    }
  }

  #path(ending: 'view' | 'json'): string {
    return join(this.#places.folder, `${this.#id}.${ending}`);
  }

  /** Null where it is none that Herald has signed for this user. */
  async #binding(): Promise<Binding | null> {
    const [text = '', signature] = (await readFile(this.#path('json'), 'utf8')).split('\n');
    const key = await readFile(this.#places.key);
    if (key.length !== KEY_BYTES || signature !== signatureOf(text, key)) return null;
    const binding = JSON.parse(text) as Binding;
    return binding.id === this.#id ? binding : null;
  }

  /** Signs it with a stamp, where the file had that before and after it was read. */
  async #bind(binding: Binding): Promise<void> {
    const [before, after] = [await this.#atOpen, await this.#file.change()];
    const stamp = before.stamp === after.stamp && before.agoMs > SETTLED_MS ? before.stamp : null;
    const text = JSON.stringify({ ...binding, stamp });
    const key = await readFile(this.#places.key);
    await writeAtomically(this.#path('json'), `${text}\n${signatureOf(text, key)}`, { isPrivate: true });
  }

  async #isMadeFromThis(binding: Binding): Promise<boolean> {
    const { digests, stamp } = binding;
    if (stamp !== null && stamp === (await this.#atOpen).stamp) return true;
    const [end = 0] = digests.at(-1) ?? [];
    if (end === 0 || this.#file.size < end || !(await this.#has(digests))) return false;
    await this.#bind(binding);
    return true;
  }

  /** Whether the file has bytes with these digests. */
  async #has(digests: Binding['digests']): Promise<boolean> {
    const key = await readFile(this.#places.key);
    let digest: KeyedDigest | null = null;
    let at = 0;
    let index = 0;
    for await (const piece of this.#file.bytesFrom(0)) {
      for (let rest = piece; rest.length > 0;) {
        const [end, expected] = digests[index] ?? [0, ''];
        const part = rest.subarray(0, end - at);
        digest = (digest ?? new KeyedDigest(key, expected)).update(part);
        at += part.length;
        rest = rest.subarray(part.length);
        if (at < end) continue;
        if (digest.digest() !== expected) return false;
        digest = null;
        index += 1;
        if (index === digests.length) return true;
      }
    }
    return false;
  }
}

function signatureOf(text: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** The key of this user; null where there is none. */
async function knownKey(path: string): Promise<Buffer | null> {
  const known = await readFile(path).catch(() => null);
  return known?.length === KEY_BYTES ? known : null;
}

/** The key of this user. `fresh` becomes it if there is none: views that were signed with another one are not used. */
async function keyAt(path: string, fresh: Buffer): Promise<Buffer> {
  const known = await knownKey(path);
  if (known !== null) return known;
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, once(fresh), { isPrivate: true });
  return fresh;
}

async function* once(piece: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield piece;
}

async function* watchedBy(
  digest: KeyedDigest,
  pieces: Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for (const piece of pieces) {
    digest.update(piece);
    yield piece;
  }
}

/** Views of ledgers that are gone. */
async function removeUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (systemClock.now() - mtimeMs > UNUSED_MS) await rm(path, { force: true });
  }
}
