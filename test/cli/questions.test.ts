import { expect, test } from 'vitest';
import { applyQuestion } from '../../src/cli/resources/questions.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

test('the question before an apply names the service', () => {
  const steps = [{ kind: 'create', live_id: null } as const];
  const plan = aPlan([aChange({ name: 'One', steps }), aChange({ name: 'Two', steps })]);
  expect(applyQuestion(plan)).toBe('Apply 2 to create on 1 account at https://api.example?');
});
