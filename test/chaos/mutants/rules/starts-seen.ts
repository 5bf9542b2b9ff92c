import type { Mutant } from '../mutant.ts';

const SEEN = 'test/flows/starts-seen.test.ts';

/** Starts that a run sees, and stops that end them. */
export const STARTS_SEEN: readonly Mutant[] = [
  {
    name: 'a start by a person that a run sees leaves no trace',
    protects: 'What a run saw running, and is paused later, was paused by a person.',
    file: 'src/apply/execute.ts',
    find: 'await rememberStarts({ ...about, ledger: this.#input.ledger }, statusesAbout(change, list));',
    replace: '',
    test: { file: SEEN, name: 'a run has seen started by a person' },
  },
  {
    name: 'an activation without an answer that shows leaves no trace',
    protects: 'A pause by a person after an unconfirmed activation that a run saw stays.',
    file: 'src/apply/close-open.ts',
    find: 'if (startsSending(status) && stopped === null)',
    replace: 'if (startsSending(status) && stopped !== null)',
    test: { file: SEEN, name: 'without an answer to its start' },
  },
  {
    name: 'a half-done activation is repeated before its replace',
    protects: 'An activation that may be half done is not sent again for the old version of a replace.',
    file: 'src/reconcile/overtaken.ts',
    find: '(restarts(verdict) || STOPS.includes(change.action))',
    replace: '(restarts(verdict) && STOPS.includes(change.action))',
    test: { file: SEEN, name: 'if the files want it replaced' },
  },
  {
    name: 'two broadcasts that both go out are passed over',
    protects: 'A plan reports two broadcasts of one name that go out at the same time.',
    file: 'src/plan/broadcast/over.ts',
    find: 'const twice = goingOutTwice(the);',
    replace: 'const twice: readonly Diagnostic[] = [];',
    test: { file: 'test/plan/broadcast-groups.test.ts', name: 'are reported, with the command' },
  },
];
