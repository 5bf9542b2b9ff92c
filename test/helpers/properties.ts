import fc from 'fast-check';

const TIMES = Number(process.env['PROPERTY_RUNS'] ?? 1);

/** So many draws of a property; `PROPERTY_RUNS=10 npm test` draws ten times as many. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: count * TIMES };
}

/** The same draws in every run, so that what fails fails everywhere; `PROPERTY_SEED=$RANDOM npm test` makes others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1), ...runs(100) });

/** All code points but surrogates, which are in U+D800 to U+DFFF. */
const character = fc
  .nat({ max: 0x10f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

/** Texts of all characters. `unit: 'binary'` draws the same, but makes a table of all of them first, for a second. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}

export { fc };
