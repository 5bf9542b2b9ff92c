import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { listFindings } from './diagnostics.ts';
import { markdownProse } from './markdown-escape.ts';

/** Each finding is at most a few kilobytes, so they fit into any comment. */
const FINDINGS_MAX = 20;

/** Errors and warnings of the files under a heading, and what was left out, as a sentence. */
export function renderFilesMarkdown(
  title: string,
  diagnostics: readonly PrintedDiagnostic[],
  leftOut = '',
): string {
  const note = leftOut === '' ? [] : [markdownProse(leftOut), ''];
  return [`### ${title}`, '', ...note, ...listFindings(diagnostics, FINDINGS_MAX)].join('\n');
}
