/** A file with the new block, or why it was left as it is. */
export type MarkedFile =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'refused'; readonly reason: string };

export interface Marks {
  readonly begin: string;
  readonly end: string;
}

/** The two comments around what `ci init` writes for a workspace. Several workspaces can have one file. */
export function marksOf(folder: string): Marks {
  const name = folder === '' ? '' : ` ${folder}`;
  return { begin: `# herald:begin${name}`, end: `# herald:end${name}` };
}

/**
 * Puts the block between its marks. Lines above and below belong to people and stay.
 *
 * | the file          | result                      |
 * |-------------------|-----------------------------|
 * | is not there      | the block alone, with marks |
 * | has both marks    | the block is replaced       |
 * | anything else     | refused                     |
 */
export function withBlock(
  existing: string | null,
  block: string,
  marks: Marks,
  firstLine: string | null = null,
): MarkedFile {
  const marked = [marks.begin, ...block.trimEnd().split('\n'), marks.end];
  if (existing === null)
    return { kind: 'text', text: `${[...(firstLine === null ? [] : [firstLine]), ...marked].join('\n')}\n` };
  const newline = existing.includes('\r\n') ? '\r\n' : '\n';
  const lines = existing.split(/\r?\n/);
  const [begins, ends] = [linesThatAre(lines, marks.begin), linesThatAre(lines, marks.end)];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined || end === undefined)
    return {
      kind: 'refused',
      reason: `does not have both the line "${marks.begin}" and the line "${marks.end}"`,
    };
  if (begins.length > 1 || ends.length > 1)
    return { kind: 'refused', reason: `has the line "${marks.begin}" or "${marks.end}" more than once` };
  if (end < begin) return { kind: 'refused', reason: `has the line "${marks.end}" above "${marks.begin}"` };
  return { kind: 'text', text: [...lines.slice(0, begin), ...marked, ...lines.slice(end + 1)].join(newline) };
}

function linesThatAre(lines: readonly string[], mark: string): readonly number[] {
  return lines.flatMap((line, index) => (line.trimEnd() === mark ? [index] : []));
}
