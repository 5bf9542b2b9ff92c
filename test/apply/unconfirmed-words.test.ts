import { describe, expect, it } from 'vitest';
import type { StepResult } from '../../src/apply/call-result.ts';
import { createStep } from '../../src/apply/step-create.ts';
import { recallStep } from '../../src/apply/step-recall.ts';
import { statusStep } from '../../src/apply/step-status.ts';
import type { StepContext } from '../../src/apply/step-context.ts';
import { aCampaign } from '../helpers/resource-builders.ts';
import { NOON } from '../helpers/scene.ts';
import { aStepContext } from '../helpers/step-context.ts';

/** The last words about a lost answer, which may be a sentence of their own. */
const LOST = 'Its content may be unreadable. The list still shows it';

const STEPS: readonly [string, (context: StepContext) => Promise<StepResult>][] = [
  ['status change', (context) => statusStep(context, { kind: 'archive', live_id: '7' })],
  ['create', (context) => createStep(context)],
  ['recall', (context) => recallStep(context, { kind: 'recall', live_id: '7' })],
];

describe.each(STEPS)('an unconfirmed %s', (_title, step) => {
  it.each([LOST, `${LOST}.`])('has one full stop after "%s"', async (what) => {
    const problem = { what, method: 'POST', url: 'https://api.example/x', status: 502, hint: null };
    const exchange = { kind: 'unknown', problem, sentAtMs: NOON, timedOut: false };
    const context = await aStepContext({ exchange, declared: aCampaign() }, { byHand: { atOnce: false } });
    const result = await step(context);
    const message = result.kind === 'unknown' ? result.message : `${result.kind} instead of unknown`;
    expect(message).toContain('The list still shows it. ');
    expect(message).not.toContain('..');
  });
});
