import type { Mutant } from '../mutant.ts';

const RECENT = 'test/flows/chat-recent.test.ts';
const SAME = 'test/flows/chat-same-words.test.ts';
const LABELS = 'test/flows/labels-late-copies.test.ts';

/** The same message twice, and labels. The chaos run has no busy chat, no odd dates and no other spellings. */
export const CHAT: readonly Mutant[] = [
  {
    name: 'a chat is read by one page',
    protects: 'The chat is read back for five minutes before a message is sent.',
    file: 'src/operations/chat-recent.ts',
    find: 'if (!readsToItsEnd && reachesBack(page, times.serviceMs)) return await recent(null);',
    replace: 'if (!readsToItsEnd) return await recent(null);',
    test: { file: RECENT, name: 'are found behind 250 messages of the fan' },
  },
  {
    name: 'a chat without an end is one without the same words',
    protects: 'A chat that could not be read back for five minutes counts against sending.',
    file: 'src/operations/chat-recent.ts',
    find: 'if (error instanceof IncompleteScanError) return recent(error.message);',
    replace: 'if (error instanceof IncompleteScanError) return recent(null);',
    test: { file: RECENT, name: 'are looked for up to a limit' },
  },
  {
    name: 'dates of messages are in the zone of the machine',
    protects: 'A date without a zone does not make a message old.',
    file: 'src/operations/chat-tail.ts',
    find: 'return bareMs === null ? null : bareMs + DAY_MS;',
    replace: "return bareMs === null ? null : Date.parse(at ?? '');",
    test: { file: RECENT, name: 'are found by a machine in Asia/Tokyo' },
  },
  {
    name: 'a message without a date is old',
    protects: 'A message without a date does not end the search for the same words.',
    file: 'src/operations/chat-recent.ts',
    find: 'return lastMs !== undefined && serviceNowMs - lastMs >= SIMILAR_MS;',
    replace: 'return lastMs === undefined || serviceNowMs - lastMs >= SIMILAR_MS;',
    test: { file: RECENT, name: 'a message without a date does not end the search' },
  },
  {
    name: 'another spelling is another message',
    protects: 'A message that was queued is known again in another spelling.',
    file: 'src/domain/chat-same.ts',
    find: "return details['normal_digest'] === wanted.normal_digest || details",
    replace: 'return details',
    test: { file: SAME, name: 'with a price of 0 is refused' },
  },
  {
    name: 'letters in parts are other letters',
    protects: 'A text is compared in composed letters.',
    file: 'src/domain/chat-same.ts',
    find: ".normalize('NFC')",
    replace: '',
    test: { file: SAME, name: 'with letters in parts is refused' },
  },
  {
    name: 'messages of earlier versions are unknown',
    protects: 'A message that an earlier version of Herald recorded is known again.',
    file: 'src/domain/chat-same.ts',
    find: " || details['digest'] === wanted.digest;",
    replace: ';',
    test: { file: SAME, name: 'is known from a ledger of an earlier version' },
  },
  {
    name: 'an acknowledged message was not sent',
    protects: 'The same words as a message with a lost answer need --allow-similar for five minutes.',
    file: 'src/operations/chat-send.ts',
    find: '!NOT_QUEUED.includes(act.outcome) &&',
    replace: "act.outcome === 'done' &&",
    test: { file: SAME, name: 'are refused after it was acknowledged with another message' },
  },
  {
    name: 'a label next to a damaged line',
    protects: 'A label waits for the window while a line of the ledger cannot be read.',
    file: 'src/operations/fan-label.ts',
    find: 'if (mayHideOne) return 0;',
    replace: '',
    test: { file: LABELS, name: 'waits until an earlier one can no longer land' },
  },
  {
    name: 'a raw label next to a damaged line',
    protects: 'A raw label is refused while a line of the ledger cannot be read.',
    file: 'src/cli/service/api-write.ts',
    find: "  'fans.label',\n  'payouts.request',\n];",
    replace: "  'payouts.request',\n];",
    test: { file: LABELS, name: 'a raw label next to a line that no one can read is refused' },
  },
  {
    name: 'a raw label next to a late copy',
    protects:
      'A raw label waits while a copy of another value may still arrive, also if that one was confirmed.',
    file: 'src/operations/raw-call/late-labels.ts',
    find: 'if (operation !== LABEL) return keepNoEntry;',
    replace: 'if (operation !== LABEL || params !== null) return keepNoEntry;',
    test: { file: LABELS, name: 'a raw label waits for a copy of another value' },
  },
];
