import type { Mutant } from '../mutant.ts';

const MOVED = 'test/flows/moved-accounts.test.ts';
const TWO_PEOPLE = 'test/flows/payouts-two-people.test.ts';
const CONTRADICTORY = 'test/flows/payouts-contradictory.test.ts';
const SAME_AMOUNT = 'test/flows/payouts-same-amount.test.ts';
const API_ANSWERS = 'test/flows/api-answers.test.ts';

/** Payouts, chat messages and follows: they cannot be taken back. */
export const MONEY: readonly Mutant[] = [
  {
    name: 'payout of the same amount',
    protects: 'A payout of the same amount within 24 hours needs --allow-similar.',
    file: 'src/operations/payout-checks.ts',
    find: 'if (cents !== null && cents !== amount.cents) return false;',
    replace: 'if (cents !== null) return false;',
  },
  {
    name: 'two payouts meet in silence',
    protects: 'Where someone else requests the same amount at the same moment, both are reported.',
    file: 'src/operations/payout-accepted.ts',
    find: 'if (counted.length > 1 || isTwice)',
    replace: 'if (counted.length > 9)',
    test: { file: TWO_PEOPLE, name: 'of the same amount: both invoices' },
  },
  {
    name: 'what could not be read counts as one payout',
    protects: 'Where neither the list nor the balance shows an accepted payout, the exit code is 3.',
    file: 'src/operations/payout-accepted.ts',
    find: 'if (request === null && fellCents !== trace.cents)',
    replace: 'if (request === null && fellCents !== null && fellCents !== trace.cents)',
    test: { file: TWO_PEOPLE, name: 'cannot be asked at all' },
  },
  {
    name: 'a list and a balance that are both behind count as one payout',
    protects: 'A balance that did not fall rules nothing out while the list does not show the request.',
    file: 'src/operations/payout-accepted.ts',
    find: 'if (request === null && fellCents !== trace.cents)',
    replace: 'if (request === null && (fellCents === null || fellCents > trace.cents))',
    test: { file: TWO_PEOPLE, name: 'shows an old list and no fall' },
  },
  {
    name: 'money and messages next to a damaged line',
    protects: 'A payout or a message is not sent while a line of the ledger cannot be read.',
    file: 'src/cli/with-ledger.ts',
    find: 'if (damaged.length === 0) return;',
    replace: 'if (damaged.length < 99) return;',
  },
  {
    name: 'payouts go on after a lost answer',
    protects:
      'No payout is requested next to one without an answer that nothing shows, without --acknowledge.',
    file: 'src/cli/payouts/earlier.ts',
    find: 'if (open.length > 0 && (!flags.acknowledge || unread))',
    replace: 'if (open.length > 99 && (!flags.acknowledge || unread))',
  },
  {
    name: 'chat goes on after a lost answer',
    protects: 'After a lost answer nothing is sent to the chat without --acknowledge.',
    file: 'src/cli/chat/send.ts',
    find: 'if (open.length > 0 && !flags.acknowledge)',
    replace: 'if (open.length > 99 && !flags.acknowledge)',
  },
  {
    name: 'the same words again',
    protects: 'The same message to the same chat within five minutes needs --allow-similar.',
    file: 'src/cli/chat/send.ts',
    find: 'if (same.length + similar.length > 0 && !flags.allowSimilar)',
    replace: 'if (same.length + similar.length > 99 && !flags.allowSimilar)',
  },
  {
    name: 'two follows at once',
    protects: 'A follow is repeated only once the first request can no longer be carried out.',
    file: 'src/operations/fan-follow.ts',
    find: 'const settled = await waitOut(ports, ageInThisRun(ports, entry, first.sentAtMs));',
    replace: 'const settled = await Promise.resolve(true);',
  },
  {
    name: 'a raw call goes where the name went',
    protects: 'A raw call with --account is not sent if the alias has moved to another account.',
    file: 'src/cli/service/api-write.ts',
    find: 'if (account !== null) refuseMovedAlias(settings, account, known);',
    replace: '',
    test: { file: MOVED, name: 'blocks herald api' },
  },
  {
    name: 'a raw call does not tell what its alias stood for',
    protects: 'A raw call with --account records which account the alias stood for.',
    file: 'src/cli/service/api-write.ts',
    find: '? account.alias : null;',
    replace: '? null : null;',
    test: { file: MOVED, name: 'is known by herald api' },
  },
  {
    name: 'a compaction forgets the accounts of aliases',
    protects: 'After a compaction, a name that has moved to another account still blocks a payout.',
    file: 'src/ledger/last-words.ts',
    find: 'view?.accountLineOf(said.account) === number;',
    replace: 'view?.accountLineOf(said.account) === -1;',
    test: { file: MOVED, name: 'is known after two compactions' },
  },
  {
    name: 'a compacted outcome tells what an alias stood for',
    protects: 'What a compaction keeps of an outcome does not overrule a later use of its alias.',
    file: 'src/ledger/account-ids.ts',
    find: "return line.type === 'known' && line.tells_account === false ? null",
    replace: "return line.type === 'known' && line.run === '' ? null",
    test: { file: 'test/ledger/views.test.ts', name: 'know the same account of every alias' },
  },
  {
    name: 'another spelling of a path',
    protects: 'A raw call with an unusual spelling of a path of the catalogue is not sent.',
    file: 'src/api/raw-row.ts',
    find: 'if (usual !== path) return',
    replace: "if (usual === '') return",
    test: { file: 'test/cli/api-raw.test.ts', name: 'is refused with the usual one' },
  },
  {
    name: 'any text in the place of a reason is a rejection',
    protects: 'A payout in an accepted state with a placeholder as its reason is not paid twice.',
    file: 'src/domain/payout-standing.ts',
    find: "if (ACCEPTED.test(word) && reason !== '') return 'contradictory';",
    replace: "if (reason !== '') return 'rejected';",
    test: { file: CONTRADICTORY, name: 'is proved by the balance' },
  },
  {
    name: 'an entry that contradicts itself counts as made',
    protects:
      'Without a fall of the balance, a payout with an accepted state and a reason stays unconfirmed.',
    file: 'src/operations/payout-resolve.ts',
    find: '!(await hasFallenBy(client, account, trace))',
    replace: '((await hasFallenBy(client, account, trace)), false)',
    test: { file: CONTRADICTORY, name: 'proves nothing: exit 3' },
  },
  {
    name: 'a date of the list is read in the zone of the machine',
    protects: 'A payout with a date without a zone counts against the same amount.',
    file: 'src/operations/payout-checks.ts',
    find: 'const createdMs = fullInstantMs(request.createdAt);',
    replace: "const createdMs = Date.parse(request.createdAt ?? '') || fullInstantMs('');",
    test: { file: SAME_AMOUNT, name: 'with a date without an offset counts' },
  },
  {
    name: 'the date of the list overrules the record of a payout',
    protects: 'The date of the list makes a payout on record younger and never older.',
    file: 'src/operations/payout-acts.ts',
    find: 'if (listed !== null && isRejected(listed)) return false;',
    replace: 'if (listed !== null) return isRejected(listed) && false;',
    test: { file: SAME_AMOUNT, name: 'counts after midnight' },
  },
  {
    name: 'an acknowledged payout counts for nothing',
    protects: 'After --acknowledge, the lost payout still counts as one of its amount.',
    file: 'src/operations/payout-acts.ts',
    find: " || (outcome === 'unknown' && acknowledged)",
    replace: ' || (acknowledged && false)',
    test: { file: SAME_AMOUNT, name: 'that was acknowledged for another amount' },
  },
  {
    name: 'an acknowledgement allows the same amount',
    protects: '--acknowledge alone does not request the amount of the unconfirmed payout again.',
    file: 'src/cli/payouts/request.ts',
    find: '[...known.counted, ...unconfirmed]',
    replace: '[...known.counted, ...unconfirmed.slice(0, 0)]',
    test: { file: SAME_AMOUNT, name: 'needs --allow-similar next to --acknowledge' },
  },
  {
    name: 'a raw call ends with 0 although its entry says no',
    protects: 'herald api exits as its ledger entry says: 1 for refused, 3 for unconfirmed.',
    file: 'src/cli/service/api.ts',
    find: 'return unconfirmed === null ? exit : tellUnconfirmed(context, unconfirmed);',
    replace: 'return unconfirmed === null ? exit : (tellUnconfirmed(context, unconfirmed), exit);',
    test: { file: API_ANSWERS, name: 'a rejected payout: it is printed, exit 1' },
  },
  {
    name: 'the same raw call pays twice',
    protects:
      'herald api does not request a payout of the same amount within 24 hours without --allow-similar.',
    file: 'src/cli/service/api-write.ts',
    find: 'if (!allowSimilar) await refuseSimilar(ports, call);',
    replace: 'if (allowSimilar && !allowSimilar) await refuseSimilar(ports, call);',
    test: { file: API_ANSWERS, name: 'refuses the same amount within 24 hours' },
  },
];
