import type { FieldDifference } from '../domain/change.ts';
import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import { findingLines } from './errors-markdown.ts';
import { fieldDiffLines } from './field-markdown.ts';
import { markdownFence, markdownName, markdownProse } from './markdown-escape.ts';
import { byteLength } from './markdown-limit.ts';
import { count } from './wording.ts';

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
  const { differences, leftOut } = comparison;
  const numbers = (['new', 'changed', 'removed'] as const)
    .map((what) => ({ what, number: differences.filter((one) => one.what === what).length }))
    .filter(({ number }) => number > 0)
    .map(({ what, number }) => `${number} ${what}`);
  const head = [
    `### Herald: declared ${numbers.length === 0 ? 'as before' : `resources: ${numbers.join(', ')}`}`,
    '',
    markdownProse(leftOut),
    '',
    ...findingLines(comparison.diagnostics),
  ];
  let space = bytes - byteLength(head) - NOTE_BYTES;
  const drawn: string[] = [];
  let left = 0;
  for (const difference of differences) {
    const lines = differenceLines(difference);
    const fits = byteLength(lines) <= space;
    if (!fits) left += 1;
    else {
      space -= byteLength(lines);
      drawn.push(...lines);
    }
  }
  const note = left === 0 ? [] : [`> ${count(left, 'resource')} left out to fit into a comment.`, ''];
  return [...head, ...note, ...drawn].join('\n');
}

function differenceLines({
  address,
  what,
  fields,
}: DeclaredComparison['differences'][number]): readonly string[] {
  const style = { declaredOnly: what === 'new', zone: null };
  const lines = fields.flatMap((field) => fieldDiffLines(field, style));
  const diff = lines.length === 0 ? [] : [...markdownFence('diff', lines), ''];
  return [`**${what}** ${markdownName(formatAddress(address))}`, '', ...diff];
}
