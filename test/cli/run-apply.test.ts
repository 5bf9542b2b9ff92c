import { describe, expect, it } from 'vitest';
import { askToApply } from '../../src/cli/run-apply.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

const PAUSE = { action: 'pause', name: 'One' } as const;

describe('the question before an apply', () => {
  it.each([
    ['creates', [{ name: 'One' }, { name: 'Two' }], 'Type 2 to apply 2 changes: '],
    ['activates', [{ ...PAUSE, action: 'activate' }], 'Type 1 to apply 1 change: '],
    ['resumes', [{ ...PAUSE, action: 'resume' }], 'Type 1 to apply 1 change: '],
    ['recalls', [{ ...PAUSE, action: 'recall' }], 'Type 1 to apply 1 change: '],
    ['archives for good', [{ ...PAUSE, action: 'archive', reversible: false }], 'Type 1 to apply 1 change: '],
    ['pauses on several accounts', [PAUSE, { ...PAUSE, account: 'bob' }], 'Type 2 to apply 2 changes: '],
    ['only pauses on one account', [PAUSE, { ...PAUSE, name: 'Two' }], 'Type y or n: '],
  ] as const)('that %s: %j', (_what, changes, prompt) => {
    expect(askToApply(aPlan(changes.map((change) => aChange(change)))).prompt).toBe(prompt);
  });

  it('names the numbers, the service, and what cannot be undone', () => {
    const archive = aChange({ action: 'archive', name: 'Two', reversible: false });
    expect(askToApply(aPlan([aChange({ name: 'One' }), archive])).text).toBe(
      'Apply 1 to create, 1 to archive on 1 account at https://api.example? 1 of them cannot be undone.',
    );
  });
});
