import fc from 'fast-check';

/** The same draws in every run, so that what fails fails everywhere; `PROPERTY_SEED=$RANDOM npm test` makes others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });

const TIMES = Number(process.env['PROPERTY_RUNS'] ?? 1);

/** So many draws of a property; `PROPERTY_RUNS=10 npm test` draws ten times as many. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: count * TIMES };
}

export { fc };
