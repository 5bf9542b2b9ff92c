import { markdownProse } from '../render/markdown-escape.ts';
import type { Found } from './plan-comment.ts';

/** Why a run made no plan, and what to do next. */
export interface PlanFailure {
  readonly message: string;
  readonly hint: string | null;
}

/** What to report of a run that could not plan. Nothing can be reviewed then. */
export function failedPlan({ message, hint }: PlanFailure): Found {
  const next = hint === null ? [] : ['', markdownProse(hint)];
  return {
    fingerprint: null,
    changes: {},
    counts: 'no plan',
    base: null,
    notices: [],
    draw: () => ['### Herald: the plan failed', '', markdownProse(message), ...next].join('\n'),
  };
}
