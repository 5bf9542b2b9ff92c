import type { Mutant } from '../mutant.ts';

/** Faults in what makes an object Herald's own. */
export const OWNERSHIP: readonly Mutant[] = [
  {
    name: 'a line owns what the service says is another’s',
    protects: 'An object that contradicts the ledger is unmanaged.',
    file: 'src/plan/believed.ts',
    find: 'disownedObjects.set(key, disowned(known));',
    replace: 'disownedObjects.set(key, known);',
  },
  {
    name: 'a line alone tells who we are',
    protects: 'Who creates for a workspace is learned only from live objects that confirm it.',
    file: 'src/plan/believed.ts',
    find: 'filter((creator) => confirmed.has(creator))',
    replace: 'filter(() => true)',
  },
];
