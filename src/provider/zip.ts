import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { ProviderError } from './error.ts';

/** An artifact of Herald has three files. An archive with so many more is not one. */
const ENTRIES_MAX = 10_000;

/** Unpacks one file, and no more than `maxBytes`, whatever the archive says: others may have made it. */
export async function oneFileOf(archive: Uint8Array, file: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const zip = await fromBufferPromise(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength));
    const entry = await onlyEntry(zip, file);
    if (entry.uncompressedSize > maxBytes) throw tooLarge(file, maxBytes);
    return await readEntry(zip, entry, maxBytes);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ProviderError('provider-artifact', `The artifact is damaged: ${why}.`, null, { cause: error });
  }
}

async function onlyEntry(zip: ZipFile, file: string): Promise<Entry> {
  const found: Entry[] = [];
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    count += 1;
    if (count > ENTRIES_MAX)
      throw new ProviderError('provider-artifact', `The artifact has more than ${ENTRIES_MAX} files.`, null);
    if (entry.fileName === file) found.push(entry);
  }
  const [entry, second] = found;
  // Which of two is read depends on the reader. Then no one knows what was reviewed.
  if (second !== undefined)
    throw new ProviderError('provider-artifact', `The artifact has two files named ${file}.`, null);
  if (entry === undefined)
    throw new ProviderError('provider-artifact', `The artifact has no file ${file}.`, null);
  return entry;
}

async function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of await zip.openReadStreamPromise(entry)) {
    const bytes = piece as Uint8Array;
    size += bytes.byteLength;
    if (size > maxBytes) throw tooLarge(entry.fileName, maxBytes);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

function tooLarge(file: string, maxBytes: number): ProviderError {
  return new ProviderError('provider-artifact', `${file} has more than ${maxBytes} bytes.`, null);
}
