import type { Mutant } from '../mutant.ts';

const STOPS = 'test/flows/stop-always.test.ts';
const PAIRS = 'test/ledger/quick-pair.test.ts';
const STATE = 'test/postgres/state.test.ts';
const BROKEN = 'test/postgres/broken-lines.test.ts';

/**
 * Rules that the chaos run cannot show, or only in one of 2,000 seeds: it has no database, never makes so many creates, and
 * always allows a large prune. A test must find each.
 */
export const BY_TEST: readonly Mutant[] = [
  {
    name: 'one list for all creates',
    protects: 'After 30 seconds, creates of an account go by a list that is read again.',
    file: 'src/apply/fresh-list.ts',
    find: 'return askedAt !== null && elapsedMs(clock, askedAt) <= LIST_SERVES_MS;',
    replace: 'return askedAt !== null && elapsedMs(clock, askedAt) <= LIST_SERVES_MS * 1_000;',
    test: { file: 'test/flows/waited-lists.test.ts', name: 'go by a later list' },
  },
  {
    name: 'the object of an answered create explains a lost one',
    protects: 'An object is not the result of a lost create if the answer to another create named it.',
    file: 'src/apply/judge-create.ts',
    find: 'if (isMadeByAnother(knowledge, object)) return false;',
    replace: '',
    test: { file: 'test/apply/judge-open.test.ts', name: 'where the answer to another create names it' },
  },
  {
    name: 'an open create under another name is not looked at',
    protects: 'Nothing starts while an unconfirmed create that replaces it may still succeed.',
    file: 'src/plan/guards/successors.ts',
    find: '.flatMap(open.replacing)',
    replace: '.flatMap(() => [])',
    test: { file: 'test/plan/successors.test.ts', name: 'holds back the version that it replaces' },
  },
  {
    name: 'a replaced version keeps its old name',
    protects: 'A rename that was cut short is finished, also without renamed_from.',
    file: 'src/ledger/effects.ts',
    find: '{ name: intent.name, supersededBy: liveId }',
    replace: '{ supersededBy: liveId }',
    test: { file: 'test/flows/renames-cut-short.test.ts', name: 'although renamed_from is gone' },
  },
  {
    name: 'an expired broadcast is not proved dead',
    protects:
      'A broadcast that was paused for too long is created again only after the service refused to resume it.',
    file: 'src/apply/step-prove-dead.ts',
    find: "if (result.kind === 'failed' && result.refused === true) return { kind: 'ok', liveId };",
    replace: "if (result.kind !== 'unknown') return { kind: 'ok', liveId };",
    test: {
      file: 'test/flows/dead-broadcasts.test.ts',
      name: 'is resumed where only the ledger takes it for dead',
    },
  },
  {
    name: 'a stop by hand does not wait for starts',
    protects: 'A stop by hand looks again after a start of another run that was already sent.',
    file: 'src/reconcile/by-hand/stop-now.ts',
    find: 'if (others.length === 0) return false;',
    replace: 'if (others.length >= 0) return false;',
    test: { file: STOPS, name: 'the stop waits until it is over and is sent again' },
  },
  {
    name: 'a stop is lost with the ledger that was replaced',
    protects: 'A stop that was recorded next to a compaction is in the ledger that the compaction wrote.',
    file: 'src/ledger/lines-missing.ts',
    find: 'return lines.filter((line) => missing.has(line));',
    replace: 'return lines.filter(() => false);',
    test: { file: STOPS, name: 'gets the stop again where another file has taken its place' },
  },
  {
    name: 'a compaction does not look at the fence',
    protects: 'A run that has lost its lease meanwhile replaces nothing in a ledger in PostgreSQL.',
    file: 'src/postgres/fence.ts',
    find: 'if (locked !== fence) throw leaseTaken(workspace);',
    replace: 'if (locked === null) throw leaseTaken(workspace);',
    test: { file: STATE, name: 'is not replaced by a compaction of which another run has taken the lease' },
  },
  {
    name: 'a compaction of files does not look at the lock',
    protects: 'A run that loses its lock while it writes a compacted ledger does not put it in its place.',
    file: 'src/host/unless-lost.ts',
    find: 'if (lost === null) return;',
    replace: 'if (lost !== undefined) return;',
    test: { file: 'test/ledger/store-contract.test.ts', name: 'that loses its lock while it writes' },
  },
  {
    name: 'a copy with an open stop stands for the lost create',
    protects:
      'A duplicate that a killed run had begun to stop is not taken for what the lost create next to it made.',
    file: 'src/apply/judge-create.ts',
    find: "pausedFor === 'duplicate') return true;\n  return open.some(",
    replace: "pausedFor === 'duplicate') return true;\n  return open.slice(0, 0).some(",
    test: {
      file: 'test/flows/late-rewrites.test.ts',
      name: 'for a copy of it that a killed run had begun to stop',
    },
  },
  {
    name: 'a line of an earlier holder is taken',
    protects: 'The statement that adds a line checks its fencing number.',
    file: 'src/postgres/ledger-writer.ts',
    find: '($2::bigint IS NULL OR fence = $2::bigint) AND',
    replace: '($2::bigint IS NULL OR fence > 0) AND',
    test: { file: STATE, name: 'has a number that only grows, and a line with an older one is refused' },
  },
  {
    name: 'an append is repeated as another line',
    protects: 'An append that is repeated after a lost answer adds its line once.',
    file: 'src/postgres/ledger-writer.ts',
    find: 'SELECT $1, epoch, last_position, $3, $2::bigint, $4 FROM place',
    replace: 'SELECT $1, epoch, last_position, gen_random_uuid(), $2::bigint, $4 FROM place',
    test: { file: BROKEN, name: 'does not cost or repeat a line, wherever it breaks' },
  },
  {
    name: 'the way of an answer counts as time left',
    protects: 'A lease is as old as the question about it, not as the answer.',
    file: 'src/postgres/lease.ts',
    find: "const leftMs = Number(row['left_ms']) - elapsedMs(this.#options.clock, asked);",
    replace: "const leftMs = Number(row['left_ms']) - 0 * elapsedMs(this.#options.clock, asked);",
    test: { file: BROKEN, name: 'does not count the time that an answer about the lease was on its way' },
  },
  {
    name: 'an ended lease is renewed',
    protects: 'A lease that has ended stays ended, also if no other run took it.',
    file: 'src/postgres/lease.ts',
    find: 'AND fence = $2 AND expires_at > clock_timestamp()`',
    replace: 'AND fence = $2`',
    test: { file: STATE, name: 'is renewed while its run lives, and ends by the clock of the database' },
  },
  {
    name: 'a stop by hand is read as one of a pair',
    protects: 'The first line of a stop by hand is kept whole, whatever became of it.',
    file: 'src/ledger/quick-pair.ts',
    find: "PAUSE_PURPOSES.filter((purpose) => purpose !== 'by_hand')",
    replace: 'PAUSE_PURPOSES',
    test: { file: PAIRS, name: 'there is a stop by hand' },
  },
  {
    name: 'a copy that may still land is read as one of a pair',
    protects: 'An entry with a copy of which nothing was heard is kept after its end.',
    file: 'src/ledger/quick-pair.ts',
    find: '(?:,"unheard_ms":null)?',
    replace: '(?:,"unheard_ms":(?:null|${INTEGER}))?',
    test: { file: PAIRS, name: 'there is a copy of which nothing was heard' },
  },
  {
    name: 'a request and the end of another one are read as a pair',
    protects: 'An end closes only the request that it names.',
    file: 'src/ledger/quick-pair.ts',
    find: 'if (found === null || found[4] !== entry) return null;',
    replace: 'if (found === null) return null;',
    test: { file: PAIRS, name: 'there is an end of another entry' },
  },
  {
    name: 'a pair of an entry that has ended counts again',
    protects: 'An entry that begins again after its end is read with care.',
    file: 'src/ledger/reduction.ts',
    find: 'if (!this.#isNew(begin) || !this.#state.ended.add(begin.entry)) {',
    replace: 'if (!this.#isNew(begin) || (this.#state.ended.add(begin.entry), false)) {',
    test: { file: PAIRS, name: 'comes to what a reading line by line comes to' },
  },
  {
    name: 'an end of another world ends a slim request',
    protects: 'A create that is still open has its content and its baseline.',
    file: 'src/ledger/reduction.ts',
    find: 'if (begin.run !== end.run) return false;',
    replace: 'if (begin.run === null) return false;',
    test: { file: PAIRS, name: 'keeps all of a create if its end is about another world' },
  },
  {
    name: 'numbers of two runs share a hash',
    protects: 'Names that were not seen are not taken for seen ones.',
    file: 'src/ledger/seen-names.ts',
    find: '? hashOf(name.slice(0, at), 0, FIRST_GROUP + (number >>> GROUP_BITS))',
    replace: '? hashOf(name.slice(0, at), 1 + (number >>> GROUP_BITS))',
    test: { file: 'test/ledger/seen-names.test.ts', name: 'are those that were added' },
  },
  {
    name: 'an earlier line has the last word',
    protects: 'Of two lines about one field, the one that was written later holds, wherever it stands.',
    file: 'src/ledger/object-times.ts',
    find: 'const isLater = otherMs > ms || (otherMs === ms && otherPlace > place);',
    replace: 'const isLater = otherPlace > place;',
    test: { file: 'test/ledger/reduction.test.ts', name: 'comes to what all lines at once come to' },
  },
  {
    name: 'no list before a start that waited',
    protects: 'A start that waited for a minute goes by a list that was read after that.',
    file: 'src/apply/step-look.ts',
    find: 'if (!context.listIsOld || context.byHand !== null) return null;',
    replace: 'if (context.listIsOld || context.byHand !== null) return null;',
    test: { file: 'test/flows/never-sent.test.ts', name: 'made another one of the name meanwhile' },
  },
];
