import type { Mutant } from '../mutant.ts';

/** Reports, plans and operators next to what happened on the service. */
export const ORACLE: readonly Mutant[] = [
  {
    name: 'a rename of nothing starts next to what runs',
    protects: 'A rename of a name that was never live starts nothing next to what Herald left running.',
    file: 'src/plan/guards/successors.ts',
    find: 'return by === undefined ? null : { old: null, by };',
    replace: 'return by === undefined || group.length === 0 ? null : { old: null, by };',
    test: {
      file: 'test/flows/renames-cut-short.test.ts',
      name: 'starts no third name next to the second one',
    },
  },
];
