import type { Mutant } from '../mutant.ts';

const AFTER = 'test/flows/at-once-after.test.ts';
const TWICE = 'test/flows/at-once-twice.test.ts';
const WORDS = 'test/flows/at-once-same-words.test.ts';
const ADOPTED = 'test/flows/at-once-adopted.test.ts';

/** Broadcasts of a draft: what was sent, what is next to it, and what became of a request without an answer. */
export const AT_ONCE: readonly Mutant[] = [
  {
    name: 'a draft that was paused half-way is not known as sent',
    protects:
      'A broadcast of a draft is known as sent in every state, and is not to be sent under another name.',
    file: 'src/plan/broadcast/send-now.ts',
    find: "['out', 'paused_left'].includes(",
    replace: "['out'].includes(",
    test: { file: AFTER, name: 'is known as our own, and can be resumed' },
  },
  {
    name: 'a recalled draft is to be resumed',
    protects: 'No message says to resume what was recalled.',
    file: 'src/plan/broadcast/send-now.ts',
    find: 'if (isPaused(own.observed.live) && own.known?.recalled !== true)',
    replace: 'if (isPaused(own.observed.live))',
    test: { file: 'test/plan/broadcast-now.test.ts', name: 'recalled' },
  },
  {
    name: 'another broadcast that goes out next to a draft is passed over',
    protects: 'Two broadcasts of one name that are sent at once are both named.',
    file: 'src/plan/broadcast/send-now.ts',
    find: 'const diagnostics = [...goingOutTwice(the), ',
    replace: 'const diagnostics = [',
  },
  {
    name: 'a broadcast that waits next to a sent draft is passed over',
    protects: 'A broadcast that waits under the name of a draft that was sent is named.',
    file: 'src/plan/broadcast/send-now.ts',
    find: ', ...stillWaiting(the, own)];',
    replace: '];',
    test: { file: TWICE, name: 'are both named if the other one waits for its time' },
  },
  {
    name: 'the report of the run that sent passes over two that go out',
    protects: 'The run that sends a broadcast names another one that goes out under its name.',
    file: 'src/reconcile/verify.ts',
    find: "[DIFFERS_AGAIN, 'going-out-twice']",
    replace: '[DIFFERS_AGAIN]',
  },
  {
    name: 'what the list does not show yet was changed',
    protects: 'A report does not say that its own object was changed while the list does not show it yet.',
    file: 'src/reconcile/verify.ts',
    find: '    if (hidden.block(change)) continue;\n',
    replace: '',
    test: { file: AFTER, name: 'was sent, and nothing was changed' },
  },
  {
    name: 'a draft that was sent is blocked by what the list shows in its place',
    protects: 'A command that has sent a broadcast does not end as if it had sent nothing.',
    file: 'src/reconcile/verify.ts',
    find: '    if (hidden.block(change)) return false;\n',
    replace: '',
    test: { file: AFTER, name: 'names another one of its name' },
  },
  {
    name: 'a draft that the list does not show may have another name',
    protects: 'No message says to choose another name for a draft that was sent.',
    file: 'src/plan/guards/guards.ts',
    find: "if (isSentAtOnce(declared) && wanted.action !== 'done' && ids.length > 0)",
    replace: "if (isSentAtOnce(declared) && wanted.action === 'done' && ids.length > 0)",
    test: { file: AFTER, name: 'is not sent under another name' },
  },
  {
    name: 'a request of a draft stays open',
    protects: 'The command that sends a draft adopts what its request without an answer has made.',
    file: 'src/cli/by-hand/send-now.ts',
    find: 'return verdicts.some(({ conclusion }) => conclusion !== null);',
    replace: 'return verdicts.some(({ conclusion }) => conclusion === undefined);',
    test: { file: ADOPTED, name: 'adopts what it made after' },
  },
  {
    name: 'a draft is sent next to one that an apply may resume',
    protects: 'A draft is not sent next to the same content that an apply resumes without asking.',
    file: 'src/plan/scope.ts',
    find: "(known.pausedFor === 'declared' || isOwedToReplace(known))",
    replace: "(known.pausedFor === 'duplicate' || isOwedToReplace(known))",
    test: { file: WORDS, name: 'waits for one that the files only declare paused' },
  },
];
