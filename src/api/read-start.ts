/** Reads a limited number of bytes: a small answer may unpack to gigabytes, or never end. */
export async function readStart(
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size > limitBytes) return { bytes: Buffer.concat(pieces, limitBytes), isWhole: false };
  }
  return { bytes: Buffer.concat(pieces), isWhole: true };
}
