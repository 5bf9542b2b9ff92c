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
    test: { file: 'test/ledger/order-of-stops.test.ts', name: 'that left 5000 ms later counts' },
  },
  {
    name: 'a stop by an apply counts from its answer',
    protects: 'A stop by hand that comes between a stop by an apply and its answer counts.',
    file: 'src/ledger/word-times.ts',
    find: 'startsSending(targetStatusOf(intent.target)) ? line : intent',
    replace: 'startsSending(targetStatusOf(intent.target)) ? line : line',
    test: { file: 'test/flows/merged-late-answer.test.ts', name: 'stays stopped' },
  },
  {
    name: 'a line that swallowed another one is cut short',
    protects: 'A part of a line in front of a whole one is damaged, so nothing starts.',
    file: 'src/ledger/cut-short.ts',
    find: 'hasSwallowed ||= at > 0 && isBeginningAt(text, at);',
    replace: 'hasSwallowed ||= at < 0 && isBeginningAt(text, at);',
    test: { file: 'test/ledger/swallowed-lines.test.ts', name: 'does not hide an open create' },
  },
  {
    name: 'a line is added behind a part of another one',
    protects: 'A line that is added begins after a line break.',
    file: 'src/host/line-files.ts',
    find: 'await handle.appendFile((await isMidLine(handle)) ? `\\n${text}` : text);',
    replace: 'await handle.appendFile((await isMidLine(handle)) ? text : text);',
    test: { file: 'test/ledger/store-contract.test.ts', name: 'begins a new line after it' },
  },
  {
    name: 'a compaction replaces a merged ledger',
    protects:
      'A compaction replaces nothing if another file has taken the place of the ledger that it has read.',
    file: 'src/host/replace-ledger.ts',
    find: 'there.id === old.id && there.size >= bytes',
    replace: 'there.id !== null && there.size >= 0 * bytes',
    test: { file: 'test/ledger/store-contract.test.ts', name: 'where another file has taken its place' },
  },
  {
    name: 'a compaction loses what was added meanwhile',
    protects: 'A line that another process adds between the copy and the rename is in the new file.',
    file: 'src/host/replace-ledger.ts',
    find: "if (late === '') return;",
    replace: "if (late !== '*') return;",
    test: { file: 'test/ledger/store-contract.test.ts', name: 'takes over what another process adds' },
  },
  {
    name: 'a found stop by an apply overrules a later stop by hand',
    protects: 'A stop by an apply of which a later run finds out counts from when it was announced.',
    file: 'src/ledger/with-added.ts',
    find: '(saidAt(field as Field)?.ms ?? ms) <= ms',
    replace: '(saidAt(field as Field)?.ms ?? ms) <= ms + 86_400_000',
    test: { file: 'test/ledger/with-added.test.ts', name: 'stays stopped' },
  },
  {
    name: 'a found stop by an apply is certain',
    protects: 'Also next to what a later run finds out, a stop by hand of an uncertain time counts.',
    file: 'src/ledger/with-added.ts',
    find: "(field === 'pausedFor' ? stopped.get(key) : undefined)",
    replace: "(field === 'pausedFor' ? { ms: Infinity, isByService: true } : undefined)",
    test: { file: 'test/ledger/order-of-stops.test.ts', name: 'that a run has found since' },
  },
  {
    name: 'an apply does not look for its lines',
    protects:
      'What an apply has written is in the ledger at its end, also if git has replaced that meanwhile.',
    file: 'src/ledger/ledger.ts',
    find: 'if (this.#lease !== null && (await this.#writer.wasReplaced?.()) !== true) return;',
    replace: 'if (this.#lease !== null) return;',
    test: { file: 'test/flows/ledger-rewrites.test.ts', name: 'leaves the lines of the apply' },
  },
];
