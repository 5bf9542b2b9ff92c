import { describe, expect, it } from 'vitest';
import { applyExit, driftExit, planExit } from '../../src/cli/exit-of.ts';
import { isPlanRefused } from '../../src/domain/change.ts';
import type { ChangeKind, OutcomeKind } from '../../src/domain/change.ts';
import { aChange, anOutcome, aPlan, aReport } from '../helpers/plan-builders.ts';

const planOf = (...actions: ChangeKind[]) => aPlan(actions.map((action) => aChange({ action })));
const deniedPlan = aPlan([], {
  diagnostics: [{ severity: 'error', code: 'policy-max-price', message: 'too dear' }],
});
const warnedPlan = aPlan([], { diagnostics: [{ severity: 'warning', code: 'missed', message: 'missed' }] });
const warned = (code: string) =>
  aPlan([aChange({ action: 'keep' })], { diagnostics: [{ severity: 'warning', code, message: code }] });
const halfDonePlan = warned('half-done');
const unconfirmedPlan = warned('open-entry');

describe('the exit code of a plan', () => {
  it.each([
    { plan: planOf(), detailed: true, code: 0 },
    { plan: planOf('create'), detailed: false, code: 0 },
    { plan: planOf('create'), detailed: true, code: 2 },
    { plan: planOf('keep', 'done', 'missed', 'unmanaged'), detailed: true, code: 0 },
    { plan: planOf('create', 'blocked'), detailed: true, code: 5 },
    { plan: planOf('blocked'), detailed: false, code: 5 },
    { plan: deniedPlan, detailed: false, code: 5 },
    { plan: warnedPlan, detailed: true, code: 0 },
    { plan: halfDonePlan, detailed: true, code: 2 },
    { plan: halfDonePlan, detailed: false, code: 0 },
    { plan: unconfirmedPlan, detailed: true, code: 0 },
  ])('$plan.summary with detail $detailed is $code', ({ plan, detailed, code }) => {
    expect(planExit(plan, detailed)).toBe(code);
  });

  it('of a drift counts what is blocked as a difference', () => {
    expect([planOf('keep'), planOf('blocked'), planOf('pause')].map(driftExit)).toEqual([0, 2, 2]);
  });

  it('of a drift counts a change that an apply repeats, and no request that it only resolves', () => {
    expect([halfDonePlan, unconfirmedPlan].map(driftExit)).toEqual([2, 0]);
  });

  it('is held back by errors alone', () => {
    expect([deniedPlan, warnedPlan].map(isPlanRefused)).toEqual([true, false]);
  });
});

describe('the exit code of an apply', () => {
  const all = { unknown: 3, interrupted: 130, partly: 4, failed: 1, blocked: 5, done: 0 };
  const cases: readonly [
    readonly OutcomeKind[],
    Partial<Record<'residue' | 'interrupted', boolean>>,
    ChangeKind[],
    number,
  ][] = [
    [['applied', 'unchanged', 'adopted'], {}, [], all.done],
    [[], {}, [], all.done],
    [['applied', 'unknown', 'failed', 'not_attempted'], { interrupted: true }, ['blocked'], all.unknown],
    [['applied', 'not_attempted', 'failed'], { interrupted: true }, [], all.interrupted],
    [['applied'], { interrupted: true }, ['blocked'], all.blocked],
    [['applied', 'not_attempted'], { interrupted: true }, ['blocked'], all.interrupted],
    [['applied'], { interrupted: true }, [], all.done],
    [['applied', 'failed'], {}, ['blocked'], all.partly],
    [['failed', 'not_attempted'], {}, [], all.failed],
    [['failed'], { residue: true }, [], all.partly],
    [['applied'], {}, ['blocked'], all.blocked],
  ];

  it.each(cases)('%j %j %j is %i', (kinds, { residue = false, interrupted = false }, actions, code) => {
    const report = aReport([
      ...kinds.map((outcome) => anOutcome({ outcome })),
      ...actions.map((action) => anOutcome({ action, outcome: 'not_attempted' })),
    ]);
    expect(applyExit({ report, residue }, interrupted)).toBe(code);
  });

  it.each([
    [['applied'], all.partly],
    [['applied', 'not_attempted'], all.partly],
    [['unchanged'], all.failed],
    [['unknown'], all.unknown],
  ] as const)('of %j is not that of a success when the ledger misses lines: %i', (kinds, code) => {
    const report = aReport(kinds.map((outcome) => anOutcome({ outcome })));
    expect(applyExit({ report, residue: false, unrecorded: true }, false)).toBe(code);
  });

  it.each([
    ['create', all.partly],
    ['replace', all.partly],
    ['keep', all.failed],
  ] as const)('counts a %s that was adopted next to a failure: %i', (action, code) => {
    const adopted = anOutcome({ action, outcome: 'adopted' });
    const report = aReport([adopted, anOutcome({ name: 'Other', outcome: 'failed' })]);
    expect(applyExit({ report, residue: false }, false)).toBe(code);
  });
});
