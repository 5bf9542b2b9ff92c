import fc from 'fast-check';

/** The same draws in every run, so that what fails fails everywhere; `PROPERTY_SEED=$RANDOM npm test` makes others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });

export { fc };
