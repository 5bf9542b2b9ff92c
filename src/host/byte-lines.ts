const NEW_LINE = 10;

/**
 * Splits bytes into lines as they arrive, and gives what follows the last line break. A line is never cut inside of a
 * character: no byte of one is a line break.
 */
export async function eachLine(
  pieces: AsyncIterable<Uint8Array>,
  take: (text: string, bytes: number) => void,
): Promise<string> {
  let begun: Buffer[] = [];
  for await (const { buffer, byteOffset, byteLength } of pieces) {
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    let from = 0;
    for (let end = piece.indexOf(NEW_LINE); end !== -1; end = piece.indexOf(NEW_LINE, from)) {
      if (begun.length === 0) take(piece.toString('utf8', from, end), end - from + 1);
      else {
        const line = Buffer.concat([...begun, piece.subarray(from, end)]);
        begun = [];
        take(line.toString('utf8'), line.byteLength + 1);
      }
      from = end + 1;
    }
    // The piece is only lent.
    if (from < byteLength) begun.push(Buffer.from(piece.subarray(from)));
  }
  return Buffer.concat(begun).toString('utf8');
}

/** The same lines, those of one piece at a time; what follows the last line break is the last of them. */
export async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[], void> {
  let begun: Buffer[] = [];
  for await (const { buffer, byteOffset, byteLength } of pieces) {
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    const end = piece.lastIndexOf(NEW_LINE);
    if (end !== -1) {
      yield Buffer.concat([...begun, piece.subarray(0, end)])
        .toString('utf8')
        .split('\n');
      begun = [];
    }
    // The piece is only lent.
    begun.push(Buffer.from(piece.subarray(end + 1)));
  }
  const rest = Buffer.concat(begun).toString('utf8');
  if (rest !== '') yield [rest];
}

/** So many bytes, or fewer at the end. */
export async function firstBytes(pieces: AsyncIterable<Uint8Array>, length: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let missing = length;
  for await (const piece of pieces) {
    const part = Buffer.from(piece.subarray(0, missing));
    parts.push(part);
    missing -= part.byteLength;
    if (missing === 0) break;
  }
  return Buffer.concat(parts);
}

/** The same bytes, up to so many of them. */
export async function* upTo(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void> {
  let missing = length;
  for await (const piece of pieces) {
    yield piece.subarray(0, missing);
    missing -= Math.min(missing, piece.byteLength);
    if (missing === 0) return;
  }
}

/** A line without the first half of a line break of Windows: git may give one branch such breaks and not the other. */
export function withoutReturn(written: string): string {
  return written.endsWith('\r') ? written.slice(0, -1) : written;
}

const TAIL_BYTES = 65_536;

interface Tailed {
  readonly size: number;
  bytesFrom(start: number): AsyncIterable<Uint8Array>;
}

/** What follows the last line break of a file, and where it starts. */
export async function lastLine(file: Tailed): Promise<{ readonly text: string; readonly start: number }> {
  return lineBefore(file, file.size);
}

/** The last line that has its line break or is all that follows one, and where it starts. */
export async function lastWholeLine(
  file: Tailed,
): Promise<{ readonly text: string; readonly start: number }> {
  const last = await lastLine(file);
  if (last.text !== '' || last.start === 0) return last;
  const { text, start } = await lineBefore(file, last.start - 1);
  return { text: withoutReturn(text), start };
}

/** What is between the last line break before a place and the place, and where it starts. */
async function lineBefore(
  file: Tailed,
  place: number,
): Promise<{ readonly text: string; readonly start: number }> {
  for (let length = TAIL_BYTES; ; length *= 2) {
    const from = Math.max(0, place - length);
    const tail = await firstBytes(file.bytesFrom(from), place - from);
    const end = tail.lastIndexOf(NEW_LINE);
    if (end === -1 && from > 0) continue;
    return { text: tail.toString('utf8', end + 1), start: from + end + 1 };
  }
}
