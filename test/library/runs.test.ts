import { describe, expect, it } from 'vitest';
import { applyExit } from '../../src/library/runs.ts';
import type { ChangeKind, OutcomeKind } from '../../src/domain/change.ts';
import type { Result } from '../../src/engine/run.ts';
import { aChange } from '../helpers/plan-builders.ts';

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
    const results = [
      ...kinds.map((outcome) => aResult({ outcome })),
      ...actions.map((action) => aResult({ action, outcome: 'not_attempted' })),
      ...(residue
        ? [aResult({ outcome: 'failed', reason: { kind: 'old-stays-paused', id: '1', because: null } })]
        : []),
    ];
    expect(applyExit(results, interrupted)).toBe(code);
  });

  it.each([
    [['applied'], all.partly],
    [['applied', 'not_attempted'], all.partly],
    [['unknown'], all.unknown],
  ] as const)('of %j is not that of a success when the state misses one: %i', (kinds, code) => {
    const missing = { kind: 'not-on-record', message: 'the disk is full' } as const;
    const results = kinds.map((outcome) => aResult({ outcome, reason: missing }));
    expect(applyExit(results, false)).toBe(code);
  });

  it.each([
    ['create', all.partly],
    ['replace', all.partly],
    ['keep', all.failed],
  ] as const)('counts a %s that was adopted next to a failure: %i', (action, code) => {
    const results = [aResult({ action, outcome: 'adopted' }), aResult({ outcome: 'failed' })];
    expect(applyExit(results, false)).toBe(code);
  });
});

function aResult(parts: {
  readonly action?: ChangeKind;
  readonly outcome: OutcomeKind;
  readonly reason?: Result['reasons'][number];
}): Result {
  const { action = 'create', outcome, reason } = parts;
  return { change: aChange({ action }), outcome, liveId: '1', reasons: reason === undefined ? [] : [reason] };
}

it('of an apply that lost its lease is 4, because the other run may have changed something as well', () => {
  const reason = { kind: 'hindered', hindrance: { kind: 'lease-lost' } } as const;
  expect(applyExit([aResult({ outcome: 'not_attempted', reason })], false)).toBe(4);
});
