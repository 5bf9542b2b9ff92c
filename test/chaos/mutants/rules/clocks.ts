import type { Mutant } from '../mutant.ts';

/** Which clock is believed. A service with wrong clocks is drawn too seldom for the chaos run, so a test finds each. */
export const CLOCKS: readonly Mutant[] = [
  {
    name: 'lines are ordered by clocks alone',
    protects: 'A line comes after all lines about its object that its run had read, whatever the clocks say.',
    file: 'src/ledger/line-order.ts',
    find: 'if (afterMs <= writtenAtMs(line) ||',
    replace: 'if (afterMs <= LAST_INSTANT_MS ||',
    test: {
      file: 'test/flows/order-of-servers.test.ts',
      name: 'do not undo a stop by a person of the time after that',
    },
  },
  {
    name: 'a request that its run knew to be later is over by the clocks',
    protects: 'A confirmed change ends no unconfirmed one of which the run had read that change.',
    file: 'src/ledger/reduce.ts',
    find: 'if (isKnownLater(begin, by)) return false;',
    replace: '',
    test: {
      file: 'test/ledger/open-stops.test.ts',
      name: 'stays unconfirmed where its run knew of the stop',
    },
  },
  {
    name: 'a stop by hand that knew of an unconfirmed stop is earlier by the clocks',
    protects:
      'An unconfirmed stop by an apply counts as a stop by hand if a person stopped the same object after it.',
    file: 'src/ledger/uncertain-stops.ts',
    find: '(isKnownLater(stop, begin) || !surelySentBefore(',
    replace: '(!surelySentBefore(',
    test: { file: 'test/ledger/open-stops.test.ts', name: 'that was known at the stop' },
  },
  {
    name: 'a clock that is a day off disowns what was created',
    protects: 'An object is ours although a clock was off by a day when it was created.',
    file: 'src/plan/believed.ts',
    find: '86_400_000 + 60_000',
    replace: '86_400_000',
    test: { file: 'test/flows/order-of-servers.test.ts', name: 'leave what was created then ours' },
  },
  {
    name: 'a compaction goes by the clock of the machine alone',
    protects:
      'The last week before the newest line stays in the ledger, whatever the clock of the machine says.',
    file: 'src/cli/ledger/keep.ts',
    find: 'if (newestMs === null ||',
    replace: 'if (newestMs !== Number.NaN ||',
    test: {
      file: 'test/flows/ledger-commands.test.ts',
      name: 'keeps the last week if this machine is ahead: --drop',
    },
  },
  {
    name: 'a server that is ahead makes the newest line newer',
    protects: 'The newest line is as old as the earlier one of its two clocks says.',
    file: 'src/ledger/order.ts',
    find: 'return byClocksMs(line) - Math.max(0, shiftOf(line));',
    replace: 'return byClocksMs(line);',
    test: {
      file: 'test/flows/ledger-commands.test.ts',
      name: 'does not count the clock of a server that was ahead',
    },
  },
  {
    name: 'the age of a review is that of the machine alone',
    protects: 'A reviewed plan is too old if one of the two clocks says so.',
    file: 'src/cli/resources/apply.ts',
    find: '({ nowMs }) => refuseAt(nowMs)',
    replace: '() => undefined',
    test: { file: 'test/flows/reviewed.test.ts', name: 'refuses what is older by one of the two clocks' },
  },
  {
    name: 'a close goes by the clock of the service alone',
    protects: 'If the two clocks disagree, a close waits for a whole window.',
    file: 'src/operations/until-surely-over.ts',
    find: 'waitOut(ports, ages.ageMs(one, one.entry))',
    replace: 'waitOut(ports, ages.byServiceMs(one, one.entry) ?? 0)',
    test: { file: 'test/flows/ledger-close.test.ts', name: 'if only the service says that it is over' },
  },
  {
    name: 'what is similar on record is as old as its answers said',
    protects: 'A payout or message on record has the smaller age of two clocks.',
    file: 'src/operations/service-time.ts',
    find: 'Math.min(byServiceMs, machineMs - sentAtMs)',
    replace: 'byServiceMs',
    test: { file: 'test/operations/service-time.test.ts', name: 'a day apart when it was sent' },
  },
];
