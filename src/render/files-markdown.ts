import type { FieldDifference } from '../domain/change.ts';
import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import { listFindings } from './diagnostics.ts';
import { listDiffBlock, viewField } from './difference.ts';
import { countBytes, markdownFence, markdownName, markdownProse } from './markdown-escape.ts';
import { count } from './wording.ts';

/** Each finding is at most a few kilobytes, so they fit into any comment. */
const FINDINGS_MAX = 20;

/** Errors and warnings of the files under a heading. */
export function renderErrorsMarkdown(title: string, diagnostics: readonly PrintedDiagnostic[]): string {
  return [`### ${title}`, '', ...listFindings(diagnostics, FINDINGS_MAX)].join('\n');
}

/** A comparison of files with files, without the service. */
export interface DeclaredComparison {
  readonly differences: readonly {
    readonly address: Address;
    readonly what: 'new' | 'changed' | 'removed';
    readonly fields: readonly FieldDifference[];
  }[];
  readonly diagnostics: readonly PrintedDiagnostic[];
  /** What was not done, and why, as a sentence. */
  readonly leftOut: string;
}

/** Space for the line that counts what does not fit. */
const NOTE_BYTES = 200;

/** The comparison as Markdown of at most so many bytes: how many, what was left out, findings, then each resource. */
export function renderDeclaredMarkdown(comparison: DeclaredComparison, bytes: number): string {
  const { differences, leftOut, diagnostics } = comparison;
  const numbers = (['new', 'changed', 'removed'] as const)
    .map((what) => ({ what, number: differences.filter((one) => one.what === what).length }))
    .filter(({ number }) => number > 0)
    .map(({ what, number }) => `${number} ${what}`);
  const head = [
    `### Herald: declared ${numbers.length === 0 ? 'as before' : `resources: ${numbers.join(', ')}`}`,
    '',
    markdownProse(leftOut),
    '',
    ...listFindings(diagnostics, FINDINGS_MAX),
  ];
  let space = bytes - countBytes(head) - NOTE_BYTES;
  const drawn = differences.map(drawDifference).filter((lines) => {
    const fits = countBytes(lines) <= space;
    if (fits) space -= countBytes(lines);
    return fits;
  });
  const left = differences.length - drawn.length;
  const note = left === 0 ? [] : [`> ${count(left, 'resource')} left out to fit into a comment.`, ''];
  return [...head, ...note, ...drawn.flat()].join('\n');
}

function drawDifference({
  address,
  what,
  fields,
}: DeclaredComparison['differences'][number]): readonly string[] {
  const style = { declaredOnly: what === 'new', zone: null };
  const lines = fields.flatMap((field) => listDiffBlock(viewField(field, style)));
  const diff = lines.length === 0 ? [] : [...markdownFence('diff', lines), ''];
  return [`**${what}** ${markdownName(formatAddress(address))}`, '', ...diff];
}
