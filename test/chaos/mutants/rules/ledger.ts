import type { Mutant } from '../mutant.ts';

/** What a ledger is read and rewritten by: the order of its lines, lines that are cut short, and files that are replaced. */
export const LEDGER: readonly Mutant[] = [
  {
    name: 'times of two machines are exact',
    protects:
      'A stop by hand counts if a stop by an apply seems to be later by less than two clocks can tell.',
    file: 'src/ledger/uncertain-stops.ts',
    find: 'laterMs < ORDER_ERROR_MS',
    replace: 'laterMs < 0',
    test: { file: 'test/flows/order-within-seconds.test.ts', name: 'stays stopped' },
  },
  {
    name: 'a stop by an apply counts from its answer',
    protects: 'A stop by hand that comes between a stop by an apply and its answer counts.',
    file: 'src/ledger/word-times.ts',
    find: 'startsSending(targetStatusOf(intent.target)) ? line : intent',
    replace: 'startsSending(targetStatusOf(intent.target)) ? line : line',
    test: { file: 'test/flows/merged-late-answer.test.ts', name: 'stays stopped' },
  },
];
