import type { Mutant } from '../mutant.ts';

const ON_RECORD = 'test/flows/hand-stops-on-record.test.ts';
const NEXT_TO_RUNS = 'test/flows/hand-stops-next-to-runs.test.ts';

/** What a person stops by hand stays stopped, is on record, and is told truly. A test must find each. */
export const HAND_STOPS: readonly Mutant[] = [
  {
    name: 'a campaign that an apply has stopped is not stopped by hand',
    protects: "A stop by hand of a campaign that an apply has stopped is on record as the person's.",
    file: 'src/plan/by-hand/campaign.ts',
    find: 'if (!the.isStoppedByApply) return otherwise(the);',
    replace: 'if (the.isStoppedByApply !== null) return otherwise(the);',
    test: { file: ON_RECORD, name: 'it stays stopped when the file says active' },
  },
  {
    name: 'a broadcast that an apply has paused is not paused by hand',
    protects: "A pause by hand of a broadcast that an apply has paused is on record as the person's.",
    file: 'src/plan/by-hand/broadcast.ts',
    find: 'if (!the.isStoppedByApply) return',
    replace: 'if (the.isStoppedByApply !== null) return',
    test: { file: ON_RECORD, name: 'it stays paused when the file says scheduled' },
  },
  {
    name: 'a stop without an answer is repeated as that of the apply',
    protects: "An unconfirmed stop of an apply ends with the person's own request, which is sent once.",
    file: 'src/reconcile/by-hand/source.ts',
    find: 'return isSameStop ? stillOpenFor(entry, null) : verdict;',
    replace: 'return isSameStop && entry.liveId === null ? stillOpenFor(entry, null) : verdict;',
    test: { file: ON_RECORD, name: 'sends one request' },
  },
  {
    name: 'a repeated pause begins the window again',
    protects: 'A pause of what is paused already does not change until when it can be resumed.',
    file: 'src/ledger/effects.ts',
    find: 'if (intent.already === true) return parts;',
    replace: '',
    test: { file: ON_RECORD, name: 'leaves the time until which the service resumes a broadcast' },
  },
  {
    name: 'a stop does not wait for an open create',
    protects:
      'A stop by hand waits for a create of the same name that may still arrive, and stops what it makes.',
    file: 'src/reconcile/by-hand/made-by-open-creates.ts',
    find: 'if (left.length === 0 || leftMs <= 0) break;',
    replace: 'if (left.length >= 0 || leftMs <= 0) break;',
    test: { file: NEXT_TO_RUNS, name: 'waits for the create, and stops it as well' },
  },
  {
    name: 'a create that replaces it is not stopped',
    protects: 'A stop by hand stops a create that replaces the stopped version under another name.',
    file: 'src/reconcile/by-hand/made-by-open-creates.ts',
    find: "names.includes(address.name) || supersedes.includes(liveId ?? '')",
    replace: 'names.includes(address.name) || supersedes.length < 0',
    test: { file: NEXT_TO_RUNS, name: 'stops a create that replaces it under a new name' },
  },
  {
    name: 'a stop by hand does not meet an open one',
    protects: "An unconfirmed stop of an apply that a person's stop has met counts as the person's.",
    file: 'src/ledger/uncertain-stops.ts',
    find: "return isMet ? { ...entry, purpose: 'by_hand' } : entry;",
    replace: "return isMet && entry.liveId === null ? { ...entry, purpose: 'by_hand' } : entry;",
    test: { file: ON_RECORD, name: 'also once a later apply has repeated it' },
  },
  {
    name: 'a repeated stop forgets the person',
    protects: "A stop that counts as a person's still does once a later run has sent it again.",
    file: 'src/apply/close-open.ts',
    find: '...(isStopped || confirmed.by_hand === true ? { by_hand: true } : {}),',
    replace: '...(isStopped ? { by_hand: true } : {}),',
    test: { file: ON_RECORD, name: 'also once a later apply has repeated it' },
  },
  {
    name: 'a refused stop holds back the apply',
    protects: 'A stop by hand that the service refused is against nothing.',
    file: 'src/ledger/stops.ts',
    find: 'if (didNotHappen(stop.ends)) return false;',
    replace: '',
    test: { file: NEXT_TO_RUNS, name: 'stopped nothing, so the apply does not say that it did' },
  },
  {
    name: 'a refused stop counts in the ledger',
    protects: 'A stop by hand that was refused is none of those that may be later than the last word.',
    file: 'src/ledger/reduction.ts',
    find: 'if (isHandStop(begin)) countAgain(this.#state.stops, begin, held.lines);',
    replace: '',
    test: { file: 'test/ledger/reduction.test.ts', name: 'knows all stops by hand' },
  },
  {
    name: 'a payout by the id of the platform is closed',
    protects: 'A person cannot close a payout of an account of the workspace, whichever id it has on record.',
    file: 'src/cli/ledger/close.ts',
    find: 'return (await aliasesByPlatformId(client, accounts, resolved)).get(id) ?? null;',
    replace: 'return (await aliasesByPlatformId(client, [], [])).get(id) ?? null;',
    test: {
      file: 'test/flows/ledger-close.test.ts',
      name: 'knows the account of a payout by its id on the platform',
    },
  },
  {
    name: 'a stop by hand waits for an earlier start',
    protects: 'A stop by hand is sent before an unconfirmed start of the same object can arrive.',
    file: 'src/cli/by-hand/command.ts',
    find: 'mayBeUndone && isStop(wish) ? Promise.reject',
    replace: 'mayBeUndone && !isStop(wish) ? Promise.reject',
    test: { file: 'test/flows/stop-before-start.test.ts', name: 'is stopped at once' },
  },
];
