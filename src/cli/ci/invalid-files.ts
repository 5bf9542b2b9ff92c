import type { Found } from '../../ci/plan-comment.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { renderErrorsMarkdown } from '../../render/errors-markdown.ts';

/** What to tell of files with errors: there is nothing to review. */
export function invalidFiles(diagnostics: readonly Diagnostic[]): Found {
  return {
    fingerprint: null,
    changes: {},
    counts: 'the files have errors',
    base: null,
    notices: [],
    draw: () => renderErrorsMarkdown('Herald: the files have errors', diagnostics),
  };
}
