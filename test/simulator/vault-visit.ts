import { putInProcess } from '../../src/simulator/uploads.ts';
import type { PutAnswer } from '../../src/domain/ports.ts';
import type { ModeChanges } from '../../src/simulator/modes.ts';
import { aVisit, itemsOf, type Answered, type Json, type Visit } from './visit.ts';

export const VAULT = '/api/v0/accounts/101/vault';
export const UPLOADS = `${VAULT}/medias/uploads`;

const aFile = (more: Json = {}): Json => ({
  name: 'beach.jpg',
  size: 5,
  content_type: 'image/jpeg',
  ...more,
});

/** What start answered, whichever shape it had. */
export interface Started {
  readonly key: string;
  readonly get_url: string;
  readonly put_url: string;
  readonly upload_id: string;
  readonly parts: readonly { readonly id: number; readonly put_url: string }[];
}

interface PutMore {
  readonly contentType?: string;
  readonly length?: number;
  readonly signal?: AbortSignal;
}

export interface VaultVisit extends Visit {
  start(file?: Json): Promise<Started>;
  put(url: string, bytes: string | AsyncIterable<Uint8Array>, more?: PutMore): Promise<PutAnswer>;
  finish(started: Started, eTags: readonly string[]): Promise<Answered>;
  export(started: Started, eTag: string, more?: Json): Promise<Answered>;
  /** Start, one put and export. */
  upload(name?: string): Promise<Json>;
  uploads(query?: string): Promise<Json[]>;
}

/** Each state of an upload lasts ten seconds, unless the test says otherwise. */
export function aVaultVisit(modes: ModeChanges = {}): VaultVisit {
  const visit = aVisit({ modes: { uploadStepSec: 10, ...modes } });
  const putBytes = putInProcess((request) => visit.simulator.store(request));
  const vault: VaultVisit = {
    ...visit,
    start: async (file = aFile()) => {
      const { text } = await visit.call('POST', `${UPLOADS}/start`, file);
      return JSON.parse(text);
    },
    put: (url, bytes, { contentType = 'image/jpeg', length = 5, signal } = {}) =>
      putBytes({
        url,
        contentType,
        length,
        body: typeof bytes === 'string' ? inPieces(bytes) : bytes,
        signal: signal ?? new AbortController().signal,
      }),
    finish: ({ key, upload_id, parts }, eTags) =>
      visit.call('POST', `${UPLOADS}/finish`, {
        key,
        upload_id,
        parts: parts.map(({ id }, index) => ({ part: id, e_tag: eTags[index] })),
      }),
    export: ({ key, get_url }, eTag, more = {}) =>
      visit.call('POST', `${UPLOADS}/export`, {
        ...aFile(),
        key,
        get_url,
        e_tag: eTag,
        export_type: 'post',
        ...more,
      }),
    upload: async (name = 'beach.jpg') => {
      const started = await vault.start(aFile({ name }));
      const { etag } = await vault.put(started.put_url, 'bytes');
      return (await vault.export(started, etag ?? '', { name })).body;
    },
    uploads: async (query = '') => itemsOf(await visit.call('GET', `${UPLOADS}${query}`)),
  };
  return vault;
}

/** A text in pieces of two bytes. */
export async function* inPieces(text: string): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 2) yield bytes.subarray(at, at + 2);
}
