import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { joined, shown, type Visible } from '../../domain/visible.ts';
import { renderTable } from '../../render/table.ts';
import type { ImportReport } from '../../import/shape.ts';
import { warningLine } from '../notice.ts';

/** Draws the written files and the counts. */
export function renderImport(report: ImportReport): Visible {
  const { files, imported, updated, left_out: leftOut } = report;
  if (files.length === 0) {
    const rest =
      leftOut.length === 0 ? 'Your files declare everything that is live.' : `${leftOut.length} left out.`;
    return shown`Nothing to write. ${rest}`;
  }
  const lines = files.map(({ path, action, resources }) => {
    const what = resources === 0 ? 'text' : `${resources} resource${resources === 1 ? '' : 's'}`;
    return shown`${action === 'created' ? '+' : '~'} ${path}  ${what}`;
  });
  const changes = updated.map(
    ({ account, kind, name, fields }) => shown`  ${account}/${kind}/${name}: ${fields.join(', ')}`,
  );
  const counts = [
    `${imported} imported`,
    ...(updated.length === 0 ? [] : [`${updated.length} updated`]),
    `${leftOut.length} left out`,
  ];
  return joined(
    [...lines, ...changes, shown`${counts.join(', ')}.`, shown`Next: ${formatCommand('plan')}`],
    '\n',
  );
}

/** Prints what was left out, and other hints, to stderr. */
export function sayAround(
  context: Context,
  { left_out: leftOut, to_complete: todo, not_read }: ImportReport,
  format: 'text' | 'json',
): void {
  const { output } = context;
  // The JSON document has all of it.
  const isText = format === 'text';
  if (isText && leftOut.length > 0) {
    // Reasons are sentences, and must not be cut.
    const columns = ['account', 'kind', 'name', 'id', 'reason'].map((header, index) => ({
      header,
      whole: index > 2,
    }));
    const rows = leftOut.map(({ account, kind, name, live_id: id, reason }) => [
      account,
      kind,
      name ?? '(none)',
      id,
      reason,
    ]);
    output.say(renderTable(columns, rows, { colour: output.colour, width: output.width }));
  }
  for (const { file, account, kind, name, what } of isText ? todo : [])
    output.say(shown`${file}: ${account}/${kind}/${name}: ${what} (marked TODO)`);
  if (not_read.length > 0)
    output.say(
      warningLine(
        'files-not-included',
        shown`herald.yaml does not include ${not_read.join(', ')}. Add ${patternsFor(not_read)} to its \`files:\`.`,
      ),
    );
}

/** For a state that only a job of CI writes. */
export function explainNotRecorded({ output }: Context): void {
  output.say(
    shown`Only ${formatCommand('ci', 'apply')} writes the state on a git branch, so it does not have these resources yet. The first change of each of them needs --allow adopt.`,
  );
}

/** File patterns that match the given paths. */
function patternsFor(paths: readonly string[]): string {
  const patterns = new Set(paths.map((path) => `${path.slice(0, path.lastIndexOf('/') + 1)}*.yaml`));
  return [...patterns].map((pattern) => `"${pattern}"`).join(', ');
}
