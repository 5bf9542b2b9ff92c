/** What `npm test` proves with real processes: the built program, a kill, a terminal, Chromium, and PostgreSQL. */
export const SMOKE = ['test/process/smoke.test.ts'];
/**
 * All other tests that start processes, wait in real time, or need a browser, a database, git or the built command line.
 * `npm run test:system` runs them, and so does CI.
 */
export const SYSTEM = [
  'test/ci/init/{generic,gitlab}.test.ts',
  'test/commands/completion.test.ts',
  'test/commands/simulate.test.ts',
  'test/events/{processes,store}.test.ts',
  'test/flows/{ci-real,full-disk,silent-database,terminal,vault-real}.test.ts',
  'test/host/{ask,confined}.test.ts',
  'test/host/git/*.test.ts',
  'test/library/{process,state-on-branch}.test.ts',
  'test/page/browser/**/*.test.ts',
  'test/process/!(smoke).test.ts',
  'test/state/**/*.test.ts',
  'test/pages.test.ts',
];
/** Files that take longest. They begin first, so that no worker is left alone with one at the end. */
export const LONGEST = [
  ...SMOKE,
  'test/page/browser/{page,widths}.test.ts',
  'test/flows/{vault-real,ci-real}.test.ts',
];
/**
 * Tests that draw many cases or whole scenarios, play jobs of CI, work on real sockets or many real files, or have inputs of
 * thousands of lines or rows, or hundreds of commits. Those that draw pages are here because Hono does so in an async context:
 * from then on, each promise of the worker costs more.
 */
export const PROPERTIES = [
  'test/acts/payout-amount.test.ts',
  'test/api/{json,limiter-rates,proxy,socket,transport}.test.ts',
  'test/api/pages/*.test.ts',
  'test/host/find-files.test.ts',
  'test/workspace/{bounds,malformed,schedule}.test.ts',
  'test/ci/init/{action,github}.test.ts',
  'test/commands/complete.test.ts',
  'test/commands/ci/{drift,init}.test.ts',
  'test/flows/{acts-property,chat-recent,writes-and-faults}.test.ts',
  'test/flows/ci-{apply,approvals,generic,plan,push}.test.ts',
  'test/flows/{examples,import-first-day,import-property,page,reads-lists}.test.ts',
  'test/page/*.test.ts',
  'test/provider/{client,connect,contract}.test.ts',
  'test/simulator/reads.test.ts',
  'test/events/{receiver,reconcile}.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/plan/{content,scale}.test.ts',
  'test/chaos/run.test.ts',
  'test/render/{hostile-output,groups,plan-markdown}.test.ts',
];
