import type { Step, StepKind } from '../domain/change.ts';
import type { StepResult } from './call-result.ts';
import { readBackStep } from './read-back.ts';
import { checkNotLeftStep } from './step-check.ts';
import type { StepContext } from './step-context.ts';
import { createStep } from './step-create.ts';
import { proveDeadStep } from './step-prove-dead.ts';
import { recallStep } from './step-recall.ts';
import { uploadStep } from './step-upload.ts';
import { reactivateStep, statusStep } from './step-status.ts';

/** What each step of a plan does. */
const STEPS = {
  upload: uploadStep,
  create: createStep,
  pause: statusStep,
  archive: statusStep,
  activate: statusStep,
  reactivate: reactivateStep,
  resume: statusStep,
  recall: recallStep,
  prove_dead: proveDeadStep,
  check_not_left: checkNotLeftStep,
  read_back: readBackStep,
} as const satisfies {
  readonly [Kind in StepKind]: (
    context: StepContext,
    step: Extract<Step, { readonly kind: Kind }>,
  ) => Promise<StepResult>;
};

/** Carries out one step. */
export function carryOut(context: StepContext, step: Step): Promise<StepResult> {
  // The row of a kind takes the steps of that kind, which the compiler cannot follow through the table.
  const run = STEPS[step.kind] as (context: StepContext, step: Step) => Promise<StepResult>;
  return run(context, step);
}
