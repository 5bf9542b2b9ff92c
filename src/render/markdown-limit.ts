/** Limit of a pull-request comment: characters on one site, bytes on another. Both are kept. */
export const MARKDOWN_LIMIT = 65_535;

/** UTF-8 bytes of the lines with their breaks. At least the number of characters. */
export function byteLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** The lines, or null if they take more bytes. Lines after the limit are not made. */
export function linesWithin(lines: Iterable<string>, limit: number): readonly string[] | null {
  const taken: string[] = [];
  let space = limit;
  for (const line of lines) {
    space -= byteLength([line]);
    if (space < 0) return null;
    taken.push(line);
  }
  return taken;
}
