/** The beginnings of real media files: enough for anyone who looks at the first bytes. */
export const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
export const MP4 = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2');

/** A media file of that many bytes, of which no two pieces are alike; `seed` makes another one. */
export function mediaOf(head: Uint8Array, size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed >>> 0 || 1;
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  bytes.set(head.subarray(0, size));
  return bytes;
}
