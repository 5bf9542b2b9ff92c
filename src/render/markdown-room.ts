/** What a pull-request comment may hold: characters on one site, bytes on another; both are kept below. */
export const MARKDOWN_LIMIT = 65_535;

/** UTF-8 bytes of the lines with their breaks; never fewer than their characters. */
export function byteLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** The lines, or null as soon as they take more bytes: the rest is not even made. */
export function linesWithin(lines: Iterable<string>, limit: number): readonly string[] | null {
  const taken: string[] = [];
  let room = limit;
  for (const line of lines) {
    room -= byteLength([line]);
    if (room < 0) return null;
    taken.push(line);
  }
  return taken;
}
