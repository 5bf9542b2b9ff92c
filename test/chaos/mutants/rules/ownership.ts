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
  {
    name: 'an adopted object tells who we are',
    protects: 'A ledger that knows objects was not lost: what was adopted does not tell who creates for us.',
    file: 'src/plan/ownership.ts',
    find: 'knowledge.objects.size > 0 || ',
    replace: '',
    test: {
      file: 'test/flows/lost-creates.test.ts',
      name: 'is not pruned with the rest of that person where nothing was ever created',
    },
  },
  {
    name: 'an object that may be of a lost create tells who we are',
    protects: 'While a create has no answer, what equals the files may be another person’s.',
    file: 'src/plan/ownership.ts',
    find: ' || knowledge.open.length > 0',
    replace: '',
    test: {
      file: 'test/flows/lost-creates.test.ts',
      name: 'is not pruned with the rest of that person while a create without an answer may have made it',
    },
  },
];
