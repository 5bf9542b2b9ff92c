import type { Mutant } from '../mutant.ts';

/** What raw creates, imports and exit codes do next to a request that has had no answer. */
export const UNFINISHED: readonly Mutant[] = [
  {
    name: 'a nameless create is sent again',
    protects: 'A raw create without a name waits for another one of its account that is unconfirmed.',
    file: 'src/operations/raw-call/open-requests.ts',
    find: 'if (kindCall !== null && !isNameless)',
    replace: 'if (kindCall !== null)',
  },
  {
    name: 'a raw create next to a damaged line',
    protects: 'A raw create is not sent while a line of the ledger cannot be read.',
    file: 'src/cli/service/api-write.ts',
    find: "  'broadcasts.create',\n  'campaigns.create',\n",
    replace: '',
  },
  {
    name: 'an unconfirmed change is taken for drift',
    protects: 'import --update does not write the state in the middle of an unfinished change into a file.',
    file: 'src/reconcile/import/unfinished.ts',
    find: 'if (entry !== undefined) return openWords(entry, account);',
    replace: 'if (entry !== undefined) return null;',
  },
  {
    name: 'a half-done change is not counted',
    protects: 'A stop that may be half done exits with 2, so that CI applies again and finishes it.',
    file: 'src/domain/unconfirmed.ts',
    find: 'return plan.changes.some(writes) || halfDoneChanges(plan) > 0;',
    replace: 'return plan.changes.some(writes);',
  },
  {
    name: 'drift next to a damaged line is written',
    protects: 'import --update undoes no edit in the files if the line of its request cannot be read.',
    file: 'src/reconcile/import/unfinished.ts',
    find: 'if (damaged !== null) return damaged;',
    replace: 'if (damaged !== null) return null;',
  },
  {
    name: 'an object with an unconfirmed start is imported as paused',
    protects: 'import does not declare a status that a request without an answer may still change.',
    file: 'src/reconcile/import/unfinished.ts',
    find: 'if (entry !== undefined) return openWords(entry, object.account);',
    replace: 'if (entry !== undefined) return null;',
  },
  {
    name: 'a raw create at once is on record without its content',
    protects: 'A raw broadcast without a schedule that got no answer is found by its content.',
    file: 'src/operations/raw-call/changes.ts',
    find: 'scheduledAtUtc: at === undefined ? null : utcOf(at)',
    replace: 'scheduledAtUtc: at === undefined ? UNKNOWN_TIME : utcOf(at)',
    test: { file: 'test/flows/raw-creates-lost.test.ts', name: 'is found by its content' },
  },
  {
    name: 'what cannot be compared is not there',
    protects: 'A create stays open while something new of its name cannot be compared with it.',
    file: 'src/apply/judge-create.ts',
    find: 'if (unclear !== undefined) return',
    replace: 'if (unclear === null) return',
    test: {
      file: 'test/flows/raw-creates-lost.test.ts',
      name: 'stays open next to something new of its name, until a person closes it',
    },
  },
  {
    name: 'a create without its content cannot be closed',
    protects: 'A person can close a create of which no run can find out what it made.',
    file: 'src/ledger/unfinished.ts',
    find: "return open.call === 'unsend' || (open.call === 'create' && open.wanted === null);",
    replace: "return open.call === 'unsend';",
    test: {
      file: 'test/flows/raw-creates-lost.test.ts',
      name: 'stays open next to something new of its name, until a person closes it',
    },
  },
];
