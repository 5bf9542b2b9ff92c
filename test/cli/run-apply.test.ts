import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { agreeToPlan } from '../../src/cli/run-apply.ts';
import type { Question } from '../../src/domain/ports.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

const PAUSE = { action: 'pause', name: 'One' } as const;

/** What a person is asked before these changes. */
async function asked(changes: readonly Parameters<typeof aChange>[0][]): Promise<Question | undefined> {
  const questions: Question[] = [];
  const confirm = async (question: Question) => questions.push(question) > 0;
  const output = { say: () => undefined, colour: false, width: 80 };
  const context = { interactive: true, confirm, output } as unknown as Context;
  await agreeToPlan(context, aPlan(changes.map((change) => aChange(change))), { view: {}, yes: false });
  return questions[0];
}

describe('the question before an apply', () => {
  it.each([
    ['creates', [{ name: 'One' }, { name: 'Two' }], 'Type 2 to apply 2 changes: '],
    ['activates', [{ ...PAUSE, action: 'activate' }], 'Type 1 to apply 1 change: '],
    ['resumes', [{ ...PAUSE, action: 'resume' }], 'Type 1 to apply 1 change: '],
    ['recalls', [{ ...PAUSE, action: 'recall' }], 'Type 1 to apply 1 change: '],
    ['archives for good', [{ ...PAUSE, action: 'archive', reversible: false }], 'Type 1 to apply 1 change: '],
    ['pauses on several accounts', [PAUSE, { ...PAUSE, account: 'bob' }], 'Type 2 to apply 2 changes: '],
    ['only pauses on one account', [PAUSE, { ...PAUSE, name: 'Two' }], 'Type y or n: '],
  ] as const)('that %s: %j', async (_what, changes, prompt) => {
    expect((await asked(changes))?.prompt).toBe(prompt);
  });

  it('names the numbers, the service, and what cannot be undone', async () => {
    const archive = { action: 'archive', name: 'Two', reversible: false } as const;
    expect((await asked([{ name: 'One' }, archive]))?.text).toBe(
      'Apply 1 to create, 1 to archive on 1 account at https://api.example? 1 of them cannot be undone.',
    );
  });
});
