import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { distinctFindings } from './diagnostics.ts';
import { markdownProse } from './markdown-escape.ts';

/** Each line is at most a few kilobytes, so they fit into any comment. */
const FINDINGS_MAX = 20;

/** Errors and warnings under a heading. */
export function renderErrorsMarkdown(title: string, diagnostics: readonly PrintedDiagnostic[]): string {
  return [`### ${title}`, '', ...findingLines(diagnostics)].join('\n');
}

/** Findings as a list, the worst first, up to a limit. */
export function findingLines(diagnostics: readonly PrintedDiagnostic[]): readonly string[] {
  const findings = distinctFindings(diagnostics);
  const lines = findings
    .slice(0, FINDINGS_MAX)
    .map(({ severity, text }) => `- **${severity}** ${markdownProse(text)}`);
  const more = findings.length - lines.length;
  return lines.length === 0 ? [] : [...lines, ...(more > 0 ? [`- … and ${more} more`] : []), ''];
}
