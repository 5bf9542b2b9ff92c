import type { Found } from '../../ci/plan-comment.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { renderErrorsMarkdown } from '../../render/errors-markdown.ts';

/** What to report for files with errors, which have no plan to review. */
export function describeInvalidFiles(diagnostics: readonly Diagnostic[]): Found {
  return {
    fingerprint: null,
    changes: {},
    counts: 'the files have errors',
    base: null,
    notices: [],
    draw: () => renderErrorsMarkdown('Herald: the files have errors', diagnostics),
  };
}
