import type { Mutant } from '../mutant.ts';

const HALF_DONE = 'test/flows/stops-past-half-done.test.ts';
const WAITING = 'test/flows/stops-while-waiting.test.ts';
const MEANWHILE = 'test/reconcile/stops-meanwhile.test.ts';
const ORDER = 'test/flows/stops-order.test.ts';

/**
 * What stops sending does not wait for other requests. In the chaos run, no broadcast has its hour during a wait, so a test must
 * find each.
 */
export const STOPS_FIRST: readonly Mutant[] = [
  {
    name: 'a half-done change is repeated before the stops',
    protects: 'Stops are sent before a half-done change of an earlier run is repeated.',
    file: 'src/reconcile/closing.ts',
    find: 'return byHand !== null || (doubtful.has(key) && sending.has(key));',
    replace: 'return byHand !== null || key !== "";',
    test: { file: HALF_DONE, name: 'does not keep an apply from pausing a broadcast' },
  },
  {
    name: 'an unconfirmed change lets the starts go on',
    protects: 'While a half-done change of an earlier run is not confirmed, nothing starts.',
    file: 'src/reconcile/closing.ts',
    find: 'if (run.unconfirmed.length > 0)',
    replace: 'if (run.unconfirmed.length > 1_000)',
    test: { file: HALF_DONE, name: 'lets nothing start' },
  },
  {
    name: 'an unconfirmed change is not in the report',
    protects: 'A half-done change of an earlier run that is not confirmed is an unknown outcome of this run.',
    file: 'src/reconcile/carry-out.ts',
    find: 'withHalfDone(executed.report, run.unconfirmed, source)',
    replace: 'withHalfDone(executed.report, [], source)',
    test: { file: HALF_DONE, name: 'nor from stopping a duplicate' },
  },
  {
    name: 'a half-done activation is repeated next to its stop',
    protects: 'A half-done activation is not repeated if the plan stops its object.',
    file: 'src/reconcile/overtaken.ts',
    find: 'if (!repeat || conclusion === null) return verdict;',
    replace: 'if (repeat || conclusion === null || !repeat) return verdict;',
    test: { file: HALF_DONE, name: 'is not repeated where the file wants it' },
  },
  {
    name: 'stops in the order of names',
    protects: 'Of several stops, broadcasts with the nearest hour come first.',
    file: 'src/apply/soonest-first.ts',
    find: 'return one === other ? 0 : one - other;',
    replace: 'return one === other ? 0 : 0;',
    test: { file: ORDER, name: 'does not delay the stop of a broadcast with a near time' },
  },
  {
    name: 'stops wait for the duplicates of all accounts',
    protects: 'The stops of an account do not wait for the duplicates of another one.',
    file: 'src/apply/execute.ts',
    find: 'await duplicates[index];',
    replace: 'await Promise.all([duplicates[index], ...duplicates]);',
    test: { file: ORDER, name: 'does not delay the stops of this one' },
  },
  {
    name: 'creates do not wait for duplicates',
    protects: 'Nothing is created before the duplicates on all accounts are stopped.',
    file: 'src/apply/execute.ts',
    find: 'await Promise.all(duplicates);',
    replace: 'await Promise.all(duplicates.slice(0, 0));',
    test: { file: ORDER, name: 'still delays what is created on this one' },
  },
  {
    name: 'stops wait with the run',
    protects:
      'While an apply waits for unconfirmed requests of earlier runs, the stops of its plan are sent.',
    file: 'src/reconcile/apply-run.ts',
    find: 'lookUntilResolved(ports, source, { meanwhile })',
    replace: 'lookUntilResolved(ports, source, {})',
    test: { file: WAITING, name: 'a broadcast that the file declares paused does not go out' },
  },
  {
    name: 'a stop is sent before the question',
    protects: 'An apply that asks sends no stop before the answer.',
    file: 'src/reconcile/early-stops.ts',
    find: 'if (!this.#options.isAgreed) {',
    replace: 'if (this.#named.size < 0) {',
    test: { file: WAITING, name: 'names the stop that waits' },
  },
  {
    name: 'a stop is sent for a refused plan',
    protects: 'A plan that a policy refuses sends no stop while the run waits.',
    file: 'src/reconcile/early-stops.ts',
    find: 'if (isPlanRefused(look.plan)) return true;',
    replace: '',
    test: { file: WAITING, name: 'nothing is sent early for a plan that is refused' },
  },
  {
    name: 'a stop is sent for a stale plan',
    protects: 'A saved plan that is stale sends no stop while the run waits.',
    file: 'src/reconcile/early-stops.ts',
    find: 'return saved !== null && (await isStale(',
    replace: 'return saved === undefined && (await isStale(',
    test: { file: WAITING, name: 'nothing is sent early for a saved plan that is stale' },
  },
  {
    name: 'a saved plan is stale by its own stops',
    protects: 'What a saved plan stopped while the run waited does not make it stale.',
    file: 'src/reconcile/apply-run.ts',
    find: 'early.asBefore(inspection)',
    replace: 'inspection',
    test: { file: WAITING, name: 'a saved plan is applied, and its stop is sent at once' },
  },
  {
    name: 'early stops are not in the report',
    protects: 'A stop that was sent while the run waited is in its report.',
    file: 'src/reconcile/early-stops.ts',
    find: 'report: withStops(executed.report, [...this.#sent.values()], look),',
    replace: 'report: withStops(executed.report, [], look),',
    test: { file: WAITING, name: 'a stop that the service refuses is in the report' },
  },
  {
    name: 'what no file has is removed while the run waits',
    protects: 'A prune waits for unconfirmed requests, as all other changes that the file does not name.',
    file: 'src/reconcile/stops-meanwhile.ts',
    find: '|| !addresses.has(key) ||',
    replace: '||',
    test: { file: MEANWHILE, name: 'waits if no file has its resource' },
  },
  {
    name: 'a stop is sent next to an unconfirmed start',
    protects: 'A stop waits if a status change of its name is not confirmed.',
    file: 'src/reconcile/stops-meanwhile.ts',
    find: '|| unsettled.has(key)) return false;',
    replace: ') return false;',
    test: {
      file: MEANWHILE,
      name: 'next to an unconfirmed request of its name',
    },
  },
  {
    name: 'only duplicates of the lost create are stopped',
    protects: 'A duplicate of any resource that appears while a create of the run is waited for is stopped.',
    file: 'src/reconcile/resolve-unknown.ts',
    find: "return change.action === 'retire' && stopsMeanwhile(look, source.declared).includes(change);",
    replace:
      'return change.action !== change.action && stopsMeanwhile(look, source.declared).includes(change);',
    test: { file: WAITING, name: 'a duplicate of another broadcast that appears is stopped before its time' },
  },
  {
    name: 'an error hides what was stopped before it',
    protects: 'The error of an apply says what the apply stopped while it waited.',
    file: 'src/reconcile/early-stops.ts',
    find: 'return outcomes.length === 0 ? error : afterStops(error, outcomes);',
    replace: 'return outcomes.length >= 0 ? error : afterStops(error, outcomes);',
    test: { file: WAITING, name: 'an error says what was sent before it' },
  },
  {
    name: 'two requests of one run share an entry',
    protects: 'Whatever of a run opens the ledger, each request has an entry of its own.',
    file: 'src/reconcile/early-stops.ts',
    find: 'lease: this.#lease, ...this.ofRun',
    replace: 'lease: this.#lease, ...ofRun(this.#ports)',
    test: { file: WAITING, name: 'has an entry of its own' },
  },
];
