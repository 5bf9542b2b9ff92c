import type { Mutant } from '../mutant.ts';

const FLOWS = 'test/flows/same-content-elsewhere.test.ts';
const PLANS = 'test/plan/left-running.test.ts';

/** Content that moves from one resource to another. */
export const SAME_CONTENT: readonly Mutant[] = [
  {
    name: 'half of an exchange is carried out',
    protects: 'Nothing starts next to the same content of another resource that this run leaves running.',
    file: 'src/plan/guards/left-running.ts',
    find: 'clashes.filter(({ by }) => stays(by, run)),',
    replace: "clashes.filter(({ by }) => by.action === 'keep'),",
  },
  {
    name: 'an exchange is carried out in one run',
    protects:
      'Two resources do not exchange their contents in one run: neither can stop before the other one starts.',
    file: 'src/plan/guards/left-running.ts',
    find: 'block(inCircles(clashes.filter(isOpen)), circleWords);',
    replace: 'block(inCircles([]), circleWords);',
  },
  {
    name: 'what is not approved counts as stopped',
    protects: 'Nothing starts next to the same content that runs on because its change lacks an approval.',
    file: 'src/plan/guards/left-running.ts',
    find: ' || !permits(by)',
    replace: '',
    test: { file: PLANS, name: 'was not reviewed or not approved' },
  },
  {
    name: 'a text that moves starts next to a stop that failed',
    protects: 'A start waits for the stop of the same content, and is not sent if that did not succeed.',
    file: 'src/apply/stops-first.ts',
    find: "const SUCCEEDED: readonly (OutcomeKind | undefined)[] = ['applied', 'adopted'];",
    replace:
      "const SUCCEEDED: readonly (OutcomeKind | undefined)[] = ['applied', 'adopted', 'unknown', 'failed'];",
  },
  {
    name: 'a text that moves starts in the order of the names',
    protects: 'A start comes after the stop of the same content, whatever the names are.',
    file: 'src/apply/stops-first.ts',
    find: 'if (stopsFirst.size === 0) return changes;',
    replace: 'if (stopsFirst.size >= 0) return changes;',
    test: { file: FLOWS, name: 'starts after the other one was stopped, whatever their names' },
  },
];
