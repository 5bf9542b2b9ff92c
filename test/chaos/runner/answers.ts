import type { Result } from '../drive.ts';
import { VIOLATION_KINDS } from '../violation.ts';
import type { Answer } from './thread.ts';

/** A broken promise, or a run that broke down before anything could be judged. */
export interface Finding {
  readonly kind: (typeof FINDING_KINDS)[number];
  readonly words: string;
}

export const FINDING_KINDS = [...VIOLATION_KINDS, 'breakdown'] as const;

/** Everything that went wrong in a run; empty for a clean one. */
export function findingsIn(answer: Answer<Result>): readonly Finding[] {
  if ('result' in answer) return answer.result.violations;
  const words = 'crash' in answer ? answer.crash : `the run did not end within ${answer.stuckAfterSec} s`;
  return [{ kind: 'breakdown', words }];
}

/** Whether it says which promise was broken, and not only that a program broke down. */
export function isStatement({ kind }: Finding): boolean {
  return kind !== 'breakdown' && kind !== 'bug';
}
