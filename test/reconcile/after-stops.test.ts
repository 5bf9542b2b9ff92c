import { expect, it } from 'vitest';
import { failureOf } from '../../src/cli/failure-of.ts';
import type { Outcome } from '../../src/domain/change.ts';
import { LedgerError } from '../../src/ledger/ledger-errors.ts';
import { afterStops } from '../../src/reconcile/after-stops.ts';
import { ReconcileError } from '../../src/reconcile/errors.ts';

const address = { account: 'alice', kind: 'broadcast', name: 'Teaser' } as const;
const stop: Outcome = { address, action: 'pause', outcome: 'applied', live_id: '12', message: '' };

it('an engine error keeps its code after a stop, and says what was sent before it', () => {
  const stale = new ReconcileError(
    'stale-plan',
    'The plan is stale, so nothing was changed: it is old.',
    'Plan.',
  );
  const told = failureOf(afterStops(stale, [stop]));
  expect(told).toMatchObject({ code: 'stale-plan', exitCode: 5, details: { stops: [stop] } });
  expect(told?.message).toBe(
    'The plan is stale, so nothing else was changed: it is old. Before that, this run sent: pause alice/broadcast/Teaser (12): applied.',
  );
});

it('any other failure after a stop exits with 4 instead of 1', () => {
  const told = failureOf(afterStops(new LedgerError('the disk is full', 'Free some space.'), [stop]));
  expect(told).toMatchObject({ code: 'ledger-error', exitCode: 4 });
  expect(told?.message).toContain('Before that, this run sent: pause alice/broadcast/Teaser (12): applied.');
});

it('a bug stays a bug', () => {
  expect(failureOf(afterStops(new TypeError('x is not a function'), [stop]))).toBeNull();
});
